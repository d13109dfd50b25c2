//! Room for what is recalled, before the window grows: a chat whose questions recall earlier messages fits its model
//! as long as one that recalls nothing.

use sash_chat::window::{
    ContextFit, Estimate, ModelProfile, Parts, PromptTurn, Size, Window, left_for_recall,
    recall_within, select, turns,
};
use sash_chat::{Chat, Head, Id, Message, Policy, RecalledBlock, Role, Summary};

const CONTEXT: u64 = 2_048;
const TURNS: u32 = 30;
const STEADY: Policy = Policy::Steady {
    keep: 4,
    grow_to: 12,
};

fn tokens(text: &str) -> u64 {
    Estimate::default().part(Size::of(text))
}

/// A block of at most so many tokens; none where that is too little for one.
fn block(most: u64) -> Option<RecalledBlock> {
    let mut text = String::new();
    while tokens(&text) + 12 < most {
        text += "some words that were said before ";
    }
    (!text.is_empty()).then(|| RecalledBlock {
        text,
        ..RecalledBlock::default()
    })
}

/// How messages are recalled.
#[derive(Clone, Copy, Debug)]
enum Recalls {
    Nothing,
    /// By itself, for all prompts but each fourth one.
    ByItself,
    /// The person accepted what was suggested.
    Accepted,
}

/// The messages that went with each of 30 prompts. With every prompt, the request of that prompt fits.
fn messages_sent(policy: Policy, recalls: Recalls, answer_words: usize) -> Vec<usize> {
    let mut chat = Chat::new(Head::new(Id(9_999), 0));
    chat.head.settings.policy = policy;
    talk(&mut chat, recalls, answer_words, TURNS)
}

fn talk(chat: &mut Chat, recalls: Recalls, answer_words: usize, turns_asked: u32) -> Vec<usize> {
    let policy = chat.head.settings.policy;
    let wanted = match policy {
        Policy::Steady { .. } | Policy::Fits => recall_within(512, CONTEXT),
        _ => 512,
    };
    let mut sent = Vec::new();
    for n in 0..turns_asked {
        let text = format!("Question {n}: {}", "word ".repeat(20));
        let accepted = matches!(recalls, Recalls::Accepted)
            .then(|| block(wanted))
            .flatten();
        let included = accepted.as_ref().map_or(0, |block| tokens(&block.text));
        let profile = ModelProfile {
            context: Some(CONTEXT),
            recall: match recalls {
                Recalls::ByItself => wanted,
                _ => 0,
            },
            ..ModelProfile::default()
        };
        let window = select(
            &chat.path(),
            &chat.head,
            profile.before(&text, included),
            Parts::summary_of(&chat.head),
        );
        let recalled = match recalls {
            Recalls::Nothing => None,
            Recalls::Accepted => accepted,
            Recalls::ByItself if n % 4 == 3 => None,
            Recalls::ByItself => {
                let left = left_for_recall(&window, &text, Estimate::default(), Some(CONTEXT));
                block(wanted.min(left))
            }
        };
        let window = window.quoting(recalled.clone());
        let total = request_tokens(chat, &window, &text);
        assert_ne!(
            ContextFit::of(total, Some(CONTEXT)),
            ContextFit::Over,
            "{policy:?}, {recalls:?}: {total} tokens at turn {n}"
        );
        sent.push(window.messages());
        let answer = format!("Answer {n}: {}", "word ".repeat(answer_words));
        for (role, content) in [(Role::User, text), (Role::Assistant, answer)] {
            let (parent, seq) = (chat.leaf(), chat.next_seq());
            chat.insert(Message {
                content,
                recalled: (role == Role::User).then(|| recalled.clone()).flatten(),
                ..Message::new(Id(seq.into()), parent, seq, role, 0)
            });
        }
    }
    sent
}

/// The tokens of the request as it is sent, counted from its messages.
fn request_tokens(chat: &Chat, window: &Window, text: &str) -> u64 {
    let prompt = PromptTurn {
        text,
        ..PromptTurn::default()
    };
    let system = chat.head.system_with(window.summary).unwrap_or_default();
    let sent = turns(chat, window, prompt);
    let said = sent.iter().map(|turn| tokens(&turn.content)).sum::<u64>();
    // The number that is shown before sending is that of the request.
    let shown = Estimate::default().whole(window.size_with(text));
    let counted = said + tokens(&system);
    assert!(
        shown.abs_diff(counted) <= 8 + sent.len() as u64,
        "{shown} shown, {counted} sent"
    );
    shown
}

/// Once the window grew to twelve messages whatever their questions had recalled, and the prompt did not fit any more.
#[test]
fn a_window_that_grows_keeps_room_for_what_is_recalled() {
    for recalls in [Recalls::ByItself, Recalls::Accepted] {
        for words in [20, 60, 100] {
            let sent = messages_sent(STEADY, recalls, words);
            let later = &sent[4..];
            assert!(
                later.iter().all(|n| *n >= 2),
                "{recalls:?}, {words}: {sent:?}"
            );
        }
    }
}

#[test]
fn a_window_that_grows_is_as_before_where_nothing_is_recalled() {
    let sent = messages_sent(STEADY, Recalls::Nothing, 60);
    assert_eq!(sent[..9], [0, 2, 4, 6, 8, 10, 12, 4, 6]);
}

#[test]
fn a_budget_of_tokens_leaves_room_for_what_is_recalled() {
    for recalls in [Recalls::ByItself, Recalls::Accepted] {
        for budget in [500, 1_500, 100_000] {
            messages_sent(Policy::Tokens(budget), recalls, 60);
        }
    }
}

/// The window was once bounded by a context of 4,096 tokens that was only assumed.
#[test]
fn a_context_that_is_not_known_bounds_no_window_but_what_fits() {
    for (policy, is_whole) in [
        (
            Policy::Steady {
                keep: 20,
                grow_to: 64,
            },
            true,
        ),
        (Policy::Tokens(20_000), true),
        (Policy::Fits, false),
    ] {
        let mut chat = Chat::new(Head::new(Id(9_999), 0));
        chat.head.settings.policy = policy;
        for n in 0..60u32 {
            let role = [Role::User, Role::Assistant][(n % 2) as usize];
            let parent = chat.leaf();
            chat.insert(Message {
                content: "word ".repeat(120),
                recalled: (n == 0).then(|| block(300)).flatten(),
                ..Message::new(Id(n.into()), parent, n, role, 0)
            });
        }
        for recall in [0, 512] {
            let profile = ModelProfile {
                recall,
                ..ModelProfile::default()
            };
            let window = select(
                &chat.path(),
                &chat.head,
                profile.before("And now?", 0),
                Parts::summary_of(&chat.head),
            );
            assert_eq!(window.messages() == 60, is_whole, "{policy:?}, {recall}");
        }
    }
}

/// Of everything nothing is cut: what is recalled gives way, and the chat fits as long as one that recalls nothing.
#[test]
fn what_is_recalled_beside_everything_takes_what_is_left() {
    let mut chat = Chat::new(Head::new(Id(9_999), 0));
    chat.head.settings.policy = Policy::Everything;
    let sent = talk(&mut chat, Recalls::ByItself, 20, 8);
    assert_eq!(sent.last(), Some(&14));
}

#[test]
fn what_is_recalled_beside_a_number_of_messages_takes_what_is_left() {
    for policy in [
        Policy::Messages(3),
        Policy::Exchanges(3),
        Policy::Messages(6),
    ] {
        messages_sent(policy, Recalls::ByItself, 20);
    }
}

#[test]
fn the_summary_is_reckoned_with_what_is_recalled() {
    for (policy, recalls) in [
        (STEADY, Recalls::ByItself),
        (STEADY, Recalls::Accepted),
        (Policy::Tokens(1_500), Recalls::ByItself),
        (Policy::Fits, Recalls::ByItself),
    ] {
        let mut chat = Chat::new(Head::new(Id(9_999), 0));
        chat.head.settings.policy = policy;
        talk(&mut chat, recalls, 40, 8);
        let through = chat.path()[3].id;
        chat.head.settings.summary = Some(1);
        chat.head.summaries.push(Summary {
            number: 1,
            text: "They talked of this and that. ".repeat(30),
            from: Id(0),
            through,
            count: 4,
            model: None,
            prompt_tokens: None,
            answer_tokens: None,
            created: 0,
            edited: false,
            cut_off: false,
        });
        talk(&mut chat, recalls, 40, TURNS);
    }
}
