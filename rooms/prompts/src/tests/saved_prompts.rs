//! Prompts that the person keeps.

use crate::SavedPrompts;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_harness::{House, Machine, reactive_in, settle};
use sash_records::KINDS;
use sash_records::prompts::{PromptLog, SavedPrompt};
use sash_stores::LogEvent;
use std::collections::BTreeMap;
use std::ops::Deref;

/// The page in memory, whose log has prompts, and the store.
#[derive(Clone, Copy)]
struct Room {
    house: House,
    prompts: SavedPrompts,
}

impl Deref for Room {
    type Target = House;

    fn deref(&self) -> &House {
        &self.house
    }
}

impl Room {
    /// A new tab.
    fn new(machine: &Machine) -> Self {
        let (house, prompts) = House::with_room(machine, None, KINDS, SavedPrompts::new);
        Self { house, prompts }
    }
}

/// Runs a test in a new tab.
fn with_room(test: impl FnOnce(&Machine, Room)) {
    reactive_in(Room::new, test);
}

/// Runs a test with a second tab, opened when both have the chat "Hi" with its answer.
fn two_tabs(test: impl FnOnce(&Machine, Room, &Machine, Room)) {
    with_room(|machine, room| {
        room.exchange(machine, "Hi", "Hello");
        let there = machine.another_tab();
        let other = Room::new(&there);
        assert_eq!(other.texts(), ["Hi", "Hello"]);
        test(machine, room, &there, other);
    });
}

/// A new prompt.
fn edit(name: &str, text: &str) -> SavedPrompt {
    SavedPrompt::new(Id(0), name, text)
}

fn names(room: Room) -> Vec<String> {
    let list = room.prompts.list.get_untracked();
    list.into_iter().map(|prompt| prompt.name).collect()
}

fn id_of(room: Room, name: &str) -> Id {
    let list = room.prompts.list.get_untracked();
    let found = list.iter().find(|prompt| prompt.name == name);
    found.expect("there is such a prompt").id
}

fn written(room: Room) -> String {
    settle();
    room.drafts.written.get_untracked()
}

#[test]
fn prompts_are_kept_changed_and_deleted_and_each_step_is_undone() {
    with_room(|machine, room| {
        let prompts = room.prompts;
        room.write("What I wrote");
        prompts.keep_written();
        let kept = prompts.editing.get_untracked().unwrap();
        assert_eq!(kept.text, "What I wrote");
        assert!(prompts.save(&kept).unwrap_err().contains("needs a name"));
        assert!(prompts.editing.get_untracked().is_some(), "it stays open");
        prompts
            .save(&SavedPrompt {
                name: "Mine".into(),
                ..kept
            })
            .unwrap();
        assert_eq!(prompts.editing.get_untracked(), None);
        prompts.save(&edit("another", "{{x}}")).unwrap();
        let taken = prompts.save(&edit("MINE", "x")).unwrap_err();
        assert!(taken.contains("already exists"), "{taken}");
        assert_eq!(names(room), ["another", "Mine"]);

        let mine = id_of(room, "Mine");
        prompts.edit(mine);
        let mut open = prompts.editing.get_untracked().unwrap();
        open.text = "Something else".into();
        prompts.save(&open).unwrap();
        prompts.delete(mine);
        assert_eq!(room.toast().as_deref(), Some("Deleted the prompt “Mine”"));
        assert_eq!(names(room), ["another"]);
        assert_eq!(
            names(Room::new(machine)),
            ["another"],
            "it is gone after a reload"
        );
        room.undo_offer();
        assert_eq!((names(room).len(), room.toast()), (2, None));
        assert!(room.chats.undo_last());
        let text = prompts.list.get_untracked()[1].text.clone();
        assert_eq!(text, "What I wrote", "the change is undone too");
    });
}

#[test]
fn a_deletion_is_undone_by_its_own_step_whatever_was_changed_since() {
    with_room(|_, room| {
        let prompts = room.prompts;
        prompts.save(&edit("Mine", "One")).unwrap();
        prompts.save(&edit("Other", "Two")).unwrap();
        let step = prompts.delete(id_of(room, "Mine")).unwrap();
        prompts.edit(id_of(room, "Other"));
        let mut open = prompts.editing.get_untracked().unwrap();
        open.text = "Something else".into();
        prompts.save(&open).unwrap();
        prompts.undo(step);
        assert_eq!(names(room), ["Mine", "Other"]);
        assert_eq!(prompts.list.get_untracked()[1].text, "Something else");
    });
}

#[test]
fn another_tab_shows_them_and_does_not_bring_back_what_was_changed_here() {
    two_tabs(|machine, room, there, other| {
        room.prompts.save(&edit("Mail", "Hi {{who}}")).unwrap();
        there.tell(other.tabs);
        assert_eq!(names(other), ["Mail"]);
        let mail = id_of(room, "Mail");
        other.prompts.edit(mail);
        let mut open = other.prompts.editing.get_untracked().unwrap();
        // Deleted here while it is edited there: what was written there is kept.
        room.prompts.delete(mail);
        there.tell(other.tabs);
        assert!(names(other).is_empty());
        open.text = "Dear {{who}}".into();
        other.prompts.save(&open).unwrap();
        machine.tell(room.tabs);
        assert_eq!(room.prompts.list.get_untracked()[0].text, "Dear {{who}}");

        // It is even if the record of the deleted prompt is gone for good.
        other.prompts.edit(mail);
        let open = other.prompts.editing.get_untracked().unwrap();
        room.prompts.delete(mail);
        for n in 0..21 {
            room.prompts.save(&edit(&n.to_string(), "x")).unwrap();
            machine.pass(10.0);
            room.prompts.delete(id_of(room, &n.to_string()));
        }
        room.prompts.save(&edit("Last", "x")).unwrap();
        there.tell(other.tabs);
        other.prompts.save(&open).unwrap();
        assert_eq!(names(other), ["Last", "Mail"]);
    });
}

#[test]
fn a_prompt_goes_into_the_field_once_its_placeholders_are_filled_and_nothing_is_sent() {
    with_room(|machine, room| {
        let prompts = room.prompts;
        room.exchange(machine, "Hi", "Hello");
        prompts.save(&edit("Plain", "Be brief.")).unwrap();
        prompts
            .save(&edit("Form", "{{a}} and {{b}}, {{a}}"))
            .unwrap();
        let [form, plain] = &prompts.list.get_untracked()[..] else {
            panic!("two prompts");
        };
        room.write("/pl");
        prompts.choose(plain.clone(), "/pl");
        assert_eq!(written(room), "Be brief.");
        prompts.choose(plain.clone(), "");
        assert_eq!(written(room), "Be brief.\n\nBe brief.", "nothing is lost");

        room.write("/fo");
        prompts.choose(form.clone(), "/fo");
        assert_eq!(written(room), "/fo", "not before it is filled in");
        let chosen = prompts.chosen.get_untracked().unwrap();
        assert_eq!(chosen.placeholders(), ["a", "b"]);
        let chat = room.chat();
        let long = BTreeMap::from([("a".to_owned(), "x".repeat(1_500_000))]);
        assert!(!prompts.fill(&long), "it would be too long");
        assert!(prompts.chosen.get_untracked().is_some());
        let values = BTreeMap::from([("a".to_owned(), "{{b}}".to_owned())]);
        // Another chat was opened meanwhile: the prompt belongs to the first one.
        room.chats.begin_chat();
        settle();
        room.write("not this");
        assert!(prompts.fill(&values));
        assert_eq!(written(room), "not this");
        let first = room.storage.with_log(|log| log.draft(chat)).unwrap();
        assert_eq!(first.text, "{{b}} and {{b}}, {{b}}");
        assert_eq!(room.kept(chat), ["Hi", "Hello"], "nothing is sent");
    });
}

/// By emptying the trash, after which Ctrl+Z has nothing to bring back.
#[test]
fn a_prompt_that_was_deleted_for_good_is_not_undone() {
    with_room(|machine, room| {
        room.prompts.save(&edit("Mail", "A secret")).unwrap();
        room.prompts.delete(id_of(room, "Mail"));
        room.storage.with_log(|log| log.purge_prompts(0));
        assert!(!machine.disk.contains("A secret"));
        room.chats.undo_last();
        assert!(!machine.disk.contains("A secret"));
    });
}

#[test]
fn prompts_that_come_with_many_records_are_in_the_list_at_once() {
    with_room(|_, room| {
        let mail = SavedPrompt::new(Id(3), "Mail", "Write a mail");
        assert!(room.storage.write(|log| log.save_prompt(&mail)));
        room.storage.events().emit(&LogEvent::ManyWritten);
        assert_eq!(names(room), ["Mail"]);
        assert_eq!(
            untrack(|| room.prompts.named()),
            [(Id(3), "Mail".to_owned())],
            "for other lists too"
        );
        room.prompts.choose_listed(Id(3));
        assert_eq!(written(room), "Write a mail");
    });
}
