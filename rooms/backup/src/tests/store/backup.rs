//! What changes is in the directory seconds later.

use super::house::{House, SOON_MS, backed_up, image, images, keep_backup, reactive};
use super::server::{KEY, Server};
use crate::call::PutRequest;
use crate::clock::Fields;
use crate::directory::BackupDirectory;
use crate::store::BackupPhase;
use crate::tests::store::server::seal_key;
use futures::FutureExt;
use sash_chat::{Folder, Id, Message, Role};
use sash_harness::{says, settle, text};
use sash_log::{ImportManifest, Key, encode_record};
use sash_wire::Fault;

#[test]
fn without_the_flag_nothing_is_asked_and_nothing_is_sent() {
    reactive(|machine, house| {
        house.backup.set_key(KEY);
        house.exchange(machine, "Hi", "Hello");
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::Off);
        assert!(machine.server.snapshot().is_empty() && machine.server.lists.get() == 0);
    });
}

#[test]
fn each_change_is_in_the_directory_seconds_later() {
    reactive(|machine, house| {
        house.exchange(machine, "Before the key", "Yes");
        backed_up(machine, house);
        assert!(machine.server.contains("Before the key"));
        house.exchange(machine, "After the key", "Yes");
        machine.pass(SOON_MS);
        assert!(machine.server.contains("After the key"));
        let puts = machine.server.puts.get();
        machine.pass(60_000.0);
        assert_eq!(machine.server.puts.get(), puts, "nothing changed");
        house.chats.rename(house.chat(), "A new title");
        machine.pass(SOON_MS);
        assert!(machine.server.contains("A new title"));
        let state = house.state();
        assert!(state.last.is_some() && state.waiting == 0 && state.problem().is_none());
        assert!(state.has_everything());
    });
}

/// The whole chat was handed over, merged and written every two seconds while an answer ran.
#[test]
fn a_running_answer_goes_along_at_its_beginning_once_a_minute_and_at_its_end() {
    reactive(|machine, house| {
        backed_up(machine, house);
        let answer = machine.stream_answer();
        assert!(house.answers.ask("A question".to_owned()));
        machine.pass(SOON_MS);
        assert!(machine.server.contains("A question"));
        let puts = machine.server.puts.get();
        for _ in 0..50 {
            answer.unbounded_send(text("word ")).expect("a page");
            machine.pass(1_000.0);
        }
        assert_eq!(machine.server.puts.get(), puts);
        machine.pass(10_000.0);
        assert_eq!(machine.server.puts.get(), puts + 1);
        assert!(machine.server.contains("word word"));
        for frame in says(&["and the end"]) {
            answer.unbounded_send(frame).expect("a page");
        }
        machine.pass(SOON_MS);
        assert!(machine.server.contains("and the end"), "it does not wait");
        assert_eq!(machine.server.puts.get(), puts + 2);
    });
}

#[test]
fn a_temporary_chat_is_never_handed_over() {
    reactive(|machine, house| {
        backed_up(machine, house);
        house.chats.begin_temporary();
        house.exchange(machine, "A secret", "Yes, a secret");
        machine.pass(SOON_MS);
        assert!(!machine.server.contains("secret"));
    });
}

#[test]
fn what_changed_while_the_server_was_away_is_handed_over_at_the_start_and_nothing_else() {
    reactive(|machine, house| {
        backed_up(machine, house);
        house.exchange(machine, "One", "Yes");
        house.chats.begin_chat();
        house.exchange(machine, "Two", "Yes");
        machine.pass(SOON_MS);
        *machine.server.fault.borrow_mut() = Some(Fault::ConnectionLost);
        house.exchange(machine, "While it was away", "Yes");
        machine.pass(SOON_MS);
        assert!(matches!(house.phase(), BackupPhase::Failed(_)));
        assert_eq!(house.state().problem(), None);
        machine.pass(60_000.0);
        // It is said after a while, and tried again by itself.
        assert!(house.state().problem().is_some());
        *machine.server.fault.borrow_mut() = None;
        let puts = machine.server.puts.get();
        machine.close_tab();
        let there = machine.another_tab();
        let again = House::new(&there);
        machine.pass(SOON_MS);
        assert_eq!(again.phase(), BackupPhase::Done);
        assert!(machine.server.contains("While it was away"));
        assert_eq!(machine.server.puts.get(), puts + 1);
    });
}

/// Holds `Backup::resume`: what was being handed over when a run ended is handed over by the next one.
#[test]
fn what_a_run_that_was_ended_left_is_handed_over_by_the_next() {
    reactive(|machine, house| {
        backed_up(machine, house);
        house.exchange(machine, "One", "Yes");
        let first = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "Two", "Yes");
        machine.pass(SOON_MS);
        let late = machine.server.slow_puts.hold_back();
        house.exchange(machine, "On its way", "Yes");
        machine.pass(SOON_MS);
        house.exchange(machine, "Written meanwhile", "Yes");
        house.chats.rename(first, "A new title");
        house.backup.try_again();
        settle();
        machine.pass(SOON_MS);
        assert!(machine.server.contains("A new title"));
        assert!(machine.server.contains("Written meanwhile"));
        assert!(late.send(()).is_err(), "nobody waits for it");
        assert_eq!(house.phase(), BackupPhase::Done);
    });
}

#[test]
fn what_was_written_by_a_put_without_an_answer_is_no_other_change() {
    reactive(|machine, house| {
        backed_up(machine, house);
        house.exchange(machine, "Hi", "Hello");
        machine.pass(SOON_MS);
        house.chats.rename(house.chat(), "A title");
        let lost = machine.server.slow_puts.hold_back();
        machine.pass(SOON_MS);
        // It is written, and the page hears nothing of it.
        assert!(machine.server.contains("A title"));
        house.backup.try_again();
        drop(lost);
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::Done);
        let own = Server::path(house.chat(), house.install());
        let copy = machine.server.files().text(&own).expect("a copy");
        assert!(copy.contains("\"title\":[1,"), "one change: {copy}");
    });
}

/// Any write of a folder of the list marked every chat as changed.
#[test]
fn a_folder_that_changes_hands_over_the_shelf_and_no_chat() {
    reactive(|machine, house| {
        let folder = Folder::new(Id(4), "Work", 1);
        assert!(house.storage.write(|log| log.save_folder(&folder)));
        house.exchange(machine, "Hi", "Hello");
        house
            .chats
            .change_head(house.chat(), |head| head.folder = Some(Id(4)));
        backed_up(machine, house);
        let puts = machine.server.puts.get();
        let renamed = Folder {
            rev: 1,
            name: "Projects".to_owned(),
            ..folder
        };
        assert!(house.storage.write(|log| log.save_folder(&renamed)));
        machine.pass(SOON_MS);
        assert!(machine.server.contains("Projects"));
        assert_eq!(machine.server.puts.get(), puts + 1);
    });
}

/// What a stopped import brought was in the folder and in other browsers already.
#[test]
fn what_an_import_brings_is_handed_over_once_it_is_done() {
    reactive(|machine, house| {
        house.exchange(machine, "Mine", "Yes");
        backed_up(machine, house);
        let (chat, message) = (Id(0x77), Id(0x78));
        let head = sash_chat::Head::new(chat, 5);
        let question = Message {
            content: "Imported".to_owned(),
            ..Message::new(message, None, 1, Role::User, 5)
        };
        let keys = [Key::Head(chat), Key::Message(chat, 1, message)];
        let manifest = ImportManifest {
            keys: keys.iter().map(Key::to_string).collect(),
            ..ImportManifest::default()
        };
        let import = Id(0x99);
        house.storage.with_log(|log| {
            log.save_manifest(import, &manifest).expect("room");
            log.add_imported(keys[0], &encode_record(&head))
                .expect("room");
            log.add_imported(keys[1], &encode_record(&question))
                .expect("room");
        });
        house.exchange(machine, "Mine meanwhile", "Yes");
        machine.pass(60_000.0);
        assert!(machine.server.contains("Mine meanwhile"));
        assert!(!machine.server.contains("Imported"));
        let done = house
            .storage
            .with_log(|log| log.finish_import(import, &ImportManifest::default()));
        assert_eq!(done, Some(true));
        machine.pass(SOON_MS);
        assert!(machine.server.contains("Imported"));
    });
}

/// The folder counted as complete, and they were never written again.
#[test]
fn pictures_that_the_directory_lost_are_written_again_at_the_next_start() {
    reactive(|machine, house| {
        let picture = image(machine, 1);
        house.write_message(Id(0x70), 0x71, "Look", vec![picture]);
        backed_up(machine, house);
        assert_eq!(images(machine), 1);
        let files = machine.server.files();
        let mut paths = files.paths().into_iter();
        let path = paths.find(|path| path.starts_with("images/"));
        let path = path.expect("a picture");
        let bytes = files.files.borrow()[&path].bytes.clone();
        // An empty file is what a write left that was broken off on a device.
        for is_gone in [true, false] {
            let files = machine.server.files();
            match is_gone {
                true => files.unset(&path),
                false => files.set(&path, ""),
            }
            machine.server.restart();
            house.backup.try_again();
            machine.pass(SOON_MS);
            let files = machine.server.files();
            assert_eq!(files.files.borrow()[&path].bytes, bytes);
        }
    });
}

#[test]
fn of_two_browsers_that_are_not_in_step_each_writes_its_own_copy() {
    reactive(|machine, house| {
        backed_up(machine, house);
        house.exchange(machine, "Mine", "Yes");
        machine.pass(SOON_MS);
        let chat = house.chat();
        let theirs = PutRequest {
            chat,
            browser: Id(0xbb),
            lines: crate::tests::written_lines(chat, 0x777, "Theirs"),
            write: 0,
            state: String::new(),
            title: "A title".to_owned(),
            running: Vec::new(),
            fields: Fields::new(),
        };
        let (files, key) = (machine.server.files(), seal_key());
        let headers = Default::default();
        let directory = BackupDirectory::new(&*files, &key, &headers);
        directory
            .put(&theirs)
            .now_or_never()
            .expect("at once")
            .expect("room");
        let before = files.text(&Server::path(chat, Id(0xbb)));
        house.exchange(machine, "Mine again", "Yes");
        machine.pass(SOON_MS);
        assert!(machine.server.contains("Mine again"));
        assert!(!machine.disk.contains("Theirs"));
        assert_eq!(files.text(&Server::path(chat, Id(0xbb))), before);
        assert_eq!(house.phase(), BackupPhase::Done);
    });
}

#[test]
fn a_chat_that_has_not_changed_is_not_handed_over_at_a_start() {
    reactive(|machine, house| {
        house.begin_chats(machine, 5);
        backed_up(machine, house);
        let (puts, gets) = (machine.server.puts.get(), machine.server.gets.get());
        house.backup.try_again();
        machine.pass(SOON_MS);
        assert_eq!(
            (machine.server.puts.get(), machine.server.gets.get()),
            (puts, gets)
        );
        keep_backup(machine, house, true);
        assert_eq!(house.phase(), BackupPhase::Done);
    });
}
