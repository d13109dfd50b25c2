//! Imports of Claude's exports.

use super::*;

const CLAUDE: &str = include_str!("../data/import/claude.json");

fn chats() -> (ImportPlan, Vec<Chat>, Log<MemoryStore>) {
    let mut log = log_of(&[]);
    let plan = planned(&mut log, CLAUDE);
    applied(&mut log, plan.clone()).unwrap();
    let chats = plan.chats.iter().filter_map(|chat| log.load(chat.chat));
    let chats = chats.collect();
    (plan, chats, log)
}

#[test]
fn conversations_come_with_their_branches_thoughts_and_texts() {
    let (plan, chats, mut log) = chats();
    let bread = &chats[0];
    assert_eq!(bread.title(), "Bread");
    assert_eq!(bread.head.created, 1_772_359_200_000);
    let said: Vec<(Role, &str)> = bread
        .messages()
        .map(|m| (m.role, m.content.as_str()))
        .collect();
    assert_eq!(
        said,
        [
            (
                Role::User,
                "[File: recipe.txt]\n```\n500 g flour, 350 g water\n```\n\nHow long?\n\n[image: dough.jpg]"
            ),
            (Role::Assistant, "Four hours at 24 °C.\n\n[tool: artifacts]"),
            (Role::Assistant, "Overnight in the fridge."),
        ]
    );
    let answers: Vec<_> = bread
        .messages()
        .filter(|m| m.role == Role::Assistant)
        .collect();
    assert_eq!(answers[0].thinking, "Seventy per cent of water.");
    assert_eq!(bread.tree.versions(answers[0].id).len(), 2);
    // What was said last is shown.
    assert_eq!(
        bread.path().last().unwrap().content,
        "Overnight in the fridge."
    );
    // Older exports have neither parents nor parts.
    assert_eq!(chats[1].title(), "Hello");
    assert_eq!(chats[1].path().len(), 2);
    assert_eq!(
        (
            plan.notes.exported.images_absent,
            plan.notes.exported.no_text
        ),
        (1, 1)
    );
    // Again it is nothing new.
    let again = planned(&mut log, CLAUDE);
    assert_eq!(again.count(|fate| fate == ImportOutcome::Here), 2);
}
