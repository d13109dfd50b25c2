//! Random chats with calls of tools, deleted, pinned, muted and cleared messages, under every policy: no request has a
//! call without its question and its result, or a result without its call, and no count has one in it.

use sash_chat::window::{FirstMessageRule, ModelProfile, Parts, PromptTurn, Turn, select, turns};
use sash_chat::{Chat, Head, Id, Message, Policy, Role, ToolCall};
use serde_json::{Value, json};

const CHATS: u64 = 4_000;

/// Random numbers, the same in each run (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }
}

fn random_chat(dice: &mut Dice) -> Chat {
    let mut chat = Chat::new(Head::new(Id(999), 0));
    let mut open = 0_u64;
    for id in 1..=dice.roll(20) {
        let (role, calls) = match dice.roll(10) {
            0..=6 if open > 0 => (Role::Tool, 0),
            0 | 1 => (Role::User, 0),
            2 | 3 => (Role::Assistant, 0),
            4..=7 => (Role::Assistant, 1 + dice.roll(2)),
            // A result too many, or of nothing.
            _ => (Role::Tool, 0),
        };
        open = match role {
            Role::Tool => open.saturating_sub(1),
            _ => calls,
        };
        let named = dice.roll(2) == 0;
        let call = |n: u64| match named {
            true => json!({"id": format!("c{n}"), "function": {"name": "f"}}),
            false => json!({"function": {"name": "f"}}),
        };
        let text = match (role, dice.roll(3)) {
            (Role::Assistant, 0) => String::new(),
            _ => format!("m{id}"),
        };
        let parent = (id > 1).then(|| Id(id - 1));
        chat.insert(Message {
            content: text,
            tool_calls: (calls > 0).then(|| Value::Array((0..calls).map(call).collect())),
            tool_call_id: (role == Role::Tool && dice.roll(2) == 0)
                .then(|| format!("c{}", dice.roll(3))),
            ..Message::new(Id(id), parent, id as u32, role, 0)
        });
    }
    for _ in 0..dice.roll(4) {
        chat.remove(Id(1 + dice.roll(20)), true);
    }
    for _ in 0..dice.roll(3) {
        chat.head.pin(Id(1 + dice.roll(20)), true);
        chat.head.mute(Id(1 + dice.roll(20)), true);
    }
    if dice.roll(4) == 0 {
        chat.head.settings.cleared.push(Id(1 + dice.roll(20)));
    }
    chat
}

fn random_policy(dice: &mut Dice) -> Policy {
    let n = dice.roll(8) as u32;
    match dice.roll(6) {
        0 => Policy::Messages(n),
        1 => Policy::Exchanges(n),
        2 => Policy::Steady {
            keep: n / 2,
            grow_to: n,
        },
        3 => Policy::Tokens(n * 8),
        4 => Policy::Fits,
        _ => Policy::Everything,
    }
}

/// Calls and results stand behind a question, each call with its result behind it and each result behind its call.
fn check(turns: &[Turn]) {
    let mut asked = false;
    let mut open = 0;
    for turn in turns {
        let calls = turn
            .tool_calls
            .as_ref()
            .map_or(0, |calls| ToolCall::list(calls).len());
        match turn.role {
            Role::Tool => {
                assert!(open > 0, "a result without its call: {turns:#?}");
                open -= 1;
            }
            _ => {
                assert_eq!(open, 0, "a call without its result: {turns:#?}");
                asked |= turn.role == Role::User;
                assert!(
                    calls == 0 || asked,
                    "a call without its question: {turns:#?}"
                );
                open = calls;
            }
        }
    }
    assert_eq!(open, 0, "a call without its result: {turns:#?}");
}

#[test]
fn no_request_has_half_of_a_call() {
    let mut results = 0;
    for seed in 0..CHATS {
        let mut dice = Dice(seed);
        let mut chat = random_chat(&mut dice);
        chat.head.settings.policy = random_policy(&mut dice);
        let profile = ModelProfile {
            opening: match dice.roll(3) {
                0 => FirstMessageRule::Question,
                _ => FirstMessageRule::Any,
            },
            context: (dice.roll(2) == 0).then_some(150),
            ..ModelProfile::default()
        };
        let branch = chat.path();
        let head = chat.effective_head(&chat.head);
        let window = select(&branch, &head, profile, Parts::summary_of(&head));
        let prompt = PromptTurn {
            text: "p",
            ..PromptTurn::default()
        };
        let turns = turns(&chat, &window, prompt);
        check(&turns);
        results += turns.iter().filter(|turn| turn.role == Role::Tool).count();

        let counted = |m: &&&Message| !m.is_in_tool_round();
        assert_eq!(
            window.branch_messages(),
            branch.iter().filter(counted).count()
        );
        let counts = |id: Id| chat.get(id).is_some_and(|m| !m.is_in_tool_round());
        assert!(window.stops.iter().all(|stop| counts(stop.id)));
        // What a mark says of a question it says of its calls: they leave together.
        let ids = window.ids();
        assert!(window.next_out.iter().all(|id| ids.contains(id)));
        let stays: Vec<Id> = ids
            .into_iter()
            .filter(|id| !window.next_out.contains(id))
            .collect();
        let mut question = None;
        for message in &branch {
            if message.role == Role::User {
                question = Some(message.id);
            }
            if message.is_in_tool_round() && stays.contains(&message.id) {
                assert!(question.is_some_and(|id| stays.contains(&id)));
            }
        }
        if let Policy::Messages(n) = chat.head.settings.policy {
            let chosen = window.chosen(profile.estimate).len();
            assert!(chosen <= n as usize, "{chosen} of {n}");
        }
    }
    assert!(
        results > CHATS as usize / 4,
        "{results} results: too few to say anything"
    );
}
