//! The list of chats as it is shown: pins, folders and their settings, the archive, several at once.

use super::house::{House, reactive, two_tabs};
use crate::{ListRow, SectionKind};
use reactive_graph::prelude::*;
use sash_chat::{Head, Id, Message, ModelId, Role};
use sash_harness::{Machine, settle, text};
use sash_log::ChatListEntry;
use sash_wire::Upstream;
use serde_json::json;

/// Three chats with an exchange each; the last one is open.
fn three(machine: &Machine, house: House) -> [Id; 3] {
    ["first", "second", "third"].map(|title| {
        house.chats.begin_chat();
        house.exchange(machine, title, "Yes.");
        house.chat()
    })
}

/// The rows in short: headings by their kind, chats by their titles.
fn rows(house: House) -> Vec<String> {
    let rows = house.list.rows.get_untracked();
    let words = |row: &ListRow| match row {
        ListRow::Heading(SectionKind::Folder(id)) => {
            let folder = house.chats.folder(*id);
            format!("# {}", folder.map(|folder| folder.name).unwrap_or_default())
        }
        ListRow::Heading(kind) => format!("# {kind:?}"),
        ListRow::Chat(id, in_folder) => {
            format!(
                "{}{}",
                if *in_folder { "- " } else { "" },
                house.chats.title_now(*id)
            )
        }
    };
    rows.iter().map(words).collect()
}

#[test]
fn chats_are_pinned_moved_and_archived_and_each_step_is_undone() {
    reactive(|machine, house| {
        let [first, second, third] = three(machine, house);
        house.list.pin_chat(first, true);
        let work = house.list.folder_named("Work");
        house.list.move_chats(&[second], Some(work));
        house.list.archive_chats(&[third], true);
        let all = ["# Pinned", "first", "# Work", "- second", "# Archived"];
        assert_eq!(rows(house), all);
        house.list.archive_shown.set(true);
        assert_eq!(rows(house).last().unwrap(), "third");
        // A reload shows the same, and does not begin with what is archived.
        let again = House::new(machine);
        assert_eq!(rows(again), all);
        assert_ne!(again.chat(), third);

        assert_eq!(house.toast().as_deref(), Some("Archived “third”"));
        house.undo_offer();
        assert_eq!(house.toast(), None);
        assert!(house.chats.undo_last());
        assert!(house.chats.undo_last());
        assert_eq!(
            rows(house),
            ["# Work", "# Today", "third", "second", "first"]
        );
        assert!(!house.chats.undo_last());
    });
}

#[test]
fn a_deleted_folder_deletes_no_chat_and_comes_back_with_them() {
    reactive(|machine, house| {
        let [first, ..] = three(machine, house);
        let work = house.list.folder_named("Work");
        assert_eq!(
            house.list.folder_named(" work "),
            work,
            "one name, one folder"
        );
        house.list.move_chats(&[first], Some(work));
        house.list.delete_folder(work);
        assert_eq!(rows(house), ["# Today", "third", "second", "first"]);
        assert_eq!(
            house.toast().as_deref(),
            Some("Deleted the folder “Work”; its chats stay")
        );
        assert!(house.chats.undo_last());
        assert_eq!(
            rows(house),
            ["# Work", "- first", "# Today", "third", "second"]
        );
        house.list.close(SectionKind::Folder(work), true);
        assert_eq!(rows(house), ["# Work", "# Today", "third", "second"]);
        let home = house.list.folder_named("Home");
        house.list.shift_folder(home, false);
        assert_eq!(rows(house)[..2], ["# Home", "# Work"]);
        assert_eq!(rows(House::new(machine))[..2], ["# Home", "# Work"]);
    });
}

#[test]
fn a_chat_whose_question_begins_like_another_has_a_title_of_its_own() {
    reactive(|machine, house| {
        let start = "Please translate the following text into French and keep its tone and style:";
        house.exchange(machine, &format!("{start} a letter"), "Yes.");
        house.chats.begin_chat();
        house.exchange(machine, &format!("{start} a poem"), "Yes.");
        let titles = [
            "Please translate the … poem",
            "Please translate the following text into French and keep its…",
        ];
        assert_eq!(house.titles(), titles);
        assert_eq!(House::new(machine).titles(), titles);
        assert_eq!(house.chats.open_title(), titles[0]);
        // A name goes before it, and without one it is there again.
        house.chats.rename(house.chat(), "Poem");
        assert_eq!(house.titles()[0], "Poem");
        house.chats.rename(house.chat(), "");
        assert_eq!(house.titles(), titles);
    });
}

#[test]
fn several_chats_are_deleted_as_one_step() {
    reactive(|machine, house| {
        let [first, second, third] = three(machine, house);
        house.list.select_to(second);
        assert_eq!(
            house.list.selection.get_untracked(),
            [third, second],
            "from the open chat on"
        );
        house.list.toggle(third);
        house.list.select_to(first);
        assert_eq!(house.list.selection.get_untracked(), [third, second, first]);
        house.list.toggle(first);
        house.list.set_selecting(false);
        house.list.add([second, third].into_iter());
        assert_eq!(house.list.selection.get_untracked(), [third, second]);
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(100.0);
        house.list.delete_selected();
        assert!(!house.answers.runs_in(third), "what ran there is stopped");
        assert!(!house.list.selected.with_untracked(Option::is_some));
        assert_eq!(house.titles(), ["first"]);
        assert_eq!(house.chat(), first);
        assert_eq!(house.toast().as_deref(), Some("Deleted 2 chats"));
        house.undo_offer();
        assert_eq!(house.titles(), ["third", "second", "first"]);
        assert!(!house.chats.undo_last(), "it is taken back once");
    });
}

#[test]
fn a_selected_chat_that_another_tab_deleted_is_selected_no_more() {
    two_tabs(|machine, house, _, other| {
        let gone = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "Stays", "Yes.");
        let stays = house.chat();
        house.list.add([gone, stays].into_iter());
        assert_eq!(house.list.selection.get_untracked(), [stays, gone]);
        other.answers.delete_chat(gone);
        machine.tell(house.tabs);
        assert_eq!(house.list.selection.get_untracked(), [stays]);
        house.list.delete_selected();
        assert!(house.titles().is_empty());
        assert_eq!(house.toast().as_deref(), Some("Deleted “Stays”"));
    });
}

#[test]
fn undo_of_deletions_restores_them_all_and_opens_only_what_was_open() {
    reactive(|machine, house| {
        let [first, second, third] = three(machine, house);
        house.list.add([first, second].into_iter());
        house.list.delete_selected();
        assert_eq!(house.chat(), third);
        assert!(house.chats.undo_last());
        assert_eq!(house.titles(), ["third", "second", "first"]);
        assert_eq!(house.chat(), third, "none of them was open");

        // One after the other, from the list.
        for chat in [first, second] {
            house.answers.delete_chat(chat);
        }
        assert!(house.chats.undo_last() && house.chats.undo_last());
        assert_eq!(house.titles(), ["third", "second", "first"]);
        assert_eq!(house.chat(), third);

        // The open one too: it is open again.
        house.list.add([first, third].into_iter());
        house.list.delete_selected();
        assert_eq!(house.chat(), second);
        assert!(house.chats.undo_last());
        assert_eq!(house.chat(), third);

        // Who has opened another chat since stays there.
        house.list.add([third].into_iter());
        house.list.delete_selected();
        house.chats.open_chat(first);
        assert!(house.chats.undo_last());
        assert_eq!(house.titles(), ["third", "second", "first"]);
        assert_eq!(house.chat(), first);
    });
}

#[test]
fn what_ends_while_a_chat_is_not_open_is_marked_until_it_is_opened() {
    reactive(|machine, house| {
        let [first, second, _] = three(machine, house);
        house.chats.open_chat(first);
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(100.0);
        house.chats.open_chat(second);
        assert!(!house.chats.has_finished(first));
        house.answers.stop(first);
        assert!(house.chats.has_finished(first));
        assert!(!house.chats.has_finished(second));
        house.chats.open_chat(first);
        assert!(!house.chats.has_finished(first));
    });
}

#[test]
fn thousands_of_chats_are_changed_in_slices_as_one_step() {
    const COUNT: u64 = 2_000;
    reactive(|machine, house| {
        house.exchange(machine, "Open", "Yes");
        house.storage.with_log(|log| {
            for n in 0..COUNT {
                let mut head = Head::new(Id(1 << 40 | n), n + 1);
                head.title = Some(format!("Chat {n}"));
                log.save_head(&head).expect("there is room");
                let question = Message::new(Id(2 << 40 | n), None, 1, Role::User, n + 1);
                log.save_message(head.id, &question).expect("there is room");
            }
        });
        house.chats.refresh_list();
        let all = COUNT as usize + 1;
        assert_eq!(house.titles().len(), all);
        let archived = || {
            let is_archived =
                |list: &Vec<_>| list.iter().filter(|c: &&ChatListEntry| c.archived).count();
            house.chats.list.with_untracked(is_archived)
        };

        house.list.select_all();
        house.list.archive_selected();
        settle();
        let at_first = archived();
        assert!(at_first > 0 && at_first < all, "a slice: {at_first}");
        // A chat that goes meanwhile is left out.
        house.answers.delete_chat(Id(1 << 40));
        for _ in 0..100 {
            machine.pass(10.0);
        }
        assert_eq!(archived(), all - 1);
        assert_eq!(house.toast().as_deref(), Some("Archived 2,001 chats"));
        house.undo_offer();
        for _ in 0..100 {
            machine.pass(10.0);
        }
        assert_eq!((archived(), house.titles().len()), (0, all - 1));

        house.list.select_all();
        house.list.delete_selected();
        for _ in 0..100 {
            machine.pass(10.0);
        }
        assert!(house.titles().is_empty() && house.texts().is_empty());
        let before = house.toast();
        assert_eq!(before.as_deref(), Some("Deleted 2,000 chats"));
        house.undo_offer();
        for _ in 0..100 {
            machine.pass(10.0);
        }
        assert_eq!(house.titles().len(), all - 1);
        let reopened = House::new(machine);
        assert_eq!(reopened.titles(), house.titles(), "in the log's order");
    });
}

#[test]
fn the_mark_of_what_ended_survives_a_reload_and_goes_in_every_tab() {
    reactive(|machine, house| {
        let [first, second, _] = three(machine, house);
        house.chats.open_chat(first);
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(100.0);
        house.chats.open_chat(second);
        house.answers.stop(first);
        let again = House::reopened(machine, Some(second));
        assert!(again.chats.has_finished(first));
        assert!(!again.chats.has_finished(second));
        let there = machine.another_tab();
        let other = House::reopened(&there, Some(second));
        assert!(other.chats.has_finished(first));
        other.chats.open_chat(first);
        assert!(!other.chats.has_finished(first));
        machine.tell(again.tabs);
        assert!(!again.chats.has_finished(first));
        // The chat that a reload opens is seen, too.
        assert!(
            !House::reopened(machine, Some(first))
                .chats
                .has_finished(first)
        );
    });
}

#[test]
fn what_ends_in_another_tab_is_marked_too() {
    two_tabs(|machine, house, there, other| {
        let chat = house.chat();
        house.chats.begin_chat();
        other.exchange(there, "More", "Enough");
        machine.tell(house.tabs);
        assert!(house.chats.has_finished(chat));
    });
}

#[test]
fn a_chat_of_a_folder_is_asked_with_its_prompt_and_model_and_the_receipt_stays_true() {
    reactive(|machine, house| {
        let work = house.list.folder_named("Work");
        house.list.change_folder(work, |folder| {
            folder.system = Some("Be formal.".into());
            folder.set_model(Some(ModelId::new(None, "big:latest")));
            folder.parameters.insert("top_k".into(), json!(7));
        });
        let empty = house.steering.fit.get_untracked().1;
        house.chats.begin_chat_in(work);
        assert_eq!(
            house.steering.model.get_untracked(),
            Some(ModelId::new(None, "big:latest"))
        );
        let tokens = house.steering.fit.get_untracked().1;
        assert!(
            tokens > empty,
            "the prompt of the folder is counted before it is sent"
        );
        let (_, answer) = house.exchange(machine, "Hi", "Good day.");
        let request = machine.requests.borrow().last().unwrap().clone();
        assert_eq!(request.system.as_deref(), Some("Be formal."));
        assert_eq!(request.model, "big:latest");
        assert_eq!(request.options.unwrap()["top_k"], 7);
        assert_eq!(request.upstream, Upstream::default());
        house.list.change_folder(work, |folder| {
            folder.name = "Office".into();
            folder.system = Some("Be rude.".into());
        });
        // Now and after a reload the receipt says what went then.
        for house in [house, House::new(machine)] {
            house.chats.open.with_untracked(|chat| {
                let receipt = chat.get(answer).unwrap().receipt.clone().unwrap();
                assert_eq!(chat.head.system_at(receipt.system), Some("Be formal."));
                assert_eq!(
                    receipt.from_folder.map(|from| from.sentence()).as_deref(),
                    Some("From the folder Work: system prompt, model, top_k.")
                );
                assert_eq!(chat.head.system_prompt().unwrap().text, "Be rude.");
            });
        }
        // The chat's own prompt goes before that of the folder, and its receipt says so.
        house.steering.set_system("Be brief.");
        let (_, answer) = house.exchange(machine, "Again", "OK.");
        let request = machine.requests.borrow().last().unwrap().clone();
        assert_eq!(request.system.as_deref(), Some("Be brief."));
        let receipt = house.chats.message(answer).unwrap().receipt.unwrap();
        let from = receipt.from_folder.unwrap();
        assert_eq!((from.folder.as_str(), from.system), ("Office", false));
        // Out of the folder nothing of it goes.
        house.steering.set_system("");
        house.list.move_chats(&[house.chat()], None);
        house.chats.choose_model(ModelId::new(None, "tiny:latest"));
        house.exchange(machine, "Once more", "Yes.");
        let request = machine.requests.borrow().last().unwrap().clone();
        assert_eq!((request.system, request.options), (None, None));
    });
}

#[test]
fn a_folder_that_another_tab_changes_is_the_folder_here() {
    two_tabs(|machine, house, there, other| {
        let work = other.list.folder_named("Work");
        other.list.move_chats(&[other.chat()], Some(work));
        machine.tell(house.tabs);
        assert_eq!(rows(house), ["# Work", "- Hi"]);
        other
            .list
            .change_folder(work, |folder| folder.system = Some("Be formal.".into()));
        machine.tell(house.tabs);
        let text = |house: House| {
            house.chats.open.with_untracked(|chat| {
                chat.head
                    .system_prompt()
                    .map(|system| system.text.to_owned())
            })
        };
        assert_eq!(text(house).as_deref(), Some("Be formal."));
        let mut draft = other.chats.folder(work).unwrap();
        house.list.delete_folder(work);
        there.tell(other.tabs);
        assert_eq!(text(other), None);
        assert_eq!(rows(other), ["# Today", "Hi"]);
        // Deleted there while its settings are written here: what was written is kept.
        draft.system = Some("Be brief.".into());
        other.list.save_folder(Some(work), draft);
        machine.tell(house.tabs);
        assert_eq!(text(house).as_deref(), Some("Be brief."));
        assert_eq!(rows(house), ["# Work", "- Hi"]);
    });
}

/// Holds `Chats::change_in_slices`: each chat is looked up when its slice comes.
#[test]
fn a_chat_that_is_deleted_between_slices_is_left_where_it_is() {
    reactive(|machine, house| {
        let chats = house.begin_chats(machine, 60);
        let head = |chat| house.storage.with_log(|log| log.head(chat)).flatten();
        let is_archived = |chat| head(chat).is_some_and(|head: Head| head.archived.is_some());
        house.list.archive_chats(&chats, true);
        settle();
        let [first, .., last, deleted] = chats[..] else {
            panic!("sixty chats");
        };
        assert!(
            is_archived(first) && !is_archived(last),
            "the next slice waits"
        );
        house.answers.delete_chat(deleted);
        machine.pass(1_000.0);
        assert!(is_archived(last) && !is_archived(deleted));
        house.undo_offer();
        machine.pass(1_000.0);
        assert!(!is_archived(first) && !is_archived(last));
        assert!(house.chats.is_gone(deleted), "it is still deleted");
    });
}
