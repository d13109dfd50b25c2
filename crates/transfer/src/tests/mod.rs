//! The guarantees of export and import.

mod answers_of_programs;
mod archives;
mod claude;
mod damaged;
mod exports;
mod folders;
mod foreign;
mod former;
mod hostile;
mod interrupted;
mod kill;
mod large;
mod merge;
mod pairs;
mod plain_page;
mod prompts;
mod queue;
mod round_trip;
mod settings;
mod share;
mod stopped;
mod zip;

use super::*;
use sash_chat::{Chat, Head, Id, Message, Receipt, Role};
use sash_log::{Log, MemoryStore, Store, StoreError};
use std::cell::RefCell;
use std::rc::Rc;

/// 2026-09-21 in milliseconds since 1970.
pub const NOW: u64 = 1_790_000_000_000;

pub fn open<S: Store>(store: S) -> Log<S> {
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

pub fn write<S: Store>(log: &mut Log<S>, chat: &Chat) {
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

pub fn exported<S: Store>(log: &mut Log<S>, which: ExportScope) -> String {
    let mut export = Export::new(log, which, NOW);
    let mut file = String::new();
    while let Some(piece) = export.next(log) {
        file.push_str(&piece);
    }
    file
}

/// The plan of a file of one's own: everything in it is agreed to.
pub fn planned<S: Store>(log: &mut Log<S>, file: &str) -> ImportPlan {
    let mut plan = Planner::new(file.to_owned(), NOW)
        .unwrap()
        .run(log)
        .unwrap();
    plan.agreed = Agreement::to_all();
    plan
}

pub fn applied<S: Store>(
    log: &mut Log<S>,
    plan: ImportPlan,
) -> Result<ImportSummary, ImportAborted> {
    let mut import = Import::begin(plan, Vec::new(), log, Id(0xabc))?;
    loop {
        if let ImportStep::Done(report) = import.step(log)? {
            return Ok(report);
        }
    }
}

/// Plans and applies an import.
pub fn imported<S: Store>(log: &mut Log<S>, file: &str) -> Vec<Fate> {
    let plan = planned(log, file);
    let fates = plan.chats.iter().map(|chat| chat.fate).collect();
    applied(log, plan).unwrap();
    fates
}

/// A chat as it was before an import packed it.
pub fn unpacked(mut chat: Chat) -> Chat {
    chat.head.packed = None;
    chat
}

/// The log as it is opened after the value of a key was replaced in its store.
pub fn with_record(log: &Log<MemoryStore>, key: &str, record: &str) -> Log<MemoryStore> {
    let mut store = log.store().clone();
    store.set(key, record).unwrap();
    open(store)
}

/// A store that two logs share, as two tabs do.
#[derive(Clone, Default)]
pub struct SharedStore(Rc<RefCell<MemoryStore>>);

impl Store for SharedStore {
    fn keys(&self) -> Vec<String> {
        self.0.borrow().keys()
    }
    fn get(&self, key: &str) -> Option<String> {
        self.0.borrow().get(key)
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.0.borrow_mut().set(key, value)
    }
    fn remove(&mut self, key: &str) {
        self.0.borrow_mut().remove(key);
    }
}

/// A PNG of this many pixels whose data are missing: enough for everything but a decoder.
pub fn png(width: u32, height: u32, more: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend(b"\x08\x06\0\0\0\0\0\0\0");
    bytes.extend(more);
    bytes
}

/// Everything a store holds, in order.
pub fn dump<S: Store>(store: &S) -> Vec<(String, String)> {
    let mut keys = store.keys();
    keys.sort();
    let value = |key: String| {
        let value = store.get(&key).unwrap_or_default();
        (key, value)
    };
    keys.into_iter().map(value).collect()
}

/// The version of records is defined in `form.rs` of the log; export, packing and other readers take it from there.
#[test]
fn the_version_of_records_stands_in_one_place() {
    fn sources(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true if path.ends_with("tests") => {}
                true => sources(&path, found),
                false => found.push(path),
            }
        }
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("../../public/export.js")];
    sources(&root.join("src"), &mut files);
    sources(&root.join("../../kernel/log/src"), &mut files);
    assert!(files.len() > 40);
    for file in files.iter().filter(|file| !file.ends_with("tests.rs")) {
        let text = std::fs::read_to_string(file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        let code = code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for spelt in ["\"1|", "^1\\|", "Some(\"1\")", "`1|", "'1|"] {
                assert!(!line.contains(spelt), "{}: {line}", file.display());
            }
        }
    }
}
