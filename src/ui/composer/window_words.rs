//! What goes with the next prompt, in words.

use crate::ui::files::image_words;
use crate::ui::panel::{fit_words, limit_words, next_tokens, unloaded_words};
use leptos::prelude::*;
use sash_chat::{ChatSettingsStoreFields, policy_short_phrase};
use sash_state::Stores;
use sash_words::{
    count::{self, grouped},
    t,
};

/// What goes: `9 of 62 messages + 2 images`; in an empty chat what the rule will send.
pub fn what_goes(stores: Stores) -> String {
    let goes = match stores.steering().counts.with(|counts| counts.branch) {
        0 => {
            let policy = stores.chats().open_settings().policy().get();
            t!(composer.sends, policy = policy_short_phrase(policy))
        }
        _ => stores.steering().counts.with(|counts| counts.words()),
    };
    match stores.attachments().count.get().sent {
        0 => goes,
        n => format!("{goes} + {}", count::images(n as usize)),
    }
}

/// The tokens of the next request, in words; `None` while there is neither a message nor a draft.
pub fn tokens(stores: Stores) -> Option<String> {
    let is_blank = || stores.drafts().draft.with(|draft| draft.trim().is_empty());
    let is_empty = stores.steering().counts.with(|counts| counts.branch == 0);
    (!is_empty || !is_blank()).then(|| next_tokens(stores))
}

/// What needs attention, in a few words; all of it is among the parts. `None` where nothing does.
pub fn warning(stores: Stores) -> Option<String> {
    let (_, fit) = fit_words(stores.steering().fit.get().0);
    let images = stores.attachments().count.get();
    match images.unseen + images.gone {
        _ if !fit.is_empty() => Some(fit.to_owned()),
        1.. => {
            let unsent = count::images((images.unseen + images.gone) as usize);
            Some(t!(composer.not_sent, unsent = &unsent))
        }
        0 if limit_words(stores).is_some() => Some(t!(composer.a_large_request).to_owned()),
        0 if stores.steering().is_looking.get() => {
            Some(t!(composer.reading_older_messages).to_owned())
        }
        0 => None,
    }
}

/// The parts of the next request, a sentence each; the first says the messages and the tokens.
pub fn parts(stores: Stores) -> Vec<String> {
    let counts = stores.steering().counts.get();
    let goes = match counts.branch {
        0 => token_words(stores),
        _ => {
            let sent = t!(composer.sends, policy = counts.parts());
            format!("{sent}: {}", in_mid_sentence(&token_words(stores)))
        }
    };
    let images = stores
        .steering()
        .model
        .with(|model| {
            let model = model.as_ref().map(|model| model.name.as_str());
            image_words(stores.attachments().count.get(), model)
        })
        .into_iter()
        .map(|words| sentence(&words));
    let limits = limit_words(stores).map(|words| sentence(&words));
    let from_folder = stores.chats().open.with(|chat| chat.head.from_folder());
    let mut all = vec![goes];
    all.extend(from_folder.map(|from| from.sentence()));
    all.extend(draft_words(stores));
    all.extend(images);
    all.extend(limits);
    all
}

/// The tokens of what is written, in a sentence. Engines count whole requests, so this is always an estimate. `None`
/// without a draft, and where it is all that goes.
fn draft_words(stores: Stores) -> Option<String> {
    let is_all = stores.steering().counts.with(|counts| counts.branch == 0);
    let tokens = stores.drafts().draft.with(|draft| {
        let is_blank = draft.trim().is_empty();
        (!is_blank).then(|| stores.attachments().tokens_of(draft))
    });
    let tokens = tokens.filter(|_| !is_all)?;
    let tokens = count::tokens(usize::try_from(tokens).unwrap_or(usize::MAX));
    Some(t!(composer.what_you_write_about, tokens = tokens))
}

/// The tokens and the room for them, in a sentence.
fn token_words(stores: Stores) -> String {
    let (fit, tokens) = stores.steering().fit.get();
    match stores.steering().context.get() {
        Some(context) => {
            let (_, warning) = fit_words(fit);
            let colon = if warning.is_empty() { "" } else { ": " };
            let (tokens, context) = (grouped(tokens), grouped(context));
            match stores.steering().exact_tokens.get() {
                Some(_) => t!(
                    composer.exactly_of_tokens,
                    tokens = &tokens,
                    context = &context,
                    colon = &colon,
                    warning = &warning
                ),
                None => t!(
                    composer.about_of_tokens,
                    tokens = &tokens,
                    context = &context,
                    colon = &colon,
                    warning = &warning
                ),
            }
        }
        None => unloaded_words(stores, tokens),
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
