//! Tests of the rules of a copy, natively and without a browser.

mod asked_elsewhere;
mod browser_name;
mod clock;
mod directory;
mod files;
mod form;
mod lines;
mod record;
mod store;
mod union;

use crate::BackupKey;
use crate::form::CopyId;
use crate::lines::CopyLines;
use sash_chat::{Head, Id, Message, Role};
use sash_log::{KeyValue, Log, MemoryStore};

const CHAT: Id = Id(7);
const COPY: CopyId = CopyId {
    chat: CHAT,
    browser: Id(0xb1),
};

fn key() -> BackupKey {
    BackupKey("0123456789abcdef".repeat(4))
}

fn open<S: KeyValue>(store: S) -> Log<S> {
    Log::open(store, Id(1), sash_records::KINDS)
        .map_err(|(_, error)| error)
        .unwrap()
}

fn message(id: u64, parent: u64, seq: u32, content: &str) -> Message {
    let role = match seq % 2 {
        1 => Role::User,
        _ => Role::Assistant,
    };
    Message {
        content: content.to_owned(),
        ..Message::new(
            Id(id),
            (parent > 0).then_some(Id(parent)),
            seq,
            role,
            u64::from(seq),
        )
    }
}

/// A log with a question and its answer.
fn written() -> Log<MemoryStore> {
    let mut log = open(MemoryStore::default());
    log.save_head(&Head::new(CHAT, 5)).unwrap();
    log.save_message(CHAT, &message(101, 0, 1, "A question"))
        .unwrap();
    log.save_message(CHAT, &message(102, 101, 2, "An answer"))
        .unwrap();
    log
}

/// The lines of a copy of a chat that has one question.
fn written_lines(chat: Id, id: u64, text: &str) -> String {
    let mut log = open(MemoryStore::default());
    log.save_head(&Head::new(chat, 5)).unwrap();
    log.save_message(chat, &message(id, 0, 1, text)).unwrap();
    let mut lines = CopyLines::new(&log, chat);
    while lines.step(&mut log) {}
    lines.lines
}

/// The same log with another value in the store under a key, as after damage of the disk.
fn damaged(log: &Log<MemoryStore>, key: sash_log::Key) -> Log<MemoryStore> {
    let mut store = log.store().clone();
    let name = key.to_string();
    let record = store.get(&name).unwrap();
    let (form, rest) = record.split_at(11);
    let rest = rest.replacen("\"", "'", 1);
    store.set(&name, &format!("{form}{rest}")).unwrap();
    open(store)
}

fn change_head<S: KeyValue>(log: &mut Log<S>, change: impl FnOnce(&mut Head)) {
    let mut head = log.head(CHAT).unwrap();
    change(&mut head);
    head.rev += 1;
    log.save_head(&head).unwrap();
}
