//! The rule that chooses which messages go with a prompt. Data only; `window::select` applies it.

use serde::{Deserialize, Serialize};

/// A rule for the window of one chat. It does not count pins, mutes and the system prompt; zero means no
/// messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The last `n` messages before the prompt.
    Messages(u32),
    /// The last `n` whole exchanges (a question and its answer) before the prompt.
    Exchanges(u32),
    /// The window grows up to `grow_to` messages, then it is cut to `keep` at the start of an exchange and
    /// grows again. The model reads far fewer new tokens than with a window that slides at each prompt. It is cut earlier
    /// where recalled texts leave no room in a known context.
    Steady {
        /// The most messages that a cut leaves.
        keep: u32,
        /// The most messages that are sent.
        grow_to: u32,
    },
    /// As many whole exchanges as fit into `n` tokens, and into a known context where something is recalled.
    Tokens(u32),
    /// As many whole exchanges as fit into the model's context, with room for the prompt and an answer. The
    /// window grows until the context is full, then it is cut to half of it at the start of an exchange and
    /// grows again.
    Fits,
    /// All messages of the branch.
    Everything,
}

impl Policy {
    /// Whether the window grows and is then cut. What is recalled stays with its question, so it takes a share of the room
    /// that the window has to grow.
    #[must_use]
    pub fn grows(self) -> bool {
        matches!(self, Self::Fits | Self::Steady { .. })
    }

    /// Whether the window depends on the room in the model's context: [`Self::Fits`] fills it, and those that are full by
    /// messages or tokens leave what is recalled its part of it.
    #[must_use]
    pub fn uses_room(self) -> bool {
        match self {
            Self::Fits | Self::Steady { .. } | Self::Tokens(_) => true,
            Self::Messages(_) | Self::Exchanges(_) | Self::Everything => false,
        }
    }
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
