//! Every kind of record and every field of a chat against what may happen to it. The expectations are the tables of
//! `docs/records.md`; the lists here are complete by the compiler, so a new kind or field needs a line there.

use super::*;
use backup::clock::field_values;
use sash_chat::{
    AnswerFormat, BuiltinTool, ChatSettings, ModelId, Policy, Position, RecallSetting, SettingKind,
    Think, Tool, WithheldSettings,
};
use sash_log::{
    ImportManifest, Journal, JournalEntry, Journaled, Key, RecordKind, encode_record, replay,
};
use sash_records::backup::{COPY_STATE, FormerValue, add_former_values};
use sash_records::compare::{WAITING_MODELS, WaitingModel};
use sash_records::prompts::PromptLog;
use sash_records::queue::{QueueLog, QueuedPrompt};
use sash_records::versions::fork;
use sash_records::{FIELDS, KINDS};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const TABLES: &str = include_str!("../../../../docs/records.md");

/// Compares the lines of a table with what was found.
fn expect_table(heading: &str, found: &[String]) {
    let section = TABLES.split("\n## ").find(|part| part.starts_with(heading));
    let lines = section.unwrap_or_default().lines();
    let lines: Vec<&str> = lines.filter(|line| line.starts_with("| `")).collect();
    let is = found.join("\n");
    assert!(
        lines == found,
        "{heading} of docs/records.md should be:\n{is}"
    );
}

/// A line of a table.
fn table_line(name: &str, cells: &[&str]) -> String {
    format!("| `{name}` | {} |", cells.join(" | "))
}

/// Names each kind of key, with keys of it: the list is complete, because the match is, and has all kinds of records.
macro_rules! kinds {
    ($($pattern:pat => $name:expr, [$($sample:expr),*];)*) => {
        pub fn name(key: Key) -> &'static str {
            match key { $($pattern => $name),* }
        }
        fn samples() -> Vec<Key> {
            let own = [$($($sample,)*)*].into_iter();
            own.chain(KINDS.all().map(sample)).collect()
        }
    };
}

/// The key of a record: one of chat 1, or with an id of its own.
fn sample(kind: &'static RecordKind) -> Key {
    Key::Record(kind, if kind.is_of_chat { Id(1) } else { Id(7) })
}

kinds! {
    Key::Meta => "meta", [Key::Meta];
    Key::Settings => "set", [Key::Settings];
    Key::Head(_) => "c", [Key::Head(Id(1))];
    // A deleted one: an import packs the others.
    Key::Message(..) => "m", [Key::Message(Id(1), 3, Id(103))];
    Key::Tail(..) => "t", [Key::Tail(Id(1), Id(104), 0)];
    Key::Tombstone(_) => "x", [Key::Tombstone(Id(1))];
    Key::Removed(..) => "x:m", [Key::Removed(Id(1), Id(103))];
    Key::Segment(..) => "s", [Key::Segment(Id(6), 0)];
    Key::Import(_) => "in", [Key::Import(Id(5))];
    Key::Record(kind, _) => kind.letter, [];
    Key::Stop(_) => "stop", [Key::Stop(sash_chat::AnswerId(9))];
    Key::Reserve => "z", [Key::Reserve];
}

/// A log with a record of each kind.
fn everything() -> Log<MemoryStore> {
    let mut chat = simple(1);
    chat.head.folder = Some(Id(7));
    chat.insert(message(103, 102, 3, "Deleted"));
    let mut long = simple(6);
    long.insert(message(601, 0, 1, &"A question ".repeat(200)));
    let mut log = log_of(&[chat, long]);
    log.pack(Id(6)).unwrap();
    let deleted = log.find_message(Id(1), Id(103)).unwrap();
    log.remove_message(Id(1), &deleted, NOW).unwrap();
    log.begin_tail(Id(1), &message(104, 102, 4, "Half"), None)
        .unwrap();
    log.save_draft(Id(1), "A draft", NOW).unwrap();
    let prompt = QueuedPrompt::new(Id(9), "Later");
    log.change_queue(Id(1), NOW, |queue| queue.push(prompt))
        .unwrap();
    log.save_folder(&sash_chat::Folder::new(Id(7), "Work", 1))
        .unwrap();
    let saved = sash_records::prompts::SavedPrompt::new(Id(7), "Brief", "Be brief.");
    log.save_prompt(&saved).unwrap();
    let copy_state = encode_record(&json!({"write": 1}));
    log.add_imported(Key::Record(COPY_STATE, Id(7)), &copy_state)
        .unwrap();
    log.save_stop(sash_chat::AnswerId(9), NOW).unwrap();
    log.save_settings(&json!({"rev": 1})).unwrap();
    let left = ImportManifest {
        undone: true,
        ..ImportManifest::default()
    };
    log.save_manifest(Id(5), &left).unwrap();
    log.keep_reserve();
    for chat in [1, 6] {
        log.delete(Id(chat), NOW).unwrap();
    }
    log
}

fn has<S: KeyValue>(log: &Log<S>, key: Key) -> bool {
    log.store().get(&key.to_string()).is_some()
}

/// A journal that survives the browser.
#[derive(Clone, Default)]
pub struct Kept(Rc<RefCell<BTreeMap<String, JournalEntry>>>);

impl Kept {
    fn add(&self, key: &str, record: Option<&str>, rev: Option<u64>) {
        let entry = JournalEntry {
            key: key.to_owned(),
            record: record.map(str::to_owned),
            // The clock was set back: no time says anything.
            at: 0,
            rev,
        };
        self.0.borrow_mut().insert(key.to_owned(), entry);
    }

    /// Starts with a disk that is behind.
    fn start(&self, mut disk: MemoryStore, key: Key) -> Option<String> {
        self.replay(&mut disk);
        disk.get(&key.to_string())
    }

    /// Brings a disk that is behind up to date.
    pub fn replay(&self, disk: &mut MemoryStore) {
        let entries: Vec<JournalEntry> = self.0.borrow().values().cloned().collect();
        replay(disk, &entries, NOW, false, KINDS);
    }
}

impl Journal for Kept {
    fn record(&mut self, key: &str, record: &str) {
        self.add(key, Some(record), None);
    }
    fn record_removal(&mut self, key: &str, rev: Option<u64>) {
        self.add(key, None, rev);
    }
    fn forget(&mut self, key: &str) {
        self.0.borrow_mut().remove(key);
    }
}

/// What the disk holds now.
fn copy<S: KeyValue>(store: &S) -> MemoryStore {
    let mut copy = MemoryStore::default();
    for (key, record) in dump(store) {
        copy.set(&key, &record).unwrap();
    }
    copy
}

/// What a start finds after a kill: of a record that the disk lacks, of one that was removed, and of two that differ.
fn after_a_kill(key: Key) -> [&'static str; 3] {
    let name = key.to_string();
    // The later one has the earlier time.
    let first = encode_record(&json!({"at": 9, "rev": 1}));
    let second = encode_record(&json!({"at": 5, "rev": 2}));
    let kept = Kept::default();
    let mut store = Journaled::new(MemoryStore::default(), kept.clone(), KINDS);
    store.set(&name, &first).unwrap();
    let before = copy(&store);
    let lost = match kept.start(MemoryStore::default(), key) {
        Some(_) => "comes back",
        None => "is lost",
    };
    store.set(&name, &second).unwrap();
    let after = copy(&store);
    let ahead = kept.start(before.clone(), key) == Some(second.clone());
    let behind = Kept::default();
    behind.add(&name, Some(&first), None);
    let keeps = behind.start(after.clone(), key) == Some(second);
    let differing = match (ahead, keeps) {
        (true, true) => "the higher revision",
        (true, false) => "the one written last",
        (false, _) => "never rewritten",
    };
    store.remove(&name);
    let removed = [before, after].map(|disk| kept.start(disk, key).is_none());
    let removed = match removed {
        [true, true] => "stays away",
        _ => "may come back",
    };
    [lost, removed, differing]
}

#[test]
fn every_kind_of_record_is_as_the_table_says() {
    let mut all = everything();
    let file = exported(&mut all, ExportScope::AllAndDeleted);
    let mut imported_log = log_of(&[]);
    imported(&mut imported_log, &file);
    let stopped = super::stopped::taken_back(&file);
    let mut purged = open(all.store().clone());
    purged.purge(Id(1), NOW + 1);
    purged.purge(Id(6), NOW + 1);
    let mut lines = Vec::new();
    for key in samples() {
        assert!(has(&all, key), "{key}");
        let mut temporary = log_of(&[]);
        for chat in [1, 6] {
            temporary.begin_temporary(Id(chat));
        }
        let record = all.store().get(&key.to_string()).unwrap();
        temporary.add_imported(key, &record).unwrap();
        let yes_no = |is: bool, yes, no| if is { yes } else { no };
        let of_chat = key.chat().is_some();
        let is_added = has(&imported_log, key) && !matches!(key, Key::Meta);
        let [lost, removed, differing] = after_a_kill(key);
        let found = [
            yes_no(file.contains(&format!("\"key\":\"{key}\"")), "yes", "no"),
            yes_no(is_added, "added", "no"),
            match is_added {
                false => "-",
                true => yes_no(stopped.contains(&key), "left", "taken back"),
            },
            yes_no(has(&temporary, key), "stored", "in memory"),
            match of_chat {
                false => "-",
                true => yes_no(has(&purged, key), "stays", "gone"),
            },
            lost,
            removed,
            differing,
        ];
        lines.push(table_line(name(key), &found));
    }
    expect_table("Records", &lines);
}

/// Lists the fields of two structs by name; complete, because they are taken apart without a rest, and all rules are there.
macro_rules! fields {
    ($head:ident { $($of_head:ident),* } $settings:ident { $($of_settings:ident),* }) => {
        fn names(head: &Head) -> Vec<&'static str> {
            let $head { $($of_head: _,)* others: _, settings } = head;
            let $settings { $($of_settings: _),* } = settings;
            let others = FIELDS.0.iter().map(|rule| rule.name()).chain(["unknown"]);
            let own = [$(stringify!($of_head),)* $(stringify!($of_settings)),*];
            own.into_iter().chain(others).collect()
        }
    };
}

fields! {
    Head {
        id, title, distinct, created, model, engine, pinned, archived, folder, inherited, summaries, systems, at,
        forked_from, packed, rev
    }
    ChatSettings {
        policy, pins, mutes, cleared, recall, unrecalled, summary, summarizes, system, think, format, tools, parameters,
        withheld
    }
}

/// A chat with a value in every field.
fn full() -> Chat {
    let mut chat = simple(1);
    chat.insert(message(103, 102, 3, "More?"));
    let mut last = message(104, 103, 4, "More.");
    last.receipt.as_mut().unwrap().system = Some(0);
    chat.insert(last);
    let head = &mut chat.head;
    head.title = Some("A title".into());
    head.distinct = Some("Distinct".into());
    head.set_model(Some(ModelId::new(Some("box"), "llama3.2")));
    (head.pinned, head.archived) = (Some(NOW - 1), Some(NOW - 2));
    head.folder = Some(Id(7));
    head.inherited = Some(sash_chat::Folder::new(Id(7), "Work", 1)).into();
    head.add_summary(summary("So far", Id(101), Id(102)));
    head.set_system("Be brief.");
    head.at = Some(Position {
        leaf: Id(104),
        seq: 4,
    });
    let waits = || WaitingModel::new(Id(103), ModelId::new(None, "small"));
    WAITING_MODELS.extend(&mut head.others, [waits()]);
    let former = FormerValue {
        field: "title".into(),
        value: Some("Another".into()),
        at: NOW,
    };
    add_former_values(head, [former]);
    head.forked_from = Some(Id(55));
    head.packed = Some(sash_chat::Packed {
        count: 0,
        seq: 0,
        touched: NOW,
        title: "A title".into(),
    });
    head.rev = 5;
    head.others.insert("mood".into(), "good".into());
    let settings = &mut head.settings;
    settings.policy = Policy::Messages(7);
    settings.pins = vec![Id(101)];
    settings.mutes = vec![Id(102)];
    settings.cleared = vec![Id(102)];
    settings.recall = Some(RecallSetting {
        all_chats: true,
        ..RecallSetting::default()
    });
    settings.unrecalled = vec![Id(103)];
    settings.summarizes = true;
    settings.think = Some(Think::Low);
    settings.format = Some(AnswerFormat::Json);
    settings.tools = vec![Tool::Builtin(BuiltinTool::Calculate)];
    settings.parameters.insert("top_k".into(), 3.into());
    let mut others = Map::new();
    WAITING_MODELS.extend(&mut others, [waits()]);
    settings.withheld = Some(Box::new(WithheldSettings {
        others,
        parameters: Map::from_iter([("top_p".to_owned(), json!(1))]),
        ..WithheldSettings::default()
    }));
    chat
}

/// The fields of a head that are set.
fn values(head: &Head) -> BTreeMap<String, Value> {
    let Ok(Value::Object(mut record)) = serde_json::to_value(head) else {
        unreachable!("a head is an object");
    };
    if head.inherited.folder().is_some() {
        record.insert("inherited".to_owned(), true.into());
    }
    for name in head.others.keys().filter(|name| FIELDS.of(name).is_none()) {
        record.remove(name);
        record.insert("unknown".to_owned(), true.into());
    }
    let is_set = |(name, value): &(String, Value)| name != "rev" || *value != json!(0);
    record.into_iter().filter(is_set).collect()
}

/// What became of a field.
fn outcome(name: &str, before: &Head, after: &Head) -> &'static str {
    let (before, after) = (values(before), values(after));
    match (before.get(name), after.get(name)) {
        (Some(before), Some(after)) if before == after => "same",
        (_, Some(_)) => "its own",
        (_, None) => "no",
    }
}

/// The head of a chat of a file that was imported.
fn imported_head(file: &str, here: &[Chat], agreed: Agreement) -> Head {
    let mut log = log_of(here);
    let mut plan = planned(&mut log, file);
    plan.agreed = agreed;
    let id = plan.chats[0].chat;
    applied(&mut log, plan).unwrap();
    log.head(id).unwrap()
}

#[test]
fn every_field_of_a_chat_is_as_the_table_says() {
    let chat = full();
    let names = names(&chat.head);
    let set = values(&chat.head);
    let mut there = log_of(std::slice::from_ref(&chat));
    there
        .save_folder(&sash_chat::Folder::new(Id(7), "Work", 1))
        .unwrap();
    let file = exported(&mut there, ExportScope::All);
    let own = imported_head(&file, &[], Agreement::to_all());
    let stranger = imported_head(&file, &[], Agreement::default());
    let mut differs = simple(1);
    differs.insert(message(102, 101, 2, "Something else"));
    let copy = imported_head(&file, &[differs], Agreement::to_all());
    let mut next = 1000;
    let new_id = || {
        next += 1;
        Id(next)
    };
    let forked = fork(&chat, FIELDS, Id(104), NOW, new_id).unwrap();
    let page = decode(page_of(&chat).into_bytes()).unwrap();
    let shared = imported_head(&page, &[], Agreement::to_all());
    let merged = field_values(&there, Id(1)).unwrap();
    let mut lines = Vec::new();
    for name in names {
        assert!(set.contains_key(name), "{name} has no value here");
        let is_merged = merged
            .keys()
            .any(|field| field == name || field.starts_with(&format!("{name}/")));
        let of_stranger = match outcome(name, &own, &stranger) {
            "no" => "off",
            _ if name == "withheld" => "off",
            "its own" => "in part",
            same => same,
        };
        let found = [
            outcome(name, &chat.head, &own),
            match outcome(name, &chat.head, &own) {
                "no" => "no",
                _ => of_stranger,
            },
            outcome(name, &chat.head, &copy),
            outcome(name, &chat.head, &forked.head),
            outcome(name, &chat.head, &shared),
            match is_merged || name == "engine" || name == "unknown" {
                true => "merged",
                false => "no",
            },
        ];
        lines.push(table_line(name, &found));
    }
    expect_table("Fields", &lines);
    assert!(merged.contains_key("mood"), "what is unknown is merged");
}

/// Whatever acts is off: none of it is left on by a field that nobody thought of.
#[test]
fn nothing_that_a_stranger_wrote_is_on() {
    let file = exported(&mut log_of(&[full()]), ExportScope::All);
    let head = imported_head(&file, &[], Agreement::default());
    for kind in SettingKind::ALL {
        assert!(!head.has_setting(kind, FIELDS), "{kind:?}");
    }
}
