//! The summary of what goes with the next prompt.

use crate::ui::attachments::image_words;
use crate::ui::panel::fit_words;
use crate::ui::parts::{grouped, plural};
use leptos::prelude::*;
use sash_chat::Policy;
use sash_state::Stores;

/// "Sends 3 of 42 messages · about 512 of 4,096 tokens", and what is to be said of images.
pub fn window_words(stores: Stores) -> String {
    let count = stores.attachments.count.get();
    let images = stores
        .steering
        .model
        .with(|model| image_words(count, model.as_ref().map(|model| model.name.as_str())));
    text_words(stores) + &images
}

fn text_words(stores: Stores) -> String {
    let (all, sent, before) = stores.steering.window.with(|window| {
        let before = usize::from(window.question_before().is_some());
        (window.branch_messages(), window.messages() - before, before)
    });
    let (fit, tokens) = stores.steering.fit.get();
    if all == 0 {
        let begins = rule_words(stores.chats.open.with(|chat| chat.head.policy));
        return match stores.drafts.draft.with(|draft| draft.trim().is_empty()) {
            true => begins,
            false => format!("{begins} · about {}", plural(tokens as usize, "token")),
        };
    }
    let mut messages = format!(
        "Sends {} of {}",
        grouped(sent as u64),
        plural(all, "message")
    );
    if before > 0 {
        messages += " and the question before";
    }
    match stores.steering.context.get() {
        Some(context) => {
            let (_, warning) = fit_words(fit);
            let dot = if warning.is_empty() { "" } else { " · " };
            format!(
                "{messages} · about {} of {} tokens{dot}{warning}",
                grouped(tokens),
                grouped(context)
            )
        }
        None => format!("{messages} · about {}", plural(tokens as usize, "token")),
    }
}

/// What a policy will send, while the chat is empty.
fn rule_words(policy: Policy) -> String {
    let what = match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            return "Sends each question alone".to_owned();
        }
        Policy::Messages(1) => "the last message".to_owned(),
        Policy::Messages(n) => format!("the last {}", plural(n as usize, "message")),
        Policy::Exchanges(1) => "the last exchange".to_owned(),
        Policy::Exchanges(n) => format!("the last {}", plural(n as usize, "exchange")),
        Policy::Steady { grow_to, .. } => format!("up to {}", plural(grow_to as usize, "message")),
        Policy::Tokens(n) => format!("up to {}", plural(n as usize, "token")),
        Policy::Fits => "everything that fits".to_owned(),
        Policy::Everything => "the whole chat".to_owned(),
    };
    format!("Sends {what} with each question")
}
