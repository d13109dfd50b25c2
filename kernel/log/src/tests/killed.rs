//! A browser killed at any moment: localStorage is as it was some time before, the journal is up to date.
#![cfg(not(target_arch = "wasm32"))]

use super::*;
use proptest::prelude::*;
use sash_chat::{AnswerId, Chat};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The values of all keys, in localStorage and in the journal.
#[derive(Clone, Default)]
struct StoredState {
    records: BTreeMap<String, String>,
    journal: BTreeMap<String, Result<String, Option<u64>>>,
}

/// A store that keeps its state after each write.
#[derive(Clone, Default)]
struct Remembering(Rc<RefCell<(StoredState, Vec<StoredState>)>>);

impl Remembering {
    fn change(&self, change: impl FnOnce(&mut StoredState)) {
        let (now, before) = &mut *self.0.borrow_mut();
        change(now);
        before.push(now.clone());
    }

    fn writes(&self) -> usize {
        self.0.borrow().1.len()
    }
}

impl KeyValue for Remembering {
    fn keys(&self) -> Vec<String> {
        self.0.borrow().0.records.keys().cloned().collect()
    }
    fn get(&self, key: &str) -> Option<String> {
        self.0.borrow().0.records.get(key).cloned()
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.change(|now| _ = now.records.insert(key.into(), value.into()));
        Ok(())
    }
    fn remove(&mut self, key: &str) {
        self.change(|now| _ = now.records.remove(key));
    }
}

impl Journal for Remembering {
    fn record(&mut self, key: &str, record: &str) {
        self.change(|now| _ = now.journal.insert(key.into(), Ok(record.to_owned())));
    }
    fn record_removal(&mut self, key: &str, rev: Option<u64>) {
        self.change(|now| _ = now.journal.insert(key.into(), Err(rev)));
    }
    fn forget(&mut self, key: &str) {
        self.change(|now| _ = now.journal.remove(key));
    }
}

#[derive(Clone, Debug)]
enum Op {
    /// A question and its answer, in that many pieces.
    Exchange(u64, u32),
    /// An answer that is never finished.
    Begun(u64, u32),
    Rename(u64),
    Delete(u64),
    Restore(u64),
    Purge(u64),
    Remove(u64, usize),
    RestoreMessage(u64, usize),
    /// A draft of that many words.
    Draft(u64, usize),
}

fn op() -> impl Strategy<Value = Op> {
    let chat = 1..3u64;
    prop_oneof![
        3 => (chat.clone(), 0..4u32).prop_map(|(c, n)| Op::Exchange(c, n)),
        1 => (chat.clone(), 0..4u32).prop_map(|(c, n)| Op::Begun(c, n)),
        1 => chat.clone().prop_map(Op::Rename),
        2 => chat.clone().prop_map(Op::Delete),
        2 => chat.clone().prop_map(Op::Restore),
        1 => chat.clone().prop_map(Op::Purge),
        1 => (chat.clone(), 0..5usize).prop_map(|(c, n)| Op::Remove(c, n)),
        1 => (chat.clone(), 0..5usize).prop_map(|(c, n)| Op::RestoreMessage(c, n)),
        2 => (chat, 0..3usize).prop_map(|(c, n)| Op::Draft(c, n)),
    ]
}

/// What the person expects to find: the messages of each living chat in order, and an empty list for each
/// chat in the trash.
#[derive(Clone, Debug, Default, PartialEq)]
struct ExpectedLog {
    chats: BTreeMap<u64, Vec<(u64, String)>>,
    deleted: BTreeMap<u64, Vec<(u64, String)>>,
    purged: Vec<u64>,
    removed: Vec<u64>,
    drafts: BTreeMap<u64, String>,
}

struct Person {
    log: Log<Journaled<Remembering, Remembering>>,
    known: ExpectedLog,
    next: u64,
}

impl Person {
    fn message(&mut self, role: Role, content: String) -> Message {
        self.next += 1;
        let id = Id(self.next);
        Message {
            content,
            ..Message::new(id, None, u32::try_from(self.next).unwrap(), role, 7)
        }
    }

    fn does(&mut self, op: &Op) {
        match *op {
            Op::Exchange(chat, pieces) => self.asks(chat, pieces, true),
            Op::Begun(chat, pieces) => self.asks(chat, pieces, false),
            Op::Rename(chat) => {
                if self.known.chats.contains_key(&chat) {
                    let mut head = self.log.head(Id(chat)).unwrap();
                    head.rev += 1;
                    self.log.save_head(&head).unwrap();
                }
            }
            Op::Delete(chat) => {
                if let Some(messages) = self.known.chats.remove(&chat) {
                    self.log.delete(Id(chat), 1).unwrap();
                    self.known.deleted.insert(chat, messages);
                }
            }
            Op::Restore(chat) => {
                if let Some(messages) = self.known.deleted.remove(&chat) {
                    self.log.restore(Id(chat));
                    self.known.chats.insert(chat, messages);
                }
            }
            Op::Purge(chat) => {
                if self.known.deleted.remove(&chat).is_some() {
                    self.log.purge(Id(chat), 2);
                    self.known.drafts.remove(&chat);
                    self.known.purged.push(chat);
                }
            }
            Op::Remove(chat, n) => {
                let Some((id, _)) = self.known.chats.get(&chat).and_then(|m| m.get(n)).cloned()
                else {
                    return;
                };
                let message = self
                    .log
                    .load(Id(chat))
                    .unwrap()
                    .get(Id(id))
                    .unwrap()
                    .clone();
                self.log.remove_message(Id(chat), &message, 1).unwrap();
                self.known.removed.push(id);
            }
            Op::RestoreMessage(chat, n) => {
                let Some((id, _)) = self.known.chats.get(&chat).and_then(|m| m.get(n)).cloned()
                else {
                    return;
                };
                self.log.restore_message(Id(chat), Id(id));
                self.known.removed.retain(|known| *known != id);
            }
            Op::Draft(chat, words) => {
                self.next += 1;
                let text = format!("word{} ", self.next).repeat(words);
                self.log
                    .save_draft(Id(chat), text.as_str(), self.next)
                    .unwrap();
                self.known.drafts.remove(&chat);
                if words > 0 && !self.known.purged.contains(&chat) {
                    self.known.drafts.insert(chat, text);
                }
            }
        }
    }

    fn asks(&mut self, chat: u64, pieces: u32, to_the_end: bool) {
        if self.known.deleted.contains_key(&chat) || self.known.purged.contains(&chat) {
            return;
        }
        let question = self.message(Role::User, format!("question {}", self.next));
        self.log.save_message(Id(chat), &question).unwrap();
        if !self.known.chats.contains_key(&chat) {
            self.log.save_head(&Head::new(Id(chat), 5)).unwrap();
        }
        let mut answer = self.message(Role::Assistant, String::new());
        let kept = Some(AnswerId(answer.id.0.into()));
        self.log.begin_tail(Id(chat), &answer, kept).unwrap();
        for n in 1..=pieces {
            let piece = format!("piece {n} ");
            let parts = TailParts {
                frames: Some([n as usize - 1, n as usize]),
                ..TailParts::from(piece.as_str())
            };
            self.log.append_tail(Id(chat), answer.id, n, parts).unwrap();
            answer.content += &piece;
        }
        if to_the_end {
            answer.content += "end";
            self.log.save_message(Id(chat), &answer).unwrap();
        }
        let messages = self.known.chats.entry(chat).or_default();
        messages.push((question.id.0, question.content));
        messages.push((answer.id.0, answer.content));
    }
}

/// What is found after a restart.
fn found(state: StoredState) -> ExpectedLog {
    let mut store = MemoryStore::default();
    for (key, record) in &state.records {
        store.set(key, record).unwrap();
    }
    let entries: Vec<JournalEntry> = state
        .journal
        .into_iter()
        .map(|(key, record)| JournalEntry {
            key,
            rev: record.as_ref().err().copied().flatten(),
            record: record.ok(),
            at: 0,
        })
        .collect();
    replay(&mut store, &entries, 2, false, KINDS);
    let again = replay(&mut store, &entries, 2, false, KINDS);
    assert_eq!(again.restored, 0, "twice is once");
    let mut log = open(store);
    log.clean_up_purged(3);
    let mut known = ExpectedLog::default();
    let read = |log: &mut Log<MemoryStore>, id: Id| -> Vec<(u64, String)> {
        let chat = log.load(id).unwrap();
        let mut all: Vec<&Message> = Vec::new();
        for message in chat.messages() {
            assert!(all.iter().all(|m| m.id != message.id), "none twice");
            assert!(
                all.last()
                    .is_none_or(|last| (last.seq, last.id) < (message.seq, message.id)),
                "in order"
            );
            all.push(message);
        }
        all.iter().map(|m| (m.id.0, m.content.clone())).collect()
    };
    for chat in 1..3 {
        let draft = Some(log.draft(Id(chat)).text).filter(|draft| !draft.is_empty());
        known.drafts.extend(draft.map(|draft| (chat, draft)));
    }
    for summary in log.chat_list() {
        // A page that comes back requests the frames after those of the text that it has.
        for (answer, _) in log.kept_answers(summary.id) {
            let tail = log.kept_tail(summary.id, answer).unwrap();
            let pieces = (1..=tail.frames).map(|n| format!("piece {n} "));
            assert_eq!(tail.message.content, pieces.collect::<String>());
        }
        let messages = read(&mut log, summary.id);
        known.chats.insert(summary.id.0, messages);
    }
    for summary in log.deleted() {
        let messages = read(&mut log, summary.id);
        known.deleted.insert(summary.id.0, messages);
    }
    known
}

/// Everything that existed before and after the step in which the browser was killed must be found.
fn holds(
    found: &ExpectedLog,
    before: &ExpectedLog,
    after: &ExpectedLog,
) -> Result<(), TestCaseError> {
    for (chat, messages) in &before.chats {
        if !after.chats.contains_key(chat) {
            continue;
        }
        let there = found.chats.get(chat);
        prop_assert!(there.is_some(), "chat {chat} is lost: {found:?}");
        for (id, content) in messages {
            if before.removed.contains(id) || after.removed.contains(id) {
                continue;
            }
            let kept = there.into_iter().flatten().find(|(kept, _)| kept == id);
            prop_assert_eq!(kept.map(|(_, text)| text), Some(content));
        }
    }
    for chat in before
        .deleted
        .keys()
        .filter(|chat| after.deleted.contains_key(chat))
    {
        prop_assert!(
            found.deleted.contains_key(chat),
            "{chat} is not in the trash"
        );
    }
    for chat in &before.purged {
        prop_assert!(!found.chats.contains_key(chat) && !found.deleted.contains_key(chat));
    }
    for chat in 1..3 {
        let of = |known: &ExpectedLog| known.drafts.get(&chat).cloned();
        let there = of(found);
        let is_known = there == of(before) || there == of(after);
        prop_assert!(is_known, "the draft of {chat} is {there:?}");
    }
    for id in before
        .removed
        .iter()
        .filter(|id| after.removed.contains(id))
    {
        let mut all = found.chats.values().flatten();
        prop_assert!(all.all(|(there, _)| there != id), "{id} is back");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Killed after any write, with a disk state of any age: everything acknowledged is found, once, in
    /// order; deleted chats stay deleted.
    #[test]
    fn a_killed_browser_loses_nothing_that_was_acknowledged(
        ops in prop::collection::vec(op(), 1..16),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 12),
    ) {
        let store = Remembering::default();
        let mut person = Person {
            log: open(Journaled::new(store.clone(), store.clone(), KINDS)),
            known: ExpectedLog::default(),
            next: 0,
        };
        // The expected contents after each number of writes.
        let mut acknowledged = vec![(store.writes(), ExpectedLog::default())];
        for op in &ops {
            person.does(op);
            acknowledged.push((store.writes(), person.known.clone()));
        }
        let history = store.0.borrow().1.clone();
        for (now, disk) in cuts {
            let now = now.index(history.len());
            let disk = disk.index(now + 1);
            let writes = now + 1;
            let before = acknowledged.iter().rev().find(|(done, _)| *done <= writes);
            let after = acknowledged.iter().find(|(done, _)| *done >= writes);
            let (Some((_, before)), Some((_, after))) = (before, after) else {
                continue;
            };
            let state = StoredState {
                records: history[disk].records.clone(),
                journal: history[now].journal.clone(),
            };
            holds(&found(state), before, after)?;
        }
    }
}

/// What is found after a kill at each moment of what a person does, with a disk of each age since then.
fn found_within(store: &Remembering, act: impl FnOnce()) -> Vec<ExpectedLog> {
    let first = store.writes() - 1;
    act();
    let history = store.0.borrow().1.clone();
    let nows = first..history.len();
    let cuts = nows.flat_map(|now| (first..=now).map(move |disk| (now, disk)));
    cuts.map(|(now, disk)| {
        found(StoredState {
            records: history[disk].records.clone(),
            journal: history[now].journal.clone(),
        })
    })
    .collect()
}

/// A chat in the trash once lost its messages before it was gone, and could be restored without them.
#[test]
fn a_chat_that_is_removed_for_good_is_whole_or_gone() {
    let store = Remembering::default();
    let mut person = Person {
        log: open(Journaled::new(store.clone(), store.clone(), KINDS)),
        known: ExpectedLog::default(),
        next: 0,
    };
    for op in [Op::Exchange(1, 0), Op::Exchange(1, 2), Op::Delete(1)] {
        person.does(&op);
    }
    let whole = person.known.deleted[&1].clone();
    for found in found_within(&store, || person.does(&Op::Purge(1))) {
        assert!(found.chats.is_empty(), "{found:?}");
        let left = found.deleted.get(&1);
        assert!(left.is_none_or(|left| *left == whole), "{found:?}");
    }
}

/// A fork once was a chat without a head and with some of its messages.
#[test]
fn a_chat_that_is_added_is_whole_or_not_there() {
    let store = Remembering::default();
    let mut log = open(Journaled::new(store.clone(), store.clone(), KINDS));
    let mut chat = Chat::new(Head::new(CHAT, 5));
    for seq in 1..=4 {
        let text = format!("message {seq}");
        let message = Message::new(Id(seq), None, u32::try_from(seq).unwrap(), Role::User, 7);
        chat.insert(Message {
            content: text,
            ..message
        });
    }
    let mut seen = BTreeMap::new();
    for found in found_within(&store, || log.add_chat(&chat).unwrap()) {
        let count = found.chats.get(&CHAT.0).map(Vec::len);
        assert!(count.is_none_or(|count| count == 4), "{found:?}");
        *seen.entry(count).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
}
