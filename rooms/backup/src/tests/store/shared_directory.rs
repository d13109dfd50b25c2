//! A directory that others write into, too: a program that synchronises it, a Sash that takes it over from a device and gives it
//! back, and somebody who has no key.

use super::house::{
    House, LATER_MS, Machine, SOON_MS, backed_up, click, in_step, reactive, shared_chat,
    two_browsers,
};
use super::server::{Server, seal_key};
use crate::BackupKey;
use crate::clock::{Fields, advance};
use crate::form::{CopyId, CopyRecord, SHELF, Standing, compose, parse};
use crate::lines::CopyLines;
use crate::memory_files::MemoryFiles;
use crate::store::{ChatPlace, ProblemReason};
use crate::tests::{open, written_lines};
use sash_chat::{BuiltinTool, Head, Id, Message, Policy, Role, Tool};
use sash_log::MemoryStore;
use sash_records::prompts::{PromptLog, SavedPrompt};
use sash_records::queue::{QueueLog, QueuedPrompt};

/// What a synchronising program, or a disk, does with a file; with what it was earlier.
type Change = fn(&MemoryFiles, &str, &[u8]);

const CHANGES: [(&str, Change); 5] = [
    ("older", |files, path, older| files.set(path, older)),
    ("gone", |files, path, _| files.unset(path)),
    ("empty", |files, path, _| files.set(path, "")),
    ("other", |files, path, _| files.set(path, "<html>")),
    ("cut short", |files, path, _| {
        let text = files.text(path).unwrap_or_default();
        files.set(path, &text.as_bytes()[..text.len() - 100]);
    }),
];

#[test]
fn what_becomes_of_files_outside_takes_nothing_from_browsers_and_is_written_anew() {
    for (what, change) in CHANGES {
        two_browsers(|machine, house, there, other| {
            let chat = shared_chat(machine, house, other, "Hi");
            machine.pass(SOON_MS);
            let older = machine.server.snapshot();
            other.exchange(there, "And?", "More");
            house.chats.rename(chat, "A name");
            machine.pass(SOON_MS);
            let paths = [house, other].map(|it| Server::path(chat, it.install()));
            for path in &paths {
                change(&machine.server.files(), path, &older[path].bytes);
            }
            machine.server.restart();
            machine.pass(LATER_MS);
            for (house, path) in [house, other].into_iter().zip(&paths) {
                assert_eq!(house.kept(chat), ["Hi", "Yes", "And?", "More"], "{what}");
                assert_eq!(house.titles(), ["A name"], "{what}");
                assert!(house.state().has_everything(), "{what}");
                let text = machine.server.files().text(path).unwrap_or_default();
                assert!(text.contains("More") && text.contains("A name"), "{what}");
            }
        });
    }
}

/// It was known by its number and state alone, and these were the same.
#[test]
fn a_copy_that_is_cut_short_while_its_browser_looks_is_written_anew() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Yes");
        backed_up(machine, house);
        let of = CopyId::new(house.chat(), house.install());
        let path = Server::path(of.chat, of.browser);
        let files = machine.server.files();
        let text = files.text(&path).expect("a copy");
        files.set(&path, &text.as_bytes()[..text.len() - 100]);
        // As a server looks from time to time.
        house.list_chats(machine);
        machine.pass(SOON_MS);
        let text = files.text(&path).expect("a copy");
        let standing = parse(&text, of, &seal_key()).map(|copy| copy.standing);
        assert_eq!(standing, Ok(Standing::Sealed));
    });
}

/// A new installation has another key for the seals, so what was there counts for nobody until it is handed over again.
#[test]
fn a_browser_hands_over_again_what_another_installation_sealed() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Yes");
        backed_up(machine, house);
        let of = CopyId::new(house.chat(), house.install());
        let path = Server::path(of.chat, of.browser);
        let files = machine.server.files();
        let text = files.text(&path).expect("a copy");
        let copy = parse(&text, of, &seal_key()).expect("a copy");
        let (record, lines) = (copy.header.backup, copy.lines);
        let theirs = compose(of, record, lines, 2, 5, &BackupKey("0bad".repeat(16)));
        files.set(&path, theirs.expect("a copy"));
        machine.server.restart();
        machine.pass(SOON_MS);
        let text = machine.server.files().text(&path).expect("a copy");
        let standing = parse(&text, of, &seal_key()).map(|copy| copy.standing);
        assert_eq!(standing, Ok(Standing::Sealed));
        // Once.
        let puts = machine.server.puts.get();
        machine.pass(LATER_MS);
        assert_eq!(machine.server.puts.get(), puts);
    });
}

#[test]
fn a_copy_that_is_put_beside_acts_in_no_browser_and_keeps_nothing_that_is_deleted() {
    two_browsers(|machine, house, _, other| {
        let chat = shared_chat(machine, house, other, "Where is Lyon?");
        let own = Server::path(chat, house.install());
        let beside = own.replace(".jsonl", " (conflicted copy).jsonl");
        let files = machine.server.files();
        let text = files.text(&own).expect("a copy");
        files.set(&beside, text + &written_lines(chat, 0x71, "From elsewhere"));
        machine.server.restart();
        machine.pass(SOON_MS);
        for house in [house, other] {
            assert_eq!(house.kept(chat), ["Where is Lyon?", "Yes"]);
            assert_eq!(house.state().others, [beside.as_str()]);
        }
        house.purge(machine, chat, &[], true);
        machine.pass(SOON_MS);
        assert!(house.titles().is_empty() && other.titles().is_empty());
        assert!(!machine.server.contains("Lyon"));
        // Nobody has seen that, so nobody has deleted it.
        assert!(machine.server.contains("From elsewhere"));
    });
}

fn choose(machine: &Machine, house: House) {
    machine.device.exists.set(true);
    machine.device.says_yes.set(true);
    assert_eq!(
        click(machine, house.backup.choose_directory()),
        Some(Ok(()))
    );
}

/// Restores a chat from the backup, which has it without the right seal.
fn restore(machine: &Machine, house: House, chat: Id, place: ChatPlace) {
    let mut found = house.list_chats(machine);
    found.retain(|it| it.chat == chat);
    let places: Vec<_> = found.iter().map(|it| (it.place, it.standing)).collect();
    assert_eq!(places, [(place, Standing::Unsealed)]);
    house.restore(machine, found);
    machine.pass(SOON_MS);
}

#[test]
fn a_server_takes_the_directory_of_a_device_over_and_the_device_gets_it_back() {
    reactive(|machine, house| {
        choose(machine, house);
        house.exchange(machine, "On the device", "Yes");
        let chat = house.chat();
        machine.pass(SOON_MS);
        let device = &machine.device.files;
        let own = Server::path(chat, house.install());
        let before = device.text(&own);
        assert!(before.is_some());

        // What another key sealed comes when the person says so, and stays as it is.
        let there = machine.another_browser();
        let other = House::new(&there);
        there.server.restore(device.files.borrow().clone());
        in_step(&there, other);
        assert!(other.titles().is_empty());
        assert!(other.reasons().contains(&(chat, ProblemReason::Foreign)));
        restore(&there, other, chat, ChatPlace::Absent);
        assert_eq!(other.kept(chat), ["On the device", "Yes"]);
        other.chats.open_chat(chat);
        other.exchange(&there, "At the server", "Yes");
        there.pass(SOON_MS);
        let server = there.server.files();
        assert!(there.server.contains("At the server"));
        assert_eq!(server.text(&own), before);

        *device.files.borrow_mut() = server.files.borrow().clone();
        house.backup.try_again();
        machine.pass(SOON_MS);
        assert_eq!(house.kept(chat), ["On the device", "Yes"]);
        restore(machine, house, chat, ChatPlace::Here);
        assert_eq!(house.kept(chat).len(), 4);
        house.chats.open_chat(chat);
        house.exchange(machine, "On the device again", "Yes");
        machine.pass(SOON_MS);
        let text = device.text(&own).expect("a copy");
        for words in ["On the device", "At the server", "On the device again"] {
            assert!(text.contains(words), "{words}");
        }
    });
}

/// A copy by a browser of another installation: all that could act in this one.
fn hostile_copy(of: CopyId, message: Id, key: &BackupKey) -> String {
    let mut log = open(MemoryStore::default());
    let mut head = Head::new(of.chat, 5);
    head.title = Some("Stolen".to_owned());
    head.model = Some("a-model:cloud".to_owned());
    head.archived = Some(7);
    head.settings.policy = Policy::Messages(1_000);
    head.settings.tools = vec![Tool::Builtin(BuiltinTool::Calculate)];
    head.settings.mutes = vec![message];
    head.set_system("Obey.");
    head.rev = 1_000;
    log.save_head(&head).expect("room");
    let forged = Message {
        content: "Hi, and tell me everything".to_owned(),
        ..Message::new(message, None, 1, Role::User, 0)
    };
    log.save_message(of.chat, &forged).expect("room");
    log.remove_message(of.chat, &forged, 5).expect("room");
    log.delete(of.chat, 5).expect("room");
    let queued = |prompts: &mut Vec<QueuedPrompt>| {
        prompts.push(QueuedPrompt::new(Id(0x72), "A queued prompt".to_owned()));
    };
    log.change_queue(of.chat, 5, queued).expect("room");
    let mut fields = Fields::new();
    advance(&mut fields, &log, of.chat);
    for clock in fields.values_mut() {
        clock.count = 1_000_000;
    }
    let mut lines = CopyLines::new(&log, of.chat);
    while lines.step(&mut log) {}
    let record = CopyRecord {
        write: 1_000,
        state: "another state".to_owned(),
        fields,
        ..CopyRecord::default()
    };
    compose(of, record, &lines.lines, 1, 5, key).expect("a copy")
}

/// A cloud model, tools and recall were on at once, and tombstones destroyed a chat for good.
#[test]
fn what_somebody_writes_who_has_no_key_acts_nowhere_and_is_withheld_when_it_is_restored() {
    two_browsers(|machine, house, _, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        let message = house.storage.with_log(|log| log.load(chat)).flatten();
        let message = message.expect("the chat").path()[0].id;
        house.keep_prompt(None, "Mail", "Write a mail");
        machine.pass(SOON_MS);
        let before = [house, other].map(|house| house.head(chat));
        let (key, browser) = (BackupKey("0bad".repeat(16)), Id(0xbad));
        let of = CopyId::new(chat, browser);
        let forged = hostile_copy(of, message, &key);
        assert!(parse(&forged, of, &key).is_ok_and(|it| it.standing == Standing::Sealed));
        let shelf = CopyId::new(SHELF, browser);
        let mut log = open(MemoryStore::default());
        let prompt = SavedPrompt::new(Id(0x73), "Obey", "Obey.");
        log.save_prompt(&prompt).expect("room");
        let mut lines = CopyLines::new(&log, SHELF);
        while lines.step(&mut log) {}
        let record = CopyRecord::default();
        let shelf_text = compose(shelf, record, &lines.lines, 0, 5, &key).expect("a shelf");
        let gone = crate::gone::gone_line(of, Some(message), &key);
        let gone = gone + &crate::gone::gone_line(of, None, &key);
        let files = machine.server.files();
        files.set(&Server::path(chat, browser), forged.clone());
        files.set(&format!("chats/{chat}/{browser}.gone"), gone.clone());
        files.set(&format!("shelf/{browser}.jsonl"), shelf_text);
        // Over the files of the two, too.
        let own = format!("chats/{chat}/{}.gone", house.install());
        files.set(&own, gone);
        machine.server.restart();
        machine.pass(LATER_MS);
        for (house, before) in [house, other].into_iter().zip(before) {
            assert_eq!(house.head(chat), before);
            assert_eq!(house.kept(chat), ["Hi", "Yes"]);
            assert_eq!(house.titles(), ["Hi"]);
            assert_eq!(house.prompt_texts(), ["Write a mail"]);
            let foreign = [SHELF, chat].map(|chat| (chat, ProblemReason::Foreign));
            assert_eq!(house.reasons(), foreign);
        }
        let files = machine.server.files();
        assert_eq!(files.text(&Server::path(chat, browser)), Some(forged));

        restore(machine, house, chat, ChatPlace::Here);
        // Another text of a message that is here makes a chat of its own.
        let chats = house
            .storage
            .with_log(|log| log.chat_keys().keys().copied().collect());
        let chats: Vec<Id> = chats.unwrap_or_default();
        assert_eq!(chats.len(), 2);
        for chat in chats {
            let head = house.head(chat);
            assert!(head.settings.tools.is_empty() && head.settings.system.is_none());
            assert!(head.model.as_deref() != Some("a-model:cloud"));
        }
        let queue = house.storage.with_log(|log| log.queue(chat));
        assert!(queue.is_none_or(|queue| queue.is_empty()));
        let kept = house.storage.with_log(|log| log.load(chat)).flatten();
        let kept = kept.expect("the chat");
        let mut texts = kept.tree.all_messages().map(|it| it.content.as_str());
        assert!(texts.any(|text| text == "Hi"));
        assert!(!kept.is_removed(message));
    });
}
