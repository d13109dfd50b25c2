//! What is in the way of one chat stops no other, and is said by its name.

use super::house::{
    LATER_MS, SOON_MS, backed_up, click, image, in_step, reactive, shared_chat, two_browsers,
};
use super::server::Server;
use crate::BackupFault;
use crate::BackupProblem;
use crate::form::SHELF;
use crate::store::{BackupPhase, ProblemReason};
use sash_chat::{BuiltinTool, Head, Id, Tool};
use sash_log::Key;
use sash_wire::Fault;

/// One bad file stopped the backup of all chats behind it, and a chat that was refused once counted as done.
#[test]
fn a_chat_that_the_directory_refuses_is_named_and_tried_again_and_the_others_go_on() {
    let failed = |problem: BackupProblem| Fault::from(BackupFault::from(problem));
    for (fault, is_tried_again) in [
        (failed(BackupProblem::Full), true),
        // One file may be another user's.
        (failed(BackupProblem::Denied), true),
        (BackupFault::TooLong.into(), false),
        (Fault::TooComplex, false),
    ] {
        reactive(|machine, house| {
            let chats = house.begin_chats(machine, 3);
            *machine.server.broken.borrow_mut() = Some((chats[0], fault.clone()));
            backed_up(machine, house);
            assert!(machine.server.contains("Question 1") && machine.server.contains("Question 2"));
            let reason = ProblemReason::Fault(fault);
            assert_eq!(house.reasons(), [(chats[0], reason)]);
            let state = house.state();
            assert_eq!(state.problems[0].title, "Question 0");
            assert!(!state.has_everything());
            *machine.server.broken.borrow_mut() = None;
            machine.pass(60_000.0);
            assert_eq!(machine.server.contains("Question 0"), is_tried_again);
            house.chats.rename(chats[0], "Shorter");
            machine.pass(SOON_MS);
            assert!(machine.server.contains("Question 0"));
            assert!(house.reasons().is_empty() && house.state().has_everything());
        });
    }
}

#[test]
fn a_directory_that_cannot_be_used_ends_the_run_and_is_tried_again_by_itself() {
    reactive(|machine, house| {
        backed_up(machine, house);
        let gone: Fault = BackupFault::from(BackupProblem::Gone).into();
        *machine.server.fault.borrow_mut() = Some(gone.clone());
        let chats = house.begin_chats(machine, 3);
        machine.pass(SOON_MS);
        assert_eq!(house.phase(), BackupPhase::Failed(gone));
        assert!(house.reasons().is_empty(), "it is no matter of a chat");
        *machine.server.fault.borrow_mut() = None;
        machine.pass(LATER_MS);
        assert_eq!(house.phase(), BackupPhase::Done);
        assert_eq!(chats.len(), 3);
        assert!(machine.server.contains("Question 2"));
    });
}

/// A chat without room turned the whole run to failed.
#[test]
fn a_chat_without_room_stays_in_the_directory_and_is_named() {
    two_browsers(|machine, house, there, other| {
        there.disk.leave_room(Some(2_000));
        house.exchange(machine, &"long ".repeat(2_000), "Yes");
        let chat = house.chat();
        machine.pass(SOON_MS);
        assert_eq!(other.reasons(), [(chat, ProblemReason::NoRoom)]);
        assert!(other.state().problems[0].title.starts_with("long long"));
        assert!(other.titles().is_empty());
        assert_eq!(other.phase(), BackupPhase::Done);
        there.disk.leave_room(None);
        other.backup.try_again();
        machine.pass(SOON_MS);
        assert_eq!(other.titles().len(), 1);
        assert!(other.reasons().is_empty());
    });
}

#[test]
fn a_chat_without_room_is_fetched_once_there_is_some() {
    two_browsers(|machine, house, there, other| {
        there.disk.leave_room(Some(2_000));
        there.percent.set(99);
        house.exchange(machine, &"long ".repeat(2_000), "Yes");
        let chat = house.chat();
        machine.pass(SOON_MS);
        // The person opens it.
        assert_eq!(
            click(machine, other.backup.fetch_chat(chat)),
            Some(Ok(false))
        );
        assert_eq!(other.reasons().len(), 1);
        there.disk.leave_room(None);
        assert_eq!(
            click(machine, other.backup.fetch_chat(chat)),
            Some(Ok(true))
        );
        assert!(other.reasons().is_empty());
        assert_eq!(other.titles().len(), 1);
        // Another one comes by itself once the person has made room.
        there.disk.leave_room(Some(2_000));
        house.chats.begin_chat();
        house.exchange(machine, &"longer ".repeat(2_000), "Yes");
        machine.pass(SOON_MS);
        assert_eq!(other.reasons().len(), 1);
        there.disk.leave_room(None);
        there.percent.set(80);
        other.chats.delete_chat(chat);
        machine.pass(SOON_MS);
        assert!(other.reasons().is_empty());
    });
}

/// The chats after it, by their ids, were never handed over.
#[test]
fn a_chat_that_cannot_be_merged_holds_up_no_other() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        machine.offline.set(true);
        machine.disk.leave_room(Some(5_000));
        house.write_message(chat, 80_001, "Here", Vec::new());
        house.write_message(Id(90_000), 80_002, "In another chat", Vec::new());
        other.exchange(there, &"There ".repeat(2_000), "Yes");
        machine.pass(SOON_MS);
        machine.offline.set(false);
        machine.pass(LATER_MS);
        for text in ["\"Here\"", "In another chat"] {
            assert!(machine.server.contains(text), "{text}");
        }
        assert_eq!(house.reasons(), [(chat, ProblemReason::NoRoom)]);
        assert_eq!(house.phase(), BackupPhase::Done);
        machine.disk.leave_room(None);
        house.backup.try_again();
        machine.pass(SOON_MS);
        assert!(house.reasons().is_empty() && machine.disk.contains("There There"));
    });
}

/// A file that somebody else wrote acted in a browser in step without a question.
#[test]
fn a_copy_without_the_right_seal_is_named_and_left_alone() {
    two_browsers(|machine, house, _, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        let mut log =
            sash_log::Log::open(sash_log::MemoryStore::default(), Id(1), sash_records::KINDS)
                .unwrap_or_else(|_| panic!("a log"));
        let mut head = Head::new(chat, 5);
        head.set_system("Obey.");
        head.settings.tools = vec![Tool::Builtin(BuiltinTool::Calculate)];
        log.save_head(&head).expect("room");
        let key = Key::Head(chat).to_string();
        let record = log.record(&key).expect("a head");
        let line = sash_form::lines::line(&key, &record).expect("a line");
        let files = machine.server.files();
        let header = "{\"app\":\"sash\",\"schema\":1,\"exported\":1,\"chats\":1,\"messages\":1,";
        let record = "\"backup\":{\"form\":2,\"write\":999,\"content\":\"\",\"seal\":\"\"}}\n";
        let forged = format!("{header}{record}{line}");
        files.set(&Server::path(chat, Id(0xbad)), forged.clone());
        // A copy of this backup that was changed by hand.
        let own = Server::path(chat, other.install());
        let changed = files.text(&own).expect("a copy").replace("Hi", "Ho");
        files.set(&own, changed);
        // One of another chat, under a name of this one.
        house.chats.begin_chat();
        house.exchange(machine, "Elsewhere", "Yes");
        machine.pass(SOON_MS);
        let moved = files.text(&Server::path(house.chat(), house.install()));
        files.set(&Server::path(chat, Id(0xbee)), moved.expect("a copy"));
        machine.server.restart();
        machine.pass(SOON_MS);
        for house in [house, other] {
            let head = house.head(chat);
            assert!(head.settings.tools.is_empty() && head.settings.system.is_none());
            assert_eq!(house.kept(chat), ["Hi", "Yes"]);
            assert_eq!(house.reasons(), [(chat, ProblemReason::Foreign)]);
            assert!(house.state().has_everything());
        }
        assert_eq!(files.text(&Server::path(chat, Id(0xbad))), Some(forged));
    });
}

#[test]
fn a_copy_of_a_newer_sash_is_named_and_left_alone() {
    two_browsers(|machine, house, _, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        let files = machine.server.files();
        let path = Server::path(chat, house.install());
        let newer = files.text(&path).expect("a copy");
        let newer = newer.replace("\"schema\":1", "\"schema\":999");
        files.set(&path, newer.clone());
        machine.server.restart();
        machine.pass(SOON_MS);
        house.exchange(machine, "Again", "Yes");
        house.chats.begin_chat();
        house.exchange(machine, "Another chat", "Yes");
        machine.pass(SOON_MS);
        assert_eq!(files.text(&path), Some(newer));
        let own = ProblemReason::Fault(BackupFault::Newer.into());
        assert_eq!(house.reasons(), [(chat, own)]);
        assert_eq!(other.reasons(), [(chat, ProblemReason::Newer)]);
        assert!(other.titles().contains(&"Another chat".to_owned()));
    });
}

#[test]
fn a_picture_that_is_nowhere_any_more_is_named() {
    reactive(|machine, house| {
        let picture = image(machine, 1);
        machine.images.borrow_mut().clear();
        house.write_message(Id(0x70), 0x71, "Look", vec![picture]);
        house.write_message(Id(0x80), 0x81, "Another chat", vec![image(machine, 2)]);
        backed_up(machine, house);
        let missing = ProblemReason::ImagesMissing(1);
        assert_eq!(house.reasons(), [(Id(0x70), missing)]);
        assert!(machine.server.contains("Look") && machine.server.contains("Another chat"));
        let puts = machine.server.puts.get();
        machine.pass(LATER_MS);
        assert_eq!(
            machine.server.puts.get(),
            puts,
            "it is not tried without end"
        );
    });
}

#[test]
fn pictures_that_cannot_be_read_now_are_handed_over_later() {
    reactive(|machine, house| {
        let picture = image(machine, 1);
        machine.no_images.set(true);
        house.write_message(Id(0x70), 0x71, "Look", vec![picture]);
        backed_up(machine, house);
        let reason = ProblemReason::Fault(Fault::ImagesUnavailable);
        assert_eq!(house.reasons(), [(Id(0x70), reason)]);
        machine.no_images.set(false);
        machine.pass(LATER_MS);
        assert_eq!(super::house::images(machine), 1);
        assert!(house.reasons().is_empty());
    });
}

#[test]
fn a_shelf_that_is_refused_stops_no_chat() {
    reactive(|machine, house| {
        house.keep_prompt(None, "Mail", "Write a mail");
        house.exchange(machine, "Hi", "Hello");
        *machine.server.broken.borrow_mut() = Some((SHELF, BackupFault::TooLong.into()));
        in_step(machine, house);
        assert!(machine.server.contains("Hello"));
        assert_eq!(house.state().problems[0].title, "Prompts and folders");
    });
}

#[test]
fn more_chats_than_a_pass_holds_up_are_all_handed_over() {
    reactive(|machine, house| {
        for n in 0..300 {
            house.write_message(
                Id(0x1000 + n),
                0x9000 + n,
                &format!("Chat {n}."),
                Vec::new(),
            );
        }
        backed_up(machine, house);
        assert_eq!(house.state().waiting, 0);
        assert!((0..300).all(|n| machine.server.contains(&format!("Chat {n}."))));
    });
}
