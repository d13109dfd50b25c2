//! Policies in words, in the forms that the page and its files use.

use crate::{Policy, grouped, plural};

/// The name of a policy's kind, where its number stands beside it.
#[must_use]
pub fn policy_kind(policy: Policy) -> &'static str {
    match policy {
        Policy::Messages(_) => "Last messages",
        Policy::Exchanges(_) => "Last exchanges",
        Policy::Steady { .. } => "Grow, then trim",
        Policy::Tokens(_) => "Tokens",
        Policy::Fits => "As much as fits",
        Policy::Everything => "Everything",
    }
}

/// The name of a policy with its number.
#[must_use]
pub fn policy_name(policy: Policy) -> String {
    match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            "The question alone".to_owned()
        }
        Policy::Messages(n) => format!("Last {}", last(n, "message")),
        Policy::Exchanges(n) => format!("Last {}", last(n, "exchange")),
        Policy::Tokens(n) => format!("At most {}", plural(n as usize, "token")),
        Policy::Steady { .. } | Policy::Fits | Policy::Everything => policy_kind(policy).to_owned(),
    }
}

/// What a policy sends, in a few words that follow a verb.
#[must_use]
pub fn policy_short_phrase(policy: Policy) -> String {
    match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            "each question alone".to_owned()
        }
        Policy::Messages(n) => format!("the last {}", last(n, "message")),
        Policy::Exchanges(n) => format!("the last {}", last(n, "exchange")),
        Policy::Steady { grow_to, .. } => format!("up to {}", plural(grow_to as usize, "message")),
        Policy::Tokens(n) => format!("up to {}", plural(n as usize, "token")),
        Policy::Fits => "everything that fits".to_owned(),
        Policy::Everything => "the whole conversation".to_owned(),
    }
}

/// What a policy sends with a prompt, as a phrase after a colon; "it" is the prompt.
#[must_use]
pub fn policy_phrase(policy: Policy) -> String {
    let short = policy_short_phrase(policy);
    match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            "none of the messages before it".to_owned()
        }
        Policy::Messages(_) | Policy::Exchanges(_) => format!("{short} before it"),
        Policy::Steady { keep, .. } => {
            format!(
                "{short}, then cut to {} at a question",
                grouped(keep.into())
            )
        }
        Policy::Tokens(n) => {
            format!(
                "as many whole exchanges as fit into {}",
                plural(n as usize, "token")
            )
        }
        Policy::Fits => format!("{short} into its context, with room for an answer"),
        Policy::Everything => short,
    }
}

/// The policy of an answer that read `sent` messages with its question, as [`policy_phrase`]. Where messages were
/// chosen one by one, the receipt says that the policy sends none.
#[must_use]
pub fn receipt_policy_phrase(policy: Policy, sent: usize) -> String {
    match policy {
        Policy::Messages(0) if sent > 1 => "messages chosen one by one".to_owned(),
        policy => policy_phrase(policy),
    }
}

/// What a policy sends, and what that costs, in sentences. `context` is the context length that [`Policy::Fits`]
/// assumes, in tokens, and whether it is known.
#[must_use]
pub fn policy_sentence(policy: Policy, context: (u64, bool)) -> String {
    let slides = |what: String| format!("{what}; the model processes all of them each time.");
    match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            "The question alone.".to_owned()
        }
        Policy::Messages(n) => slides(format!(
            "The last {} before the question",
            last(n, "message")
        )),
        Policy::Exchanges(1) => slides("The last question with its answer".to_owned()),
        Policy::Exchanges(n) => slides(format!(
            "The last {} with their answers",
            last(n, "question")
        )),
        Policy::Steady { keep, grow_to } => format!(
            "Grows to {}, then is cut to {} and grows again. Little is processed again.",
            plural(grow_to as usize, "message"),
            grouped(keep.into())
        ),
        Policy::Tokens(n) => slides(format!(
            "As many whole exchanges as fit into {}",
            plural(n as usize, "token")
        )),
        Policy::Fits => {
            let (tokens, known) = context;
            let guess = match known {
                true => "",
                false => " (reckoned with until the model is loaded)",
            };
            format!(
                "Grows until the model’s {} tokens{guess} are full, with room for an answer; then the older half stays behind. Little is processed again.",
                grouped(tokens)
            )
        }
        Policy::Everything => {
            "All messages. When they no longer fit, you are asked what to leave out.".to_owned()
        }
    }
}

/// So many of the last, without the number one: `message`, `3 messages`.
fn last(n: u32, word: &str) -> String {
    match n {
        1 => word.to_owned(),
        n => plural(n as usize, word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_policy_has_its_words_in_every_form() {
        let steady = Policy::Steady {
            keep: 4,
            grow_to: 12,
        };
        let all = [
            (
                Policy::Messages(0),
                "Last messages",
                "The question alone",
                "each question alone",
                "none of the messages before it",
                "The question alone.",
            ),
            (
                Policy::Messages(1),
                "Last messages",
                "Last message",
                "the last message",
                "the last message before it",
                "The last message before the question; the model processes all of them each time.",
            ),
            (
                Policy::Messages(3),
                "Last messages",
                "Last 3 messages",
                "the last 3 messages",
                "the last 3 messages before it",
                "The last 3 messages before the question; the model processes all of them each time.",
            ),
            (
                Policy::Exchanges(0),
                "Last exchanges",
                "The question alone",
                "each question alone",
                "none of the messages before it",
                "The question alone.",
            ),
            (
                Policy::Exchanges(1),
                "Last exchanges",
                "Last exchange",
                "the last exchange",
                "the last exchange before it",
                "The last question with its answer; the model processes all of them each time.",
            ),
            (
                Policy::Exchanges(5),
                "Last exchanges",
                "Last 5 exchanges",
                "the last 5 exchanges",
                "the last 5 exchanges before it",
                "The last 5 questions with their answers; the model processes all of them each time.",
            ),
            (
                steady,
                "Grow, then trim",
                "Grow, then trim",
                "up to 12 messages",
                "up to 12 messages, then cut to 4 at a question",
                "Grows to 12 messages, then is cut to 4 and grows again. Little is processed again.",
            ),
            (
                Policy::Tokens(0),
                "Tokens",
                "The question alone",
                "each question alone",
                "none of the messages before it",
                "The question alone.",
            ),
            (
                Policy::Tokens(2_000),
                "Tokens",
                "At most 2,000 tokens",
                "up to 2,000 tokens",
                "as many whole exchanges as fit into 2,000 tokens",
                "As many whole exchanges as fit into 2,000 tokens; the model processes all of them each time.",
            ),
            (
                Policy::Fits,
                "As much as fits",
                "As much as fits",
                "everything that fits",
                "everything that fits into its context, with room for an answer",
                "Grows until the model’s 4,096 tokens are full, with room for an answer; then the older half stays behind. Little is processed again.",
            ),
            (
                Policy::Everything,
                "Everything",
                "Everything",
                "the whole conversation",
                "the whole conversation",
                "All messages. When they no longer fit, you are asked what to leave out.",
            ),
        ];
        for (policy, kind, name, short, phrase, sentence) in all {
            assert_eq!(policy_kind(policy), kind);
            assert_eq!(policy_name(policy), name);
            assert_eq!(policy_short_phrase(policy), short);
            assert_eq!(policy_phrase(policy), phrase);
            assert_eq!(policy_sentence(policy, (4_096, true)), sentence);
        }
    }

    #[test]
    fn a_context_that_is_not_known_is_said_to_be_reckoned_with() {
        assert!(
            policy_sentence(Policy::Fits, (4_096, false))
                .contains("4,096 tokens (reckoned with until the model is loaded) are full")
        );
    }

    #[test]
    fn an_answer_that_read_messages_by_no_policy_says_so() {
        for (policy, sent, phrase) in [
            (Policy::Messages(0), 1, "none of the messages before it"),
            (Policy::Messages(0), 3, "messages chosen one by one"),
            (Policy::Messages(2), 3, "the last 2 messages before it"),
        ] {
            assert_eq!(receipt_policy_phrase(policy, sent), phrase);
        }
    }
}
