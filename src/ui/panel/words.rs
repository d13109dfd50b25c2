//! Rules and roles in words.

use crate::ui::composer::plural;
use sash_chat::{Policy, Role};

/// What a rule sends, to stand behind a colon.
pub fn policy_words(policy: Policy) -> String {
    let last = |n: u32, what: &str| match n {
        0 => "none of the messages before it".to_owned(),
        1 => format!("the last {what} before it"),
        n => format!("the last {} before it", plural(n as usize, what)),
    };
    match policy {
        Policy::Messages(n) => last(n, "message"),
        Policy::Exchanges(n) => last(n, "exchange"),
        Policy::Steady { keep, grow_to } => {
            format!("up to {grow_to} messages, then cut to {keep} at a question")
        }
        Policy::Tokens(n) => format!(
            "as many whole exchanges as fit into {}",
            plural(n as usize, "token")
        ),
        Policy::Fits => "everything that fits into its context, with room for an answer".to_owned(),
        Policy::Everything => "the whole conversation".to_owned(),
    }
}

/// Who speaks.
pub fn role_words(role: Role) -> &'static str {
    match role {
        Role::System => "System",
        Role::User => "You",
        Role::Assistant => "Answer",
        Role::Tool => "Tool",
    }
}
