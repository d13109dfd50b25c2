//! Descriptions of the policies.

use crate::ui::parts::{grouped, plural};
use leptos::prelude::*;
use sash_chat::{Policy, Role};
use sash_state::Stores;

/// What a policy sends, and what that costs.
pub fn policy_words(stores: Stores, policy: Policy) -> String {
    let slides = |what: String| format!("{what}; the model processes all of them each time.");
    match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            "The question alone.".to_owned()
        }
        Policy::Messages(1) => slides("The last message before the question".to_owned()),
        Policy::Messages(n) => slides(format!(
            "The last {} before the question",
            plural(n as usize, "message")
        )),
        Policy::Exchanges(1) => slides("The last question with its answer".to_owned()),
        Policy::Exchanges(n) => slides(format!(
            "The last {} with their answers",
            plural(n as usize, "question")
        )),
        Policy::Steady { keep, grow_to } => format!(
            "Grows to {}, then is cut to {keep} and grows again. Little is processed again.",
            plural(grow_to as usize, "message")
        ),
        Policy::Tokens(n) => slides(format!(
            "As many whole exchanges as fit into {}",
            plural(n as usize, "token")
        )),
        Policy::Fits => {
            let (context, known) = stores.steering.reckoned_context();
            let guess = match known {
                true => "",
                false => " (reckoned with until the model is loaded)",
            };
            format!(
                "Grows until the model’s {} tokens{guess} are full, with room for an answer; then the older half stays behind. Little is processed again.",
                grouped(context)
            )
        }
        Policy::Everything => {
            "All messages. When they no longer fit, you are asked what to leave out.".to_owned()
        }
    }
}

/// The length of the shown branch in words.
pub fn branch_words(stores: Stores) -> String {
    let ids = stores.chats.path.get();
    let exchanges = stores.chats.open.with(|chat| {
        let asks = |at: usize| chat.get(ids[at]).is_some_and(|m| m.role == Role::User);
        let starts = (0..ids.len()).filter(|at| asks(*at) && (*at == 0 || !asks(at - 1)));
        starts.count()
    });
    format!(
        "This chat has {}, {}.",
        plural(ids.len(), "message"),
        plural(exchanges, "exchange")
    )
}
