//! Refreshes of what is shown, after the log was changed past the stores.

use reactive_graph::prelude::*;
use sash_chat::{Id, Message, Role};
use sash_harness::{reactive, text};
use sash_stores::LogEvent;

#[test]
fn what_was_restored_and_removed_there_is_shown() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        let first = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "second", "two");
        house.answers.delete_chat(first);
        house.storage.with_log(|log| log.restore(first));
        let message = house.chats.message(house.chats.path.get_untracked()[1]);
        let message = message.expect("the answer");
        let chat = house.chat();
        house
            .storage
            .write(|log| log.remove_message(chat, &message, 0));
        let purged = house
            .storage
            .with_log(|log| log.purge_messages(chat, &[message.id], 0));
        assert_eq!(purged, Some(Ok(())));
        house.storage.events().emit(&LogEvent::ManyWritten);
        assert_eq!(house.titles(), ["second", "Hi"]);
        assert_eq!(house.texts(), ["second"]);
        assert_ne!(message.id, answer);
    });
}

#[test]
fn a_refresh_does_not_disturb_the_answer_that_runs() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(100.0);
        let chat = house.chat();
        // An imported version of the question: the branch of the newest message is shown.
        let imported = Message {
            content: "Imported".to_owned(),
            ..Message::new(Id(5000), Some(answer), 9, Role::User, 0)
        };
        house.storage.write(|log| log.save_message(chat, &imported));
        house.storage.events().emit(&LogEvent::ManyWritten);
        assert!(house.answers.runs_in(chat));
        assert_eq!(house.texts()[2], "Long");
        house.answers.stop(chat);
        assert!(house.chats.message(imported.id).is_some());
        assert_eq!(house.kept(chat), house.texts());
    });
}

/// A log that was cleared from outside holds no branch of the open chat: what is on the screen is all there is.
#[test]
fn what_is_shown_stays_when_the_page_reads_a_log_that_someone_cleared() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        machine.disk.clear();
        house.tabs.on_storage_event(None, false);
        machine.pass(50.0);
        house.exchange(machine, "More", "Enough");
        house.storage.events().emit(&LogEvent::ManyWritten);
        assert_eq!(house.texts(), ["Hi", "Hello", "More", "Enough"]);
    });
}
