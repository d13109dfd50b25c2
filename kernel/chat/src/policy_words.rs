//! Policies in words, in the forms that the page and its files use.

use crate::Policy;
use sash_words::{
    count::{self, grouped},
    t,
};

/// The name of a policy's kind, where its number stands beside it.
#[must_use]
pub fn policy_kind(policy: Policy) -> &'static str {
    match policy {
        Policy::Messages(_) => t!(chat.kind_messages),
        Policy::Exchanges(_) => t!(chat.kind_exchanges),
        Policy::Steady { .. } => t!(chat.kind_steady),
        Policy::Tokens(_) => t!(chat.kind_tokens),
        Policy::Fits => t!(chat.kind_fits),
        Policy::Everything => t!(chat.kind_everything),
    }
}

/// The name of a policy with its number.
#[must_use]
pub fn policy_name(policy: Policy) -> String {
    match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            t!(chat.name_alone).to_owned()
        }
        Policy::Messages(n) => t!(chat.name_messages, count = n, number = grouped(n.into())),
        Policy::Exchanges(n) => t!(chat.name_exchanges, count = n, number = grouped(n.into())),
        Policy::Tokens(n) => t!(chat.name_tokens, tokens = count::tokens(n as usize)),
        Policy::Steady { .. } | Policy::Fits | Policy::Everything => policy_kind(policy).to_owned(),
    }
}

/// What a policy sends, in a few words that follow a verb.
#[must_use]
pub fn policy_short_phrase(policy: Policy) -> String {
    match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            t!(chat.short_alone).to_owned()
        }
        Policy::Messages(n) => t!(chat.short_messages, count = n, number = grouped(n.into())),
        Policy::Exchanges(n) => t!(chat.short_exchanges, count = n, number = grouped(n.into())),
        Policy::Steady { grow_to, .. } => {
            t!(chat.short_up_to, what = count::messages(grow_to as usize))
        }
        Policy::Tokens(n) => t!(chat.short_up_to, what = count::tokens(n as usize)),
        Policy::Fits => t!(chat.short_fits).to_owned(),
        Policy::Everything => t!(chat.short_everything).to_owned(),
    }
}

/// What a policy sends with a prompt, as a phrase after a colon; "it" is the prompt.
#[must_use]
pub fn policy_phrase(policy: Policy) -> String {
    let short = policy_short_phrase(policy);
    match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            t!(chat.phrase_alone).to_owned()
        }
        Policy::Messages(_) | Policy::Exchanges(_) => t!(chat.phrase_before_prompt, short = &short),
        Policy::Steady { keep, .. } => {
            t!(
                chat.phrase_steady,
                short = &short,
                number = grouped(keep.into())
            )
        }
        Policy::Tokens(n) => {
            t!(chat.phrase_tokens, tokens = count::tokens(n as usize))
        }
        Policy::Fits => t!(chat.phrase_fits, short = &short),
        Policy::Everything => short,
    }
}

/// The policy of an answer that read `sent` messages with its question, as [`policy_phrase`]. Where messages were
/// chosen one by one, the receipt says that the policy sends none.
#[must_use]
pub fn receipt_policy_phrase(policy: Policy, sent: usize) -> String {
    match policy {
        Policy::Messages(0) if sent > 1 => t!(chat.phrase_chosen_singly).to_owned(),
        policy => policy_phrase(policy),
    }
}

/// What a policy sends, and what that costs, in sentences. `context` is the context length that [`Policy::Fits`]
/// assumes, in tokens, and whether it is known. Where messages are recalled, those that keep room for them say so.
#[must_use]
pub fn policy_sentence(policy: Policy, context: (u64, bool), recalls: bool) -> String {
    let sentence = sentence_of(policy, context);
    let keeps_room = matches!(
        policy,
        Policy::Steady { grow_to: 1.., .. } | Policy::Tokens(1..)
    );
    match recalls && keeps_room {
        true => format!("{sentence} {}", t!(chat.sentence_recall_room)),
        false => sentence,
    }
}

fn sentence_of(policy: Policy, context: (u64, bool)) -> String {
    let slides = |what: String| t!(chat.sentence_read_anew, what = &what);
    match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            t!(chat.sentence_alone).to_owned()
        }
        Policy::Messages(n) => slides(t!(
            chat.sentence_messages,
            count = n,
            number = grouped(n.into())
        )),
        Policy::Exchanges(n) => slides(t!(
            chat.sentence_exchanges,
            count = n,
            number = grouped(n.into())
        )),
        Policy::Steady { keep, grow_to } => t!(
            chat.sentence_steady,
            messages = count::messages(grow_to as usize),
            number = grouped(keep.into())
        ),
        Policy::Tokens(n) => slides(t!(chat.sentence_tokens, tokens = count::tokens(n as usize))),
        Policy::Fits => {
            let (tokens, known) = context;
            let guess = match known {
                true => "",
                false => t!(chat.context_assumed),
            };
            t!(chat.sentence_fits, tokens = grouped(tokens), guess = &guess)
        }
        Policy::Everything => t!(chat.sentence_everything).to_owned(),
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
                "up to 12 messages, then drops to 4 (starting at a question)",
                "Keeps up to 12 messages, then drops to 4. Most of the prompt stays cached.",
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
                "Keeps everything that fits the model’s 4,096 tokens with room for an answer, then drops the older half. Most of the prompt stays cached.",
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
            assert_eq!(policy_sentence(policy, (4_096, true), false), sentence);
        }
    }

    #[test]
    fn a_context_that_is_not_known_is_said_to_be_reckoned_with() {
        assert!(
            policy_sentence(Policy::Fits, (4_096, false), true)
                .contains("4,096 tokens (assumed until the model is loaded) with room")
        );
    }

    #[test]
    fn rules_that_keep_room_for_recalled_messages_say_so() {
        let steady = Policy::Steady {
            keep: 4,
            grow_to: 12,
        };
        for (policy, says) in [
            (steady, true),
            (Policy::Tokens(2_000), true),
            (Policy::Tokens(0), false),
            (Policy::Messages(3), false),
            (Policy::Fits, false),
            (Policy::Everything, false),
        ] {
            let sentence = |recalls| policy_sentence(policy, (4_096, true), recalls);
            let added = "Fewer if recalled messages need the room.";
            assert_eq!(sentence(true).ends_with(added), says, "{policy:?}");
            assert!(!sentence(false).contains(added), "{policy:?}");
        }
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
