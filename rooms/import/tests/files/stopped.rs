//! An import that is stopped after any write, for each kind of key that an import writes: nothing of it stays but what the
//! person changed or added meanwhile, and the same import can be repeated.

use super::kill::{Filling, Killed};
use super::pairs::{Kept, name as kind};
use super::*;
use sash_chat::Folder;
use sash_log::{FOLDER, ImportManifest, Journaled, Key};
use sash_records::KINDS;
use sash_records::prompts::{PROMPT, PromptLog, SavedPrompt};
use sash_records::queue::{QUEUE, QueueLog, QueuedPrompt};
use std::collections::BTreeSet;

/// The import's id.
const IMPORT: Id = Id(0xabc);

/// A chat of a folder with a deleted message and a queue, a chat in the trash, and a prompt of one's own.
fn there() -> Log<MemoryStore> {
    let mut here = simple(1);
    here.head.folder = Some(Id(7));
    // Long enough to be packed.
    here.insert(message(101, 0, 1, &"A question ".repeat(200)));
    here.insert(message(103, 102, 3, "Deleted"));
    let mut log = log_of(&[here, simple(2)]);
    let deleted = log.find_message(Id(1), Id(103)).unwrap();
    log.remove_message(Id(1), &deleted, NOW + 90).unwrap();
    log.change_queue(Id(1), NOW, |queue| {
        queue.push(QueuedPrompt::new(Id(9), "Later"));
    })
    .unwrap();
    log.delete(Id(2), NOW + 90).unwrap();
    log.save_folder(&Folder::new(Id(7), "Work", 1)).unwrap();
    log.save_prompt(&SavedPrompt::new(Id(8), "Brief", "Be brief."))
        .unwrap();
    log
}

/// What a person does to a record that an import wrote, and which kinds of keys are left then once the import is taken back.
/// `None` for a kind that no import writes.
fn change(log: &mut Log<MemoryStore>, key: Key) -> Option<Vec<&'static str>> {
    match key {
        Key::Head(chat) => {
            let mut head = log.head(chat).unwrap();
            (head.title, head.rev) = (Some("Mine".into()), head.rev + 1);
            log.save_head(&head).unwrap();
        }
        // It never changes, but somebody may go on after it.
        Key::Message(chat, seq, id) => {
            let after = message(id.0 + 50, id.0, seq + 10, "Mine");
            log.save_message(chat, &after).unwrap();
        }
        Key::Segment(chat, _) => {
            let after = message(150, 102, 12, "Mine");
            log.save_message(chat, &after).unwrap();
            return Some(vec!["c", "f", "m"]);
        }
        Key::Tombstone(chat) => {
            assert!(log.restore(chat));
            log.delete(chat, NOW + 100).unwrap();
        }
        Key::Removed(chat, id) => {
            let message = log.find_message(chat, id).unwrap();
            log.restore_message(chat, id);
            log.remove_message(chat, &message, NOW + 100).unwrap();
        }
        Key::Record(QUEUE, chat) => log
            .change_queue(chat, 1, |queue| queue[0].text = "Mine".into())
            .unwrap(),
        Key::Record(FOLDER, id) => {
            let mut folder = log.folder(id).unwrap();
            (folder.name, folder.rev) = ("Mine".into(), folder.rev + 1);
            log.save_folder(&folder).unwrap();
        }
        Key::Record(PROMPT, id) => {
            let mut prompt = log.saved_prompt(id).unwrap();
            (prompt.text, prompt.rev) = ("Mine".into(), prompt.rev + 1);
            log.save_prompt(&prompt).unwrap();
        }
        Key::Record(kind, _) => {
            assert!(!kind.in_files, "{key}: what does a person do to it?");
            return None;
        }
        Key::Meta
        | Key::Settings
        | Key::Tail(..)
        | Key::Import(_)
        | Key::Stop(_)
        | Key::Reserve => return None,
    }
    let chat = key.chat();
    let kind = kind(key);
    let with_it: &[&str] = match chat {
        // Its head is in the folder.
        Some(Id(1)) => &["c", "f"],
        Some(_) => &["c"],
        None => &[],
    };
    let mut left = with_it.to_vec();
    left.push(kind);
    left.sort_unstable();
    left.dedup();
    Some(left)
}

fn keys<S: KeyValue>(log: &Log<S>) -> Vec<Key> {
    let all = log.store().keys().into_iter();
    let all = all.filter_map(|key| Key::parse(&key, KINDS));
    all.filter(|key| *key != Key::Meta).collect()
}

/// The kinds of keys of a log, once each.
fn kinds<S: KeyValue>(log: &Log<S>) -> Vec<&'static str> {
    let kinds: BTreeSet<&str> = keys(log).into_iter().map(kind).collect();
    kinds.into_iter().collect()
}

/// A log in which all records of the import are written, and not its commit.
fn staged(file: &str) -> (Log<MemoryStore>, ImportManifest) {
    let mut whole = log_of(&[]);
    imported(&mut whole, file);
    let mut log = log_of(&[]);
    let plan = planned(&mut log, file);
    let begun = Import::begin(plan, Vec::new(), &mut log, IMPORT).unwrap();
    drop(begun);
    let manifest: ImportManifest = log.read(Key::Import(IMPORT)).unwrap();
    for name in &manifest.keys {
        let record = whole.store().get(name).unwrap();
        log.add_imported(Key::parse(name, KINDS).unwrap(), &record)
            .unwrap();
    }
    (log, manifest)
}

/// The keys that are left of an import that was stopped after its last record.
pub fn taken_back(file: &str) -> Vec<Key> {
    let (log, _) = staged(file);
    keys(&open(log.store().clone()))
}

#[test]
fn an_import_that_is_stopped_after_any_write_leaves_nothing_and_can_be_repeated() {
    let file = exported(&mut there(), ExportScope::AllAndDeleted);
    let before = dump(log_of(&[]).store());
    let mut whole = log_of(&[]);
    imported(&mut whole, &file);
    let after = dump(whole.store());
    assert_eq!(kinds(&whole), ["c", "f", "m", "p", "q", "s", "x", "x:m"]);
    let writes = keys(&whole).len() + 1;
    for room in 0..=writes {
        let mut log = open(Filling::of(log_of(&[]).store().clone()));
        let plan = planned(&mut log, &file);
        log.store().leave(room);
        let done = applied(&mut log, plan);
        assert_eq!(done.is_ok(), room == writes, "{room}");
        if done.is_err() {
            assert_eq!(
                dump(log.store()),
                before,
                "without room after {room} writes"
            );
            log.store().leave(usize::MAX);
            imported(&mut log, &file);
        }
        assert_eq!(dump(log.store()), after, "{room}");

        let mut log = open(Killed::of(log_of(&[]).store().clone()));
        let plan = planned(&mut log, &file);
        log.store().leave(room);
        applied(&mut log, plan).ok();
        let mut log = open(log.store().inner.clone());
        imported(&mut log, &file);
        assert_eq!(dump(log.store()), after, "killed after {room} writes");
    }
}

/// A write that finds no room is noted in the journal, which once brought it back: then its key was taken.
#[test]
fn what_found_no_room_does_not_come_back_with_the_next_start() {
    let file = exported(&mut there(), ExportScope::AllAndDeleted);
    let before = log_of(&[]).store().clone();
    let mut whole = log_of(&[]);
    imported(&mut whole, &file);
    for room in 0..=keys(&whole).len() {
        let (store, journal) = (Filling::of(before.clone()), Kept::default());
        let mut log = open(Journaled::new(store.clone(), journal.clone(), KINDS));
        let plan = planned(&mut log, &file);
        store.leave(room);
        assert_eq!(applied(&mut log, plan), Err(ImportAborted::Full));
        let mut disk = before.clone();
        journal.replay(&mut disk);
        let mut log = open(disk);
        assert_eq!(dump(log.store()), dump(&before), "{room}");
        imported(&mut log, &file);
        assert_eq!(dump(log.store()), dump(whole.store()), "{room}");
    }
}

#[test]
fn what_the_person_changed_stays_with_its_head_and_the_import_can_be_repeated() {
    let file = exported(&mut there(), ExportScope::AllAndDeleted);
    let (_, manifest) = staged(&file);
    let mut seen = BTreeSet::new();
    for name in &manifest.keys {
        let key = Key::parse(name, KINDS).unwrap();
        let (mut log, manifest) = staged(&file);
        let expected = change(&mut log, key).unwrap();
        seen.insert(kind(key));
        let mine: Vec<(String, String)> = {
            let written = |(name, record): &(String, String)| {
                manifest.keys.contains(name) && !record.contains("Mine")
            };
            let all = dump(log.store()).into_iter();
            all.filter(|record| !written(record)).collect()
        };
        // The start of another tab, or the next one, takes it back.
        let mut log = open(log.store().clone());
        assert_eq!(kinds(&log), expected, "{name}");
        imported(&mut log, &file);
        for (key, record) in mine.iter().filter(|(_, record)| record.contains("Mine")) {
            assert_eq!(log.store().get(key).as_ref(), Some(record), "{name}");
        }
        for chat in [1, 2] {
            let chat = log.load(Id(chat)).unwrap();
            assert!(chat.len() >= 2, "{name}: {}", chat.len());
        }
        assert_eq!(planned(&mut log, &file).records(), 0, "{name}");
    }
    assert_eq!(
        seen.into_iter().collect::<Vec<_>>(),
        ["c", "f", "m", "p", "q", "s", "x", "x:m"]
    );
}

/// A draft, a tail, messages that were packed since: what the import did not write keeps the head of its chat, too.
#[test]
fn what_the_person_added_keeps_the_head() {
    let file = exported(&mut there(), ExportScope::AllAndDeleted);
    type Add = fn(&mut Log<MemoryStore>);
    let adds: [(Add, &str); 4] = [
        (|log| log.save_draft(Id(1), "Mine", NOW).unwrap(), "d"),
        (
            |log| {
                let answer = message(150, 101, 12, "");
                log.begin_tail(Id(1), &answer, None).unwrap();
            },
            "t",
        ),
        (
            |log| {
                let after = message(150, 102, 12, &"Mine ".repeat(200));
                log.save_message(Id(1), &after).unwrap();
                // Packs it with what is packed already.
                assert_eq!(log.pack(Id(1)).unwrap().messages, 1);
            },
            "s",
        ),
        (|log| log.delete(Id(1), NOW).unwrap(), "x"),
    ];
    for (add, kind) in adds {
        let (mut log, _) = staged(&file);
        add(&mut log);
        let mut log = open(log.store().clone());
        let mut expected = vec!["c", "f", kind];
        expected.sort_unstable();
        assert_eq!(kinds(&log), expected);
        imported(&mut log, &file);
        assert!(log.load(Id(1)).is_some());
    }
}

#[test]
fn a_folder_with_a_chat_of_ones_own_stays() {
    let file = exported(&mut there(), ExportScope::AllAndDeleted);
    let (mut log, _) = staged(&file);
    let mut mine = simple(5);
    mine.head.folder = Some(Id(7));
    write(&mut log, &mine);
    let log = open(log.store().clone());
    assert_eq!(kinds(&log), ["c", "f", "m"]);
    assert_eq!(keys(&log).len(), 4);
}

/// Such a queue made each further import of the chat fail: its key was taken.
#[test]
fn a_queue_that_an_earlier_version_left_is_in_the_way_of_nothing() {
    let mut there = there();
    let file = exported(&mut there, ExportScope::AllAndDeleted);
    let queue = Key::Record(QUEUE, Id(1)).to_string();
    let mut store = log_of(&[]).store().clone();
    store
        .set(&queue, &there.store().get(&queue).unwrap())
        .unwrap();
    let mut log = open(store);
    imported(&mut log, &file);
    assert_eq!(log.queue(Id(1)).len(), 1);
    assert_eq!(log.load(Id(1)).unwrap().len(), 3);
}

/// A manifest of an earlier version says nothing of revisions: then all of it is taken back.
#[test]
fn an_older_manifest_is_read() {
    let file = exported(&mut there(), ExportScope::AllAndDeleted);
    let (mut log, manifest) = staged(&file);
    let older = ImportManifest {
        revisions: Default::default(),
        ..manifest
    };
    log.save_manifest(IMPORT, &older).unwrap();
    let log = open(log.store().clone());
    assert_eq!(keys(&log), []);
}
