//! The text in the composer that is not sent.

use reactive_graph::prelude::*;
use sash_chat::{Id, TextFile};
use sash_harness::{House, reactive, settle};
use sash_log::{DRAFT, DraftField, Key};
use sash_stores::{EarlyChat, EarlyWords};

fn draft(house: House) -> String {
    house.drafts.draft.get_untracked()
}

fn key(chat: Id) -> String {
    Key::Record(DRAFT, chat).to_string()
}

#[test]
fn each_chat_has_its_own_draft() {
    reactive(|machine, house| {
        house.exchange(machine, "first", "one");
        let first = house.chat();
        house.write("more of it");
        house.chats.begin_chat();
        settle();
        assert_eq!(draft(house), "");
        house.write("something else");
        house.chats.open_chat(first);
        settle();
        assert_eq!(draft(house), "more of it");
        house.chats.begin_chat();
        settle();
        assert_eq!(draft(house), "something else");
    });
}

#[test]
fn files_are_part_of_the_draft_and_stay_apart_from_what_is_written() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        house.write("What is it?");
        for name in ["a.txt", "b.txt"] {
            let text = format!("text of {name}");
            let name = name.to_owned();
            let files = house.drafts.files;
            files.update(|files| files.push(TextFile { name, text }));
        }
        let whole = "[File: a.txt]\n```\ntext of a.txt\n```\n\n[File: b.txt]\n```\ntext of b.txt\n```\n\nWhat is it?";
        assert_eq!(draft(house), whole);
        assert_eq!(house.drafts.written.get_untracked(), "What is it?");
        machine.pass(1000.0);
        let reloaded = House::new(machine);
        assert_eq!(draft(reloaded), whole);
        assert_eq!(reloaded.drafts.written.get_untracked(), "What is it?");
        let files = reloaded.drafts.files.get_untracked();
        let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
        assert_eq!(names, ["a.txt", "b.txt"]);
    });
}

#[test]
fn a_draft_is_written_at_most_once_a_second_while_it_is_typed() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let key = key(house.chat());
        for n in 0..=50 {
            house.write(&format!("key {n}"));
            machine.pass(100.0);
            let most = n / 10 + 1;
            assert!(machine.disk.writes(&key) <= most, "after {n} keys");
        }
        assert!(machine.disk.writes(&key) >= 4, "while it is typed");
        machine.pass(1000.0);
        assert_eq!(draft(House::new(machine)), "key 50", "to its last word");
    });
}

#[test]
fn a_draft_is_there_after_a_crash_and_gone_once_it_is_sent() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        house.write("half a thought");
        machine.pass(1000.0);
        assert_eq!(draft(House::new(machine)), "half a thought");
        house.write("");
        assert!(!machine.disk.has(&key(house.chat())), "at once");
        assert_eq!(draft(House::new(machine)), "");
    });
}

#[test]
fn what_was_typed_in_the_last_second_is_written_when_the_page_goes() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        house.write("half a thought");
        assert!(!machine.disk.has(&key(house.chat())));
        house.answers.write_everything();
        assert_eq!(draft(House::new(machine)), "half a thought");
    });
}

#[test]
fn a_draft_of_white_space_is_none() {
    reactive(|machine, house| {
        house.write(" \n ");
        machine.pass(2000.0);
        assert!(!machine.disk.has(&key(house.chat())));
    });
}

#[test]
fn a_chat_that_was_begun_and_not_asked_is_found_by_a_new_tab_once_no_other_has_it_open() {
    reactive(|machine, house| {
        house.write("half a thought");
        machine.pass(1000.0);
        let open = House::new(&machine.another_tab());
        assert_ne!(open.chat(), house.chat(), "it is written here");
        assert_eq!(draft(open), "");
        machine.close_tab();
        let found = House::new(&machine.another_tab());
        assert_eq!(found.chat(), house.chat());
        assert_eq!(draft(found), "half a thought");
    });
}

/// Words in a frame that showed a new chat without a draft.
fn early(written: &str) -> EarlyWords {
    EarlyWords {
        chat: Some(EarlyChat::New),
        shown: String::new(),
        written: written.to_owned(),
    }
}

#[test]
fn what_is_typed_before_the_program_runs_comes_along_to_a_begun_chat() {
    reactive(|machine, house| {
        house.write("half a thought");
        machine.pass(1000.0);
        machine.close_tab();
        let found = House::starting(&machine.another_tab(), None);
        let new = found.chat();
        let early = early("and the rest");
        found.drafts.join_early("", &early);
        assert!(found.drafts.is_all_early(&early));
        settle();
        assert_eq!(found.chat(), house.chat());
        assert_eq!(draft(found), "half a thought\nand the rest");
        assert!(
            !found.drafts.is_all_early(&early),
            "Enter did not mean the draft that was not shown"
        );
        machine.pass(1000.0);
        assert!(!machine.disk.has(&key(new)));
    });
}

#[test]
fn the_chat_that_is_left_for_a_begun_one_keeps_its_draft() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let first = house.chat();
        house.write("a draft of its own");
        machine.pass(1000.0);
        house.chats.begin_chat();
        settle();
        house.write("half a thought");
        machine.pass(1000.0);
        let begun = house.chat();
        machine.close_tab();
        let found = House::starting(&machine.another_tab(), None);
        assert_eq!(found.chat(), first);
        let joined = found
            .drafts
            .join_early("a draft of its own", &early("typed"));
        assert_eq!(joined, "a draft of its own\ntyped");
        settle();
        assert_eq!(found.chat(), begun);
        assert_eq!(draft(found), "half a thought\ntyped");
        machine.pass(2000.0);
        found.chats.open_chat(first);
        settle();
        assert_eq!(draft(found), "a draft of its own");
        machine.close_tab();
        let reloaded = House::reopened(machine, Some(first));
        assert_eq!(draft(reloaded), "a draft of its own");
    });
}

#[test]
fn while_a_word_is_composed_before_the_program_runs_no_begun_chat_is_opened() {
    reactive(|machine, house| {
        house.write("half a thought");
        machine.pass(1000.0);
        machine.close_tab();
        let found = House::starting(&machine.another_tab(), None);
        let new = found.chat();
        found.drafts.set_composing_early(true);
        found.drafts.join_early("", &early("にほ"));
        settle();
        assert_eq!(found.chat(), new);
        assert_eq!(draft(found), "にほ");
        found.drafts.set_composing_early(false);
        found.drafts.join_early("", &early("日本"));
        settle();
        assert_eq!(draft(found), "日本");
        assert_eq!(found.chat(), new);
    });
}

#[test]
fn enter_before_the_program_runs_means_the_chat_that_the_frame_showed() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        let words = |chat| EarlyWords {
            chat,
            ..early("typed")
        };
        let found = House::new(&machine.another_tab());
        found.drafts.join_early("", &early("typed"));
        for (shown, is_meant) in [
            (None, false),
            (Some(EarlyChat::New), false),
            (Some(EarlyChat::Stored(Id(chat.0 ^ 1))), false),
            (Some(EarlyChat::Stored(chat)), true),
        ] {
            let is_all = found.drafts.is_all_early(&words(shown));
            assert_eq!(is_all, is_meant, "{shown:?}");
        }
    });
}

#[test]
fn what_is_typed_before_the_program_runs_follows_the_draft_that_the_frame_did_not_show() {
    reactive(|machine, house| {
        house.write("a draft");
        machine.pass(1000.0);
        let reloaded = House::reopened(machine, Some(house.chat()));
        let words = early("typed");
        reloaded.drafts.join_early("a draft", &words);
        assert_eq!(draft(reloaded), "a draft\ntyped");
        // Of a word that is composed the field has more and more.
        reloaded.drafts.join_early("a draft", &early("typed on"));
        settle();
        assert_eq!(draft(reloaded), "a draft\ntyped on");
        assert!(!reloaded.drafts.is_all_early(&words));
    });
}

#[test]
fn a_chat_that_the_person_opens_while_a_begun_one_is_looked_for_stays_open() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let first = house.chat();
        house.chats.begin_chat();
        settle();
        house.write("half a thought");
        machine.pass(1000.0);
        let begun = house.chat();
        machine.close_tab();
        let other = House::reopened(&machine.another_tab(), Some(first));
        other.chats.begin_chat();
        // The lock query is pending.
        other.chats.open_chat(first);
        settle();
        assert_eq!(other.texts(), ["Hi", "Hello"]);
        other.chats.begin_chat();
        settle();
        assert_eq!(other.chat(), begun, "it is found when a new chat is begun");
    });
}

/// Holds `Drafts::find_begun`: whether something was typed or sent meanwhile is looked up.
#[test]
fn a_begun_chat_is_not_opened_in_the_place_of_one_in_which_something_was_typed_or_sent() {
    for is_sent in [false, true] {
        reactive(|machine, house| {
            house.write("half a thought");
            machine.pass(1000.0);
            machine.close_tab();
            let looked_at = machine.slow_lock_query();
            let other = House::new(&machine.another_tab());
            let own = other.chat();
            match is_sent {
                true => _ = other.exchange(machine, "Hi", "Hello"),
                false => other.write("something else"),
            }
            looked_at.send(()).unwrap();
            settle();
            assert_eq!(other.chat(), own, "{is_sent}");
        });
    }
}

#[test]
fn a_draft_follows_another_tab_unless_it_is_typed_here() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let there = machine.another_tab();
        let other = House::new(&there);
        other.write("from there");
        there.pass(1000.0);
        machine.tell(house.tabs);
        assert_eq!(draft(house), "from there");
        house.write("from here");
        other.write("again from there");
        machine.pass(1000.0);
        machine.tell(house.tabs);
        assert_eq!(draft(house), "from here");
    });
}

#[test]
fn the_text_of_an_edit_is_kept_with_its_chat_until_it_is_sent_or_thrown_away() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let (chat, question) = (house.chat(), house.chats.path.get_untracked()[0]);
        let edit = DraftField::Edit(question);
        house.drafts.write_field(edit, "Hi there", "Hi");
        house.drafts.write_field(DraftField::System, "Be terse", "");
        machine.pass(1000.0);
        house.chats.begin_chat();
        settle();
        assert_eq!(house.drafts.field(edit), None, "of another chat");
        house.chats.open_chat(chat);
        settle();
        assert_eq!(house.drafts.field(edit).as_deref(), Some("Hi there"));
        let reloaded = House::reopened(machine, Some(chat));
        assert_eq!(reloaded.drafts.field(edit).as_deref(), Some("Hi there"));
        assert_eq!(draft(reloaded), "", "none of it is in the composer");
        reloaded.drafts.write_field(edit, "Hi", "Hi");
        machine.pass(1000.0);
        assert!(!reloaded.drafts.has_field(edit), "what it was is no draft");
        reloaded.drafts.drop_field(chat, DraftField::System);
        assert!(!machine.disk.has(&key(chat)), "at once");
    });
}

#[test]
fn an_edit_is_written_at_most_once_a_second_while_the_composer_is_empty() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let edit = DraftField::Edit(house.chats.path.get_untracked()[0]);
        let key = key(house.chat());
        for n in 0..=50 {
            house.drafts.write_field(edit, &format!("key {n}"), "Hi");
            machine.pass(100.0);
            assert!(machine.disk.writes(&key) <= n / 10 + 1, "after {n} keys");
        }
        machine.pass(1000.0);
        let kept = House::new(machine).drafts.field(edit);
        assert_eq!(kept.as_deref(), Some("key 50"));
    });
}

#[test]
fn what_is_thrown_away_of_an_edit_can_be_brought_back() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        let edit = DraftField::Edit(house.chats.path.get_untracked()[0]);
        for by_toast in [true, false] {
            house.drafts.write_field(edit, "Hi there", "Hi");
            machine.pass(1000.0);
            house.drafts.discard_field(edit);
            assert!(!machine.disk.has(&key(chat)));
            match by_toast {
                true => house.undo_offer(),
                false => assert!(house.chats.undo_last()),
            }
            assert_eq!(house.drafts.field(edit).as_deref(), Some("Hi there"));
            assert!(machine.disk.has(&key(chat)));
        }
        house.drafts.discard_field(edit);
        house.drafts.write_field(edit, "Another", "Hi");
        assert!(!house.chats.undo_last(), "it would replace another text");
        assert_eq!(house.drafts.field(edit).as_deref(), Some("Another"));
    });
}

#[test]
fn an_edit_in_one_tab_and_the_composer_of_another_keep_both_texts() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let edit = DraftField::Edit(house.chats.path.get_untracked()[0]);
        let there = machine.another_tab();
        let other = House::reopened(&there, Some(house.chat()));
        house.drafts.write_field(edit, "Hi there", "Hi");
        other.write("from there");
        machine.pass(1000.0);
        there.pass(1000.0);
        machine.tell(house.tabs);
        there.tell(other.tabs);
        house.drafts.write_field(edit, "Hi there!", "Hi");
        machine.pass(4000.0);
        let reloaded = House::reopened(machine, Some(house.chat()));
        assert_eq!(draft(reloaded), "from there");
        let kept = reloaded.drafts.field(edit);
        assert_eq!(kept.as_deref(), Some("Hi there!"));
    });
}

#[test]
fn a_draft_of_a_purged_message_is_gone() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let answer = house.chats.path.get_untracked()[1];
        house
            .drafts
            .write_field(DraftField::Edit(answer), "Mine", "Hello");
        machine.pass(1000.0);
        house.chats.delete_message(answer);
        assert!(machine.disk.has(&key(house.chat())), "with the trash");
        house
            .storage
            .with_log(|log| log.purge_messages(house.chat(), &[answer], 9));
        assert!(!machine.disk.has(&key(house.chat())));
    });
}
