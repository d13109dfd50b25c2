//! An export is imported again completely.

use super::large::without_header;
use super::*;
use proptest::prelude::*;
use sash_chat::{Failure, Outcome, Policy, TokenCount};
use serde_json::json;

fn outcomes() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        4 => Just(Outcome::Complete),
        1 => Just(Outcome::CutOff),
        1 => Just(Outcome::Stopped),
        1 => Just(Outcome::Interrupted),
        1 => ("\\PC{0,20}", prop::option::of("[a-z_]{1,9}"))
            .prop_map(|(sentence, code)| Outcome::Failed(Failure { sentence, code })),
    ]
}

fn receipts() -> impl Strategy<Value = Option<Receipt>> {
    let some = (
        prop::collection::vec(any::<u64>().prop_map(Id), 0..4),
        prop::option::of(0..3_u32),
        any::<u32>(),
        prop::option::of(0.0..1e7_f64),
        any::<bool>(),
    );
    prop::option::of(
        some.prop_map(|(sent, system, tokens, ms, options)| Receipt {
            sent,
            policy: Policy::Tokens(tokens),
            system,
            options: options.then(|| json!({"temperature": 0.7, "stop": ["\u{0}", "x"]})),
            prompt_tokens: TokenCount {
                estimated: tokens.into(),
                counted: Some(tokens.into()),
            },
            thinking_ms: ms.map(|ms| ms as u64),
            load_ms: ms,
            answer_ms: ms.map(|ms| ms / 3.0),
            ..Receipt::default()
        }),
    )
}

fn chats() -> impl Strategy<Value = Chat> {
    let message = (
        any::<String>(),
        "\\PC{0,30}",
        any::<prop::sample::Index>(),
        0..4_usize,
        outcomes(),
        receipts(),
        any::<u64>(),
    );
    let head = (
        prop::option::of("\\PC{1,40}"),
        prop::collection::vec(any::<String>(), 0..3),
        any::<[bool; 3]>(),
        0..1_u32 << 30,
    );
    (any::<u64>(), head, prop::collection::vec(message, 1..12)).prop_map(|(id, head, messages)| {
        let (title, systems, flags, rev) = head;
        let mut chat = Chat::new(Head {
            title: title.filter(|t| !t.trim().is_empty()),
            systems,
            rev,
            ..Head::new(Id(id), NOW)
        });
        let mut ids: Vec<Id> = Vec::new();
        for (n, (content, thinking, parent, role, outcome, receipt, name)) in
            messages.into_iter().enumerate()
        {
            let message = Message {
                content,
                thinking,
                outcome,
                receipt,
                tool_calls: (role == 3)
                    .then(|| json!([{"function": {"name": "f", "arguments": {"x": 1.5}}}])),
                ..Message::new(
                    Id(name),
                    (n > 0 && role > 0).then(|| ids[parent.index(ids.len())]),
                    n as u32 * 3 + 1,
                    [Role::User, Role::Assistant, Role::System, Role::Tool][role],
                    NOW - n as u64,
                )
            };
            ids.push(message.id);
            chat.insert(message);
        }
        if flags[0] {
            chat.head.pin(ids[0], true);
        }
        if flags[1] {
            chat.head.mute(ids[ids.len() - 1], true);
        }
        if flags[2] {
            chat.head.at = chat.tree.position_through(ids[0]);
        }
        if !chat.head.systems.is_empty() {
            chat.head.settings.system = Some(0);
        }
        chat
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_goes_out_comes_in_equal_and_twice_is_nothing_new(chats in prop::collection::vec(chats(), 0..4)) {
        let mut log = log_of(&chats);
        let file = exported(&mut log, ExportScope::All);
        prop_assume!(!chats.is_empty());
        let mut other = log_of(&[]);
        let plan = planned(&mut other, &file);
        prop_assert_eq!(&plan.notes, &ImportNotes::default());
        let needs = plan.needs_at_most();
        applied(&mut other, plan).unwrap();
        for id in chats.iter().map(|chat| chat.head.id) {
            prop_assert_eq!(other.load(id).map(unpacked), log.load(id));
        }
        let again = exported(&mut other, ExportScope::All);
        prop_assert_eq!(without_header(&again), without_header(&file));
        prop_assert!(needs > 0);
        let before = dump(other.store());
        let fates = imported(&mut other, &file);
        prop_assert!(fates.iter().all(|fate| *fate == ImportOutcome::Here), "{:?}", fates);
        prop_assert_eq!(dump(other.store()), before);
    }

    /// One chat was continued in two logs: whatever each did, existing messages stay, and a merge has the
    /// messages of both.
    #[test]
    fn two_that_went_on_apart_lose_no_word(
        base in chats(),
        here in prop::collection::vec(("[a-z]{1,9}", any::<prop::sample::Index>(), any::<bool>()), 0..6),
        there in prop::collection::vec(("[a-z]{1,9}", any::<prop::sample::Index>(), any::<bool>()), 0..6),
        deleted in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let went_on = |steps: &[(String, prop::sample::Index, bool)], from: u64| {
            let mut chat = base.clone();
            for (n, (words, of, other)) in steps.iter().enumerate() {
                let ids: Vec<Id> = chat.messages().map(|m| m.id).collect();
                let of = ids[of.index(ids.len())];
                // Either another message, or, as if damaged or forged, another text under an existing id.
                let (id, parent, seq) = match other {
                    false => (Id(from + n as u64), Some(of), chat.next_seq()),
                    true => (of, chat.get(of).unwrap().parent, chat.get(of).unwrap().seq),
                };
                chat.insert(Message { content: words.clone(), ..Message::new(id, parent, seq, Role::User, NOW) });
            }
            chat
        };
        let (mine, theirs) = (went_on(&here, 1), went_on(&there, 1000));
        let mut log = log_of(&[mine]);
        if let Some(of) = deleted {
            let chat = log.load(base.head.id).unwrap();
            let of = chat.messages().nth(of.index(chat.len())).unwrap().clone();
            log.remove_message(base.head.id, &of, NOW).unwrap();
        }
        let before = dump(log.store());
        let file = exported(&mut log_of(std::slice::from_ref(&theirs)), ExportScope::All);
        let fates = imported(&mut log, &file);
        for (key, value) in &before {
            let kept = log.store().get(key);
            // A head may gain system prompts at the end of its list.
            prop_assert!(kept.as_ref() == Some(value) || key.starts_with("sash:c:"), "{key}");
        }
        let said = |chat: &Chat, id: Id| -> Vec<String> {
            chat.path_to(Some(id)).iter().map(|m| m.content.clone()).collect()
        };
        let mut all: Vec<Vec<String>> = Vec::new();
        for summary in log.chat_list() {
            let chat = log.load(summary.id).unwrap();
            all.extend(chat.messages().map(|m| said(&chat, m.id)));
        }
        if deleted.is_none() {
            for message in theirs.messages() {
                let words = said(&theirs, message.id);
                // An interrupted answer of which the log has more words already adds none.
                let is_part = |kept: &Vec<String>| {
                    let mut pairs = kept.iter().zip(&words);
                    kept.len() == words.len() && pairs.all(|(kept, part)| kept.starts_with(part.as_str()))
                };
                let interrupted = theirs.path_to(Some(message.id)).iter().any(|m| m.outcome == Outcome::Interrupted);
                let kept = all.contains(&words) || interrupted && all.iter().any(is_part);
                prop_assert!(kept, "{fates:?} {}", message.content);
            }
        }
        prop_assert_eq!(imported(&mut log, &file), [ImportOutcome::Here]);
    }

    #[test]
    fn a_damaged_file_harms_nothing(
        chats in prop::collection::vec(chats(), 1..3),
        at in any::<prop::sample::Index>(),
        byte in any::<char>(),
        cut in any::<bool>(),
    ) {
        let file = exported(&mut log_of(&chats), ExportScope::All);
        let mut characters: Vec<char> = file.chars().collect();
        let at = at.index(characters.len());
        characters[at] = byte;
        if cut {
            characters.truncate(at);
        }
        let damaged: String = characters.into_iter().collect();
        let mut log = log_of(&[simple(1)]);
        let before = dump(log.store());
        if let Ok(plan) = Planner::new(damaged, NOW).and_then(|planner| planner.run(&mut log)) {
            applied(&mut log, plan).unwrap();
        }
        for (key, value) in before {
            prop_assert_eq!(log.store().get(&key), Some(value));
        }
    }
}
