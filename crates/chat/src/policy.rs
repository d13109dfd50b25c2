//! Which messages before the prompt go to the model. Data only; `window::select` applies it.

use serde::{Deserialize, Serialize};

/// A rule for the window. It belongs to the chat. Pins, mutes and the system prompt are outside its
/// count, and nought means none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The last so many messages before the prompt.
    Messages(u32),
    /// The last so many exchanges before the prompt: whole, each a question with its answer.
    Exchanges(u32),
    /// Grows to so many messages, then is cut to few at a whole exchange and grows again. The model
    /// reads far less anew than with a window that slides at each prompt.
    Steady {
        /// At most so many messages are left by a cut.
        keep: u32,
        /// At most so many messages are sent.
        grow_to: u32,
    },
    /// As many whole exchanges as fit into so many tokens.
    Tokens(u32),
    /// As many whole exchanges as fit into the context the model has, with room for the prompt and an answer.
    /// Grows until that is full, then is cut to half of it at a whole exchange and grows again.
    Fits,
    /// All messages of the branch.
    Everything,
}

impl Default for Policy {
    fn default() -> Self {
        Policy::Messages(3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_policy_is_read_as_it_was_written() {
        let steady = Policy::Steady {
            keep: 4,
            grow_to: 12,
        };
        let all = [
            (Policy::Messages(3), r#"{"messages":3}"#),
            (Policy::Exchanges(5), r#"{"exchanges":5}"#),
            (steady, r#"{"steady":{"keep":4,"grow_to":12}}"#),
            (Policy::Tokens(2048), r#"{"tokens":2048}"#),
            (Policy::Fits, r#""fits""#),
            (Policy::Everything, r#""everything""#),
        ];
        for (policy, text) in all {
            assert_eq!(serde_json::to_string(&policy).unwrap(), text);
            assert_eq!(serde_json::from_str::<Policy>(text).unwrap(), policy);
        }
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        for text in [
            r#""all""#,
            "3",
            r#"{"messages":-1}"#,
            r#"{"steady":{"keep":4}}"#,
            "null",
        ] {
            assert!(serde_json::from_str::<Policy>(text).is_err(), "{text}");
        }
    }
}
