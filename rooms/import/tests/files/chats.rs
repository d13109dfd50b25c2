//! Chats and logs for tests, and their exports.

use export::{Export, ExportScope};
use sash_chat::{Chat, Head, Id, Message, Receipt, Role};
use sash_log::{KeyValue, Log, MemoryStore};

/// 2026-09-21 in milliseconds since 1970.
pub const NOW: u64 = 1_790_000_000_000;

pub fn open<S: KeyValue>(store: S) -> Log<S> {
    Log::open(store, Id(1), sash_records::KINDS)
        .map_err(|(_, error)| error)
        .unwrap()
}

pub fn message(id: u64, parent: u64, seq: u32, content: &str) -> Message {
    let role = if seq % 2 == 1 {
        Role::User
    } else {
        Role::Assistant
    };
    let mut message = Message {
        content: content.into(),
        ..Message::new(
            Id(id),
            (parent > 0).then_some(Id(parent)),
            seq,
            role,
            NOW - 1000 + u64::from(seq),
        )
    };
    if role == Role::Assistant {
        message.model = Some("llama3.2".into());
        message.receipt = Some(Receipt {
            sent: vec![Id(parent)],
            thinking_ms: Some(61_500),
            load_ms: Some(1_234.567_891_234_567_8),
            ..Receipt::default()
        });
    }
    message
}

/// A question and its answer.
pub fn simple(id: u64) -> Chat {
    let mut chat = Chat::new(Head::new(Id(id), NOW - 5000));
    chat.insert(message(id * 100 + 1, 0, 1, "A question"));
    chat.insert(message(id * 100 + 2, id * 100 + 1, 2, "An answer"));
    chat
}

pub fn write<S: KeyValue>(log: &mut Log<S>, chat: &Chat) {
    log.save_head(&chat.head).unwrap();
    for message in chat.messages() {
        log.save_message(chat.head.id, message).unwrap();
    }
}

pub fn log_of(chats: &[Chat]) -> Log<MemoryStore> {
    let mut log = open(MemoryStore::default());
    chats.iter().for_each(|chat| write(&mut log, chat));
    log
}

pub fn exported<S: KeyValue>(log: &mut Log<S>, which: ExportScope) -> String {
    let mut export = Export::new(log, which, NOW);
    let mut file = String::new();
    while let Some(piece) = export.next(log) {
        file.push_str(&piece);
    }
    file
}
