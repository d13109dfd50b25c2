//! Words for what goes with the next prompt.

use crate::files::image_words;
use crate::panel::{context_words, fit_words, limit_words, next_tokens};
use leptos::prelude::*;
use sash_chat::{ChatSettingsStoreFields, policy_short_phrase};
use sash_stores::Kernel;
use sash_words::{count, t};

/// What goes: `9 of 62 messages + 2 images`; in an empty chat what the rule will send.
pub fn what_goes(kernel: Kernel) -> String {
    let goes = match kernel.steering().counts.with(|counts| counts.branch) {
        0 => {
            let policy = kernel.chats().open_settings().policy().get();
            t!(composer.sends, policy = policy_short_phrase(policy))
        }
        _ => kernel.steering().counts.with(|counts| counts.words()),
    };
    match kernel.attachments().count.get().sent {
        0 => goes,
        n => format!("{goes} + {}", count::images(n as usize)),
    }
}

/// The tokens of the next request, in words; `None` while there is neither a message nor a draft.
pub fn tokens(kernel: Kernel) -> Option<String> {
    let is_blank = || kernel.drafts().draft.with(|draft| draft.trim().is_empty());
    let is_empty = kernel.steering().counts.with(|counts| counts.branch == 0);
    (!is_empty || !is_blank()).then(|| next_tokens(kernel))
}

/// What needs attention, in a few words; all of it is among the parts. `None` where nothing does.
pub fn warning(kernel: Kernel) -> Option<String> {
    let (_, fit) = fit_words(kernel.steering().fit.get().0);
    let images = kernel.attachments().count.get();
    match images.unseen + images.gone {
        _ if !fit.is_empty() => Some(fit.to_owned()),
        1.. => {
            let unsent = count::images((images.unseen + images.gone) as usize);
            Some(t!(composer.messages_not_sent, unsent = &unsent))
        }
        0 if limit_words(kernel).is_some() => Some(t!(composer.request_is_large).to_owned()),
        0 if kernel.steering().is_looking.get() => {
            Some(t!(composer.reading_older_messages).to_owned())
        }
        0 => None,
    }
}

/// The parts of the next request, a sentence each; the first says the messages and the tokens.
pub fn parts(kernel: Kernel) -> Vec<String> {
    let counts = kernel.steering().counts.get();
    let goes = match counts.branch {
        0 => token_words(kernel),
        _ => {
            let sent = t!(composer.sends, policy = counts.parts());
            format!("{sent}: {}", in_mid_sentence(&token_words(kernel)))
        }
    };
    let images = kernel
        .steering()
        .model
        .with(|model| {
            let model = model.as_ref().map(|model| model.name.as_str());
            image_words(kernel.attachments().count.get(), model)
        })
        .into_iter()
        .map(|words| sentence(&words));
    let limits = limit_words(kernel).map(|words| sentence(&words));
    let from_folder = kernel.chats().open.with(|chat| chat.head.from_folder());
    let mut all = vec![goes];
    all.extend(from_folder.map(|from| from.sentence()));
    all.extend(draft_words(kernel));
    all.extend(images);
    all.extend(limits);
    all
}

/// The tokens of what is written, in a sentence. Engines count whole requests, so this is always an estimate. `None`
/// without a draft, and where it is all that goes.
fn draft_words(kernel: Kernel) -> Option<String> {
    let is_all = kernel.steering().counts.with(|counts| counts.branch == 0);
    let tokens = kernel.drafts().draft.with(|draft| {
        let is_blank = draft.trim().is_empty();
        (!is_blank).then(|| kernel.attachments().tokens_of(draft))
    });
    let tokens = tokens.filter(|_| !is_all)?;
    let tokens = count::tokens(usize::try_from(tokens).unwrap_or(usize::MAX));
    Some(t!(composer.draft_tokens, tokens = tokens))
}

/// The tokens and the room for them, in a sentence.
fn token_words(kernel: Kernel) -> String {
    let words = context_words(kernel);
    match kernel.steering().context.with(Option::is_some) {
        true => words + ".",
        false => words,
    }
}

/// The words with a capital and a full stop.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str() + "."
}

/// A sentence after a colon: with a small first letter.
fn in_mid_sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
