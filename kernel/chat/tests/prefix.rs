//! Prompts that begin with other bytes than the one before: an engine's prompt cache holds what is the same.

use sash_chat::window::{
    Estimate, ModelProfile, Parts, PromptTurn, Size, recall_within, select, turns,
};
use sash_chat::{Chat, Head, Id, Message, Policy, RecalledBlock, Role};

const PROMPTS: u32 = 100;

/// The tokens that a text has by estimate.
fn tokens(text: &str) -> u64 {
    Estimate::default().part(Size::of(text))
}

/// How many of [`PROMPTS`] do not begin with the whole prompt before, in a context of so many tokens. For three prompts
/// of four as many tokens are recalled as may be.
fn breaks(context: u64, recall: u64) -> (u32, u64) {
    let mut chat = Chat::new(Head::new(Id(9_999), 0));
    chat.head.settings.policy = Policy::Fits;
    let (mut before, mut breaks, mut sent) = (String::new(), 0, 0);
    for n in 0..PROMPTS {
        let text = format!("Question {n}: {}", "word ".repeat(20));
        let profile = ModelProfile {
            context: Some(context),
            recall,
            ..ModelProfile::default()
        };
        let profile = profile.before(&text, 0);
        let window = select(
            &chat.path(),
            &chat.head,
            profile,
            Parts::summary_of(&chat.head),
        );
        let recalled = (recall > 0 && n % 4 > 0).then(|| {
            let mut text = String::new();
            while tokens(&text) + 6 < recall {
                text += "some words that were said ";
            }
            RecalledBlock {
                text,
                ..RecalledBlock::default()
            }
        });
        let prompt = PromptTurn {
            text: &text,
            ..PromptTurn::default()
        };
        let window = window.quoting(recalled.clone());
        let turns = turns(&chat, &window, prompt);
        let request: String = turns
            .iter()
            .map(|turn| format!("<{}>", turn.content))
            .collect();
        assert!(
            tokens(&request) < context,
            "{} of {context}",
            tokens(&request)
        );
        breaks += u32::from(!request.starts_with(&before));
        sent += window.messages() as u64;
        before = request;
        let answer = format!("Answer {n}: {}", "word ".repeat(60));
        for (role, content) in [(Role::User, text), (Role::Assistant, answer)] {
            let parent = chat.leaf();
            let seq = chat.next_seq();
            chat.insert(Message {
                content,
                recalled: (role == Role::User).then(|| recalled.clone()).flatten(),
                ..Message::new(Id(seq.into()), parent, seq, role, 0)
            });
        }
    }
    (breaks, sent / u64::from(PROMPTS))
}

/// Once the room for what a prompt may recall was kept for the prompt of today alone: it was counted where the window had
/// been cut before, so the cuts were others at each prompt, and three of four prompts began with other bytes. In 4,096 tokens
/// what 75 recalls of 512 tokens add fills the window some 24 times.
#[test]
fn what_is_recalled_does_not_cut_the_window_at_each_prompt() {
    for (context, most) in [(1_000, 38), (4_096, 25)] {
        let recall = recall_within(512, context);
        let ((without, _), (with, window)) = (breaks(context, 0), breaks(context, recall));
        println!("{context}: {without} without, {with} with recall, {window} messages");
        assert!(
            with <= most,
            "{with} cuts of {PROMPTS} prompts in {context} tokens"
        );
        assert!(window >= 2, "{window} messages");
    }
}
