//! The guarantees of export and import, which read and write the same form.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod answers_of_programs;
mod chats;
mod claude;
mod damaged;
mod exports;
mod folders;
mod foreign;
mod former;
mod hostile;
mod images;
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

use chat_exports::{Asset, NoChat};
use chats::*;
use export::*;
use sash_chat::{Chat, Head, Id, Message, Receipt, Role, Summary};
use sash_form::*;
use sash_log::{KeyValue, Log, MemoryStore, StoreError};
use sash_room_import::*;
use std::cell::RefCell;
use std::rc::Rc;

/// The plan of a file of one's own: everything in it is agreed to.
pub fn planned<S: KeyValue>(log: &mut Log<S>, file: &str) -> ImportPlan {
    let mut plan = Planner::new(file.to_owned(), NOW)
        .unwrap()
        .run(log)
        .unwrap();
    plan.agreed = Agreement::to_all();
    plan
}

/// Plans what there is of a file, which points to no others.
pub fn plan_pieces<S: KeyValue>(
    planner: &mut Planner,
    log: &mut Log<S>,
) -> Result<(), ImportError> {
    while planner.step(log)? != PlanStep::Done {}
    Ok(())
}

/// Plans a list of chats.
pub fn plan_list<S: KeyValue>(
    planner: &mut Planner,
    log: &mut Log<S>,
    list: &[u8],
) -> Result<(), ImportError> {
    planner.begin_list();
    planner.push(list);
    plan_pieces(planner, log)?;
    planner.end_file()
}

/// Applies a plan to its end.
pub fn applied<S: KeyValue>(log: &mut Log<S>, plan: ImportPlan) -> Result<(), ImportAborted> {
    let mut import = Import::begin(plan, Vec::new(), log, Id(0xabc))?;
    while let ImportStep::More(_) = import.step(log)? {}
    Ok(())
}

/// Plans and applies an import.
pub fn imported<S: KeyValue>(log: &mut Log<S>, file: &str) -> Vec<ImportOutcome> {
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

impl KeyValue for SharedStore {
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

/// A summary of two messages.
pub fn summary(text: &str, from: Id, through: Id) -> Summary {
    Summary {
        number: 0,
        text: text.to_owned(),
        from,
        through,
        count: 2,
        model: None,
        prompt_tokens: None,
        answer_tokens: None,
        created: NOW,
        edited: false,
        cut_off: false,
    }
}

/// The page of a shared branch.
pub fn page_of(chat: &Chat) -> String {
    page_with(chat, ShareScope::Branch)
}

/// The page of a shared chat, with its system prompts and without quotes.
pub fn page_with(chat: &Chat, scope: ShareScope) -> String {
    let share = Share {
        scope,
        quotes: false,
        systems: true,
    };
    shared(chat, share)
}

/// The page of a chat that is shared in this way.
pub fn shared(chat: &Chat, share: Share) -> String {
    let SharedPage { start, end, .. } = page_parts(chat, share);
    start + &end
}

/// That page, divided where its images stand.
pub fn page_parts(chat: &Chat, share: Share) -> SharedPage {
    shared_page(chat, share, NOW, &|_| "today".to_owned(), &|_, _| None)
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
pub fn dump<S: KeyValue>(store: &S) -> Vec<(String, String)> {
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
    for folder in [
        "src",
        "../backup/src",
        "../export/src",
        "../../crates/form/src",
        "../../kernel/log/src",
    ] {
        sources(&root.join(folder), &mut files);
    }
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

/// The room that a record takes: UTF-16 units of key and value, as browsers count it.
fn units(key: &str, record: &str) -> u64 {
    (key.encode_utf16().count() + record.encode_utf16().count()) as u64
}
