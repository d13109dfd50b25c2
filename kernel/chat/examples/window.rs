//! Shows which messages of a chat go with the next prompt, and the turns of the request that is sent.
//!
//! `cargo run -p sash-chat --example window`

use sash_chat::window::{Estimate, Parts, PromptTurn, select, turns};
use sash_chat::{Chat, Head, Id, Message, Policy, Role};

fn main() {
    let mut head = Head::new(Id(1), 0);
    head.settings.policy = Policy::Messages(3);
    head.set_system("Answer in one sentence.");
    // A pinned message is always sent, whatever the policy says.
    head.pin(Id(2), true);

    let said = [
        "My cat is called Ada.",
        "A fine name.",
        "What do cats eat?",
        "Mostly meat.",
        "And how long do they sleep?",
        "Some fifteen hours a day.",
    ];
    let mut chat = Chat::new(head.clone());
    for (n, words) in (1..).zip(said) {
        let role = if n % 2 == 1 {
            Role::User
        } else {
            Role::Assistant
        };
        let parent = (n > 1).then_some(Id(u64::from(n)));
        let mut message = Message::new(Id(u64::from(n) + 1), parent, n, role, 0);
        words.clone_into(&mut message.content);
        chat.insert(message);
    }

    let branch = chat.path();
    let window = select(
        &branch,
        &head,
        Estimate::default(),
        Parts::summary_of(&head),
    );
    for message in &branch {
        let mark = if window.contains(message.id) {
            "│"
        } else {
            " "
        };
        println!("{mark} {}: {}", message.role.as_str(), message.content);
    }
    println!(
        "\n{} of {} messages go with the next prompt:",
        window.ids().len(),
        branch.len()
    );
    let prompt = PromptTurn {
        text: "Does Ada sleep that long?",
        ..PromptTurn::default()
    };
    for turn in turns(&chat, &window, prompt) {
        println!("  {}: {}", turn.role.as_str(), turn.content);
    }
}
