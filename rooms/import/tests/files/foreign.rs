//! Imports of other programs' exports.

use super::*;
use sash_chat::Outcome;

const CHATGPT: &str = include_str!("../data/import/chatgpt.json");
const OPEN_WEBUI: &str = include_str!("../data/import/openwebui.json");
const LIBRECHAT: &str = include_str!("../data/import/librechat.json");
const LIBRECHAT_TREE: &str = include_str!("../data/import/librechat-tree.json");
const LM_STUDIO: &str = include_str!("../data/import/lmstudio.conversation.json");
const HOLLAMA: &str = include_str!("../data/import/hollama.json");

/// Imports a file into an empty log and returns its chats, in the order of the file.
fn chats(file: &str) -> (ImportPlan, Vec<Chat>, Log<MemoryStore>) {
    let mut log = log_of(&[]);
    let plan = planned(&mut log, file);
    applied(&mut log, plan.clone()).unwrap();
    let ids = plan.chats.iter().map(|chat| chat.chat);
    let chats = ids.filter_map(|id| log.load(id)).collect();
    (plan, chats, log)
}

/// The shown branch: role and text of each message.
fn read(chat: &Chat) -> Vec<(Role, &str)> {
    let path = chat.path();
    path.into_iter()
        .map(|m| (m.role, m.content.as_str()))
        .collect()
}

fn saying<'a>(chat: &'a Chat, words: &str) -> &'a Message {
    chat.messages().find(|m| m.content.contains(words)).unwrap()
}

#[test]
fn conversations_of_chatgpt_come_with_their_branches() {
    let (plan, chats, _) = chats(CHATGPT);
    let fates: Vec<ImportOutcome> = plan.chats.iter().map(|chat| chat.fate).collect();
    assert_eq!(
        fates,
        [
            ImportOutcome::New,
            ImportOutcome::New,
            ImportOutcome::Skipped(Skip::Empty)
        ]
    );
    let bread = &chats[0];
    assert_eq!(bread.title(), "Sourdough timing");
    assert_eq!(bread.head.created, 1_717_238_400_250);
    assert_eq!(bread.head.model.as_deref(), Some("gpt-4o"));
    // The branch that was shown in the other program.
    assert_eq!(
        read(bread),
        [
            (Role::User, "[image]\n\nHow long should this dough rise?"),
            (Role::Assistant, "Overnight in the fridge."),
        ]
    );
    let other = bread.path_to(Some(saying(bread, "curve").id));
    let other: Vec<(Role, &str)> = other
        .into_iter()
        .map(|m| (m.role, m.content.as_str()))
        .collect();
    assert_eq!(
        other[1..],
        [
            (Role::Assistant, "About four hours at 24 °C."),
            (Role::User, "Plot it."),
            (Role::Assistant, "```python\nplot(rise)\n```"),
            (Role::Tool, "done"),
            (Role::Assistant, "Here is the curve, cut o"),
        ]
    );
    let four = saying(bread, "four hours");
    assert_eq!(four.thinking, "Looking at the dough\n\nIt is wet and warm.");
    assert_eq!(four.model.as_deref(), Some("o3"));
    assert_eq!(four.created, 1_717_238_420_000);
    assert_eq!(bread.tree.versions(four.id).len(), 2);
    assert_eq!(saying(bread, "curve").outcome, Outcome::CutOff);
    assert_eq!(saying(bread, "done").tool_name.as_deref(), Some("python"));
    // An unpaired surrogate, which is not text, does not destroy the text around it.
    assert_eq!(read(&chats[1]), [(Role::User, "cut here: \u{fffd}")]);
    assert_eq!(
        (
            plan.notes.exported.images_absent,
            plan.notes.exported.hidden
        ),
        (1, 1)
    );
    assert_eq!(
        plan.notes.sentences(),
        [
            "1 message that the other program does not show is left out.",
            "1 image is missing; only its name is kept.",
        ]
    );
}

#[test]
fn chats_of_open_webui_come_with_their_branches() {
    let (_, chats, _) = chats(OPEN_WEBUI);
    let tides = &chats[0];
    assert_eq!(tides.title(), "Tides");
    assert_eq!(tides.head.created, 1_717_238_399_000);
    assert_eq!(tides.head.model.as_deref(), Some("llama3.2:latest"));
    assert_eq!(
        tides.head.system_at(tides.head.settings.system),
        Some("Answer as a harbour master.")
    );
    assert_eq!(
        read(tides),
        [
            (Role::User, "Why two tides a day?"),
            (Role::Assistant, "Two bulges pass each day."),
        ]
    );
    let bulges = saying(tides, "bulges pass");
    assert_eq!(bulges.thinking, "Moon & sun.\nTwo bulges.");
    let versions = tides.tree.versions(bulges.id);
    assert_eq!(
        tides.get(versions[0]).unwrap().content,
        "The moon pulls, and the far side is left behind."
    );
    let chart = saying(tides, "chart");
    assert_eq!(
        chart.content,
        "And this chart?\n\n[image]\n\n[file: tides.pdf]"
    );
    let failed = tides
        .messages()
        .find(|m| m.parent == Some(chart.id))
        .unwrap();
    assert_eq!(
        failed.outcome,
        Outcome::failed("model does not support images")
    );
    assert_eq!(
        read(&chats[1]),
        [(Role::User, "Hello"), (Role::Assistant, "Hello there")]
    );
    assert_eq!(saying(&chats[1], "there").outcome, Outcome::Interrupted);
    // Nothing imported contains a link.
    let all = serde_json::to_string(&chats[0].messages().collect::<Vec<_>>()).unwrap();
    assert!(!all.contains("http") && !all.contains("data:"));
}

#[test]
fn sessions_of_hollama_come_in_each_form_they_are_kept_in() {
    let (_, chats, log) = chats(HOLLAMA);
    let counting = &chats[0];
    assert_eq!(counting.title(), "Counting");
    assert_eq!(counting.head.created, 1_717_238_461_250);
    assert_eq!(counting.head.model.as_deref(), Some("gemma2:2b"));
    assert_eq!(
        counting.head.system_at(counting.head.settings.system),
        Some("You count.")
    );
    assert_eq!(
        read(counting),
        [
            (Role::User, "One?\n\n[image: one.png]"),
            (Role::Assistant, "Two."),
            (Role::User, "Three?"),
            (Role::Assistant, "Four."),
        ]
    );
    assert_eq!(saying(counting, "Two.").thinking, "After one comes two.");
    assert_eq!(read(&chats[1])[1], (Role::Assistant, "Hello!"));
    assert_eq!(chats[1].head.model.as_deref(), Some("gemma:7b"));
    // The value in localStorage: the list, or the list as a string.
    let text = serde_json::to_string(HOLLAMA).unwrap();
    for dump in [
        format!("{{\"hollama-settings\":{{}},\"hollama-sessions\":{HOLLAMA}}}"),
        format!("{{\"hollama-sessions\": {text}, \"other\": \"x\"}}"),
    ] {
        let mut same = log_of(&[]);
        imported(&mut same, &dump);
        assert_eq!(dump_of(&same), dump_of(&log));
    }
}

#[test]
fn conversations_of_librechat_come_with_their_branches_and_what_failed() {
    let (plan, chats, _) = chats(LIBRECHAT);
    let bread = &chats[0];
    assert_eq!(bread.title(), "Which bread rises fastest");
    assert_eq!(bread.head.model.as_deref(), Some("llama3.2"));
    assert_eq!(
        bread.head.system_at(bread.head.settings.system),
        Some("You are a baker.")
    );
    assert_eq!(
        read(bread)[..3],
        [
            (
                Role::User,
                "Which bread rises fastest?\n\n[image: dough.png]"
            ),
            (
                Role::Assistant,
                "Soda bread\n\n[tool: web_search]\n\ndoes not wait at all."
            ),
            (Role::User, "And the slowest?"),
        ]
    );
    let thought = saying(bread, "Soda");
    assert_eq!(thought.thinking, "Yeast or soda?");
    assert_eq!(bread.tree.versions(thought.id).len(), 2);
    let half = saying(bread, "flatbread");
    assert_eq!(half.outcome, Outcome::Interrupted);
    assert_eq!(half.model.as_deref(), Some("qwen3"));
    let last = bread.path().pop().unwrap();
    assert_eq!(
        last.outcome,
        Outcome::failed("The engine is gone.".to_owned())
    );
    let notes = &plan.chats[0].notes;
    assert_eq!(
        (notes.exported.images_absent, notes.exported.no_text),
        (1, 1)
    );
}

#[test]
fn a_conversation_of_librechat_is_the_same_as_a_list_and_as_a_tree() {
    let (_, chats, log) = chats(LIBRECHAT_TREE);
    let trees = &chats[0];
    assert_eq!(trees.len(), 4);
    assert_eq!(trees.tree.versions(saying(trees, "Very slow.").id).len(), 2);
    assert_eq!(
        saying(trees, "birch").parent,
        Some(saying(trees, "Slow.").id)
    );
    // Two hundred messages within each other are deeper than a JSON parser goes.
    let inner = r#""children":[]}]}"#;
    let mut deep = LIBRECHAT_TREE.split_whitespace().collect::<String>();
    assert!(deep.contains(inner));
    for n in 0..200 {
        let more = format!(
            r#""children":[{{"messageId":"n{n}","isCreatedByUser":true,"text":"{n}","children":[]}}]}}]}}"#
        );
        deep = deep.replacen(inner, &more, 1);
    }
    let mut other = log_of(&[]);
    let plan = planned(&mut other, &deep);
    applied(&mut other, plan.clone()).unwrap();
    let chat = other.load(plan.chats[0].chat).unwrap();
    assert!(chat.len() > 100, "{}", chat.len());
    drop(log);
}

#[test]
fn a_conversation_of_lm_studio_comes_with_its_versions() {
    let (plan, chats, _) = chats(LM_STUDIO);
    let garden = &chats[0];
    assert_eq!(garden.title(), "A plan for a garden");
    assert_eq!(garden.head.created, 1_772_353_200_000);
    assert_eq!(garden.head.model.as_deref(), Some("qwen/qwen3-4b"));
    assert_eq!(
        garden.head.system_at(garden.head.settings.system),
        Some("You are a gardener.")
    );
    assert_eq!(
        read(garden),
        [
            (
                Role::User,
                "What grows in the shade?\n\n[image: 1772353100000 - 1.png]"
            ),
            (
                Role::Assistant,
                "Hostas and ferns.\n\n[tool: look_up]\n\nAnd ivy."
            ),
            (Role::User, "And in the sun?"),
        ]
    );
    let first = saying(garden, "Ferns.");
    assert_eq!(first.thinking, "Ferns, hostas.");
    assert_eq!(garden.tree.versions(first.id).len(), 2);
    assert_eq!(plan.chats[0].notes.exported.images_absent, 1);
}

fn dump_of(log: &Log<MemoryStore>) -> Vec<(String, String)> {
    dump(log.store())
}

#[test]
fn the_same_file_again_is_nothing_new() {
    for file in [
        CHATGPT,
        OPEN_WEBUI,
        HOLLAMA,
        LIBRECHAT,
        LIBRECHAT_TREE,
        LM_STUDIO,
    ] {
        let (_, _, mut log) = chats(file);
        let before = dump_of(&log);
        // Also a year later: times are clamped by the clock.
        let planner = Planner::new(file.to_owned(), NOW + 31_536_000_000).unwrap();
        let plan = planner.run(&mut log).unwrap();
        let here = |fate| {
            matches!(
                fate,
                ImportOutcome::Here | ImportOutcome::Skipped(Skip::Empty)
            )
        };
        assert_eq!(plan.count(here), plan.chats.len());
        applied(&mut log, plan).unwrap();
        assert_eq!(dump_of(&log), before);
    }
}

#[test]
fn a_session_that_went_on_there_brings_what_is_new() {
    let (_, _, mut log) = chats(HOLLAMA);
    let longer = HOLLAMA.replace(
        "{ \"role\": \"assistant\", \"content\": \"Four.\" }",
        "{ \"role\": \"assistant\", \"content\": \"Four.\" }, { \"role\": \"user\", \"content\": \"Five?\" }",
    );
    assert_eq!(
        imported(&mut log, &longer),
        [ImportOutcome::More(1), ImportOutcome::Here]
    );
    let edited = HOLLAMA.replace("Three?", "Thirty?");
    let plan = planned(&mut log, &edited);
    let chat = plan.chats[0].chat;
    assert_eq!(plan.chats[0].fate, ImportOutcome::More(2));
    applied(&mut log, plan).unwrap();
    let chat = log.load(chat).unwrap();
    assert_eq!(chat.len(), 7);
    assert_eq!(chat.tree.versions(saying(&chat, "Thirty?").id).len(), 2);
    // The newest message is shown, as if it had been written here.
    assert_eq!(read(&chat).last(), Some(&(Role::Assistant, "Four.")));
    assert_eq!(read(&chat)[2], (Role::User, "Thirty?"));
}

#[test]
fn one_conversation_alone_is_an_export_too() {
    let one = CHATGPT.trim().strip_prefix('[').unwrap();
    let end = one.find("\n  },\n  {\n    \"title\": \"Half").unwrap();
    let (plan, chats, _) = chats(&format!("{}\n}}", &one[..end]));
    assert_eq!((plan.chats.len(), chats.len()), (1, 1));
}
