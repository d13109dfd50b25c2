//! Decides what happens to an incoming chat: it is new, it exists already, it adds messages to an existing
//! chat, or it becomes a separate copy. Existing messages are never changed.

use super::renamed::{copy_id, renamed};
use super::{CopyReason, ImportNotes, ImportOutcome, Incoming, Skip};
use chat_exports::hash;
use sash_chat::{Chat, Head, Id, Message, Outcome};
use sash_log::pack::pack_messages;
use sash_log::{Key, KeyValue, Log, Tombstone, encode_record};
use sash_records::queue::QUEUES;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The most copies of one chat.
const MAX_COPIES: u64 = 16;

/// The decision for one chat.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What happens to the chat.
    pub fate: ImportOutcome,
    /// The id of the chat that it becomes, or already is.
    pub chat: Id,
    /// The records to add, under keys that are free.
    pub adds: Vec<(Key, String)>,
    /// The complete list of system prompts that the existing chat needs for the new receipts, its own ones
    /// first.
    pub systems: Option<Vec<String>>,
    pub notes: ImportNotes,
    /// The fingerprint that was noted of the chat, if one was.
    pub noted: Option<u64>,
}

impl Decision {
    /// Notes the chat as one that is decided.
    fn note(&mut self, says: u64, decided: &mut DecidedChats) {
        self.noted = Some(says);
        decided.insert(self.chat, says);
    }
}

/// The chats of the file that were decided already: id to fingerprint.
pub type DecidedChats = BTreeMap<Id, u64>;

/// Decides on a chat and notes it in `decided`; `None` if the same chat is in it already. Reads the log and writes nothing.
pub fn decide<S: KeyValue>(
    incoming: &Incoming,
    log: &mut Log<S>,
    decided: &mut DecidedChats,
) -> Option<Decision> {
    let mut decision = Decision {
        fate: ImportOutcome::Skipped(Skip::Empty),
        chat: incoming.head.id,
        adds: Vec::new(),
        systems: None,
        notes: incoming.notes,
        noted: None,
    };
    if incoming.messages.is_empty() {
        return Some(decision);
    }
    let is_deleted = incoming.deleted.is_some();
    let says = fingerprint(&incoming.messages, is_deleted);
    let said = (!incoming.former.is_empty()).then(|| fingerprint(&incoming.former, is_deleted));
    let mut why = None;
    for n in 0..=MAX_COPIES {
        let copy;
        let candidate = match n {
            0 => incoming,
            n => {
                // A copy that an earlier version made has its name by what that version read.
                let said = said.filter(|said| {
                    let keys = log.chat_keys().get(&copy_id(incoming, *said, n));
                    keys.is_some_and(|k| k.has_something() || k.deleted)
                });
                copy = renamed(incoming, said.unwrap_or(says), n);
                &copy
            }
        };
        let chat = candidate.head.id;
        decision.chat = chat;
        match decided.get(&chat) {
            Some(known) if *known == says => return None,
            Some(_) => {
                why = why.or(Some(CopyReason::Twice));
                continue;
            }
            None => {}
        }
        let keys = log.chat_keys().get(&chat);
        let (there, deleted) = keys.map_or((false, false), |k| (k.has_something(), k.deleted));
        if deleted {
            if candidate.deleted.is_none() {
                why = why.or(Some(CopyReason::Deleted));
                continue;
            }
            // Deleted in the file and here: what it lacks goes to the trash too, unless it is deleted for good.
            if !there {
                decision.note(says, decided);
                decision.fate = ImportOutcome::Here;
                return Some(decision);
            }
        }
        if !there {
            decision.note(says, decided);
            decision.fate = why.map_or(ImportOutcome::New, ImportOutcome::Copy);
            decision.adds = whole(candidate);
            // Stopped imports of earlier versions left queues without a chat, which are those of the file.
            let is_free = |key: &Key| log.record(&key.to_string()).is_none();
            decision.adds.retain(|(key, _)| is_free(key));
            return Some(decision);
        }
        let Some(here) = log.load(chat) else {
            decision.fate = ImportOutcome::Skipped(Skip::Unreadable);
            return Some(decision);
        };
        if let Some(more) = merge(candidate, &here, log) {
            decision.note(says, decided);
            decision.fate = match more.adds.len() {
                0 => ImportOutcome::Here,
                n => ImportOutcome::More(n),
            };
            decision.adds = more.adds;
            decision.systems = more.systems;
            decision.notes.orphans += more.orphans;
            decision.notes.stay_deleted += more.stay_deleted;
            return Some(decision);
        }
        why = why.or(Some(CopyReason::Differs));
    }
    decision.fate = ImportOutcome::Skipped(Skip::Exhausted);
    Some(decision)
}

/// All records of a new chat: tombstones first, so that nothing deleted is shown in between.
fn whole(chat: &Incoming) -> Vec<(Key, String)> {
    let id = chat.head.id;
    let mut adds = Vec::with_capacity(chat.messages.len() + 2);
    if let Some(at) = chat.deleted {
        adds.push((
            Key::Tombstone(id),
            encode_record(&Tombstone { at, purged: false }),
        ));
    }
    for (message, tombstone) in &chat.removed {
        adds.push((Key::Removed(id, *message), encode_record(tombstone)));
    }
    let (head, messages) = messages_of(chat);
    adds.push((Key::Head(id), encode_record(&head)));
    adds.extend(messages);
    // A chat that is here already keeps its own queue: what the file has may have been sent since.
    if !chat.queue.content.prompts.is_empty() {
        adds.push((QUEUES.key(id), encode_record(&chat.queue)));
    }
    adds
}

/// The head and the messages of a new chat, packed if that gains room: what is asked of the storage is what the chat needs
/// for good. Deleted messages stay raw, so that each can be restored or purged by itself.
fn messages_of(chat: &Incoming) -> (Head, Vec<(Key, String)>) {
    let mut head = chat.head.clone();
    let id = head.id;
    let removed: BTreeSet<Id> = chat.removed.iter().map(|(gone, _)| *gone).collect();
    let stay = chat.messages.iter().filter(|m| !removed.contains(&m.id));
    let Some(packed) = pack_messages(&head, stay) else {
        return (
            head,
            chat.messages
                .iter()
                .map(|m| message_record(id, m))
                .collect(),
        );
    };
    let raw = chat.messages.iter().filter(|m| !packed.ids.contains(&m.id));
    let raw: Vec<(Key, String)> = raw.map(|m| message_record(id, m)).collect();
    head.packed = Some(packed.packed);
    (head, packed.segments.into_iter().chain(raw).collect())
}

fn message_record(chat: Id, message: &Message) -> (Key, String) {
    (
        Key::Message(chat, message.seq, message.id),
        encode_record(message),
    )
}

struct Additions {
    adds: Vec<(Key, String)>,
    systems: Option<Vec<String>>,
    orphans: usize,
    stay_deleted: usize,
}

/// The messages that the existing chat lacks; `None` where the two differ under one id.
fn merge<S: KeyValue>(from: &Incoming, here: &Chat, log: &Log<S>) -> Option<Additions> {
    let id = from.head.id;
    let deleted = |message: &Id| {
        let keys = log.chat_keys().get(&id);
        keys.is_some_and(|keys| keys.removed.contains(message))
    };
    let mut more = Additions {
        adds: Vec::new(),
        systems: None,
        orphans: 0,
        stay_deleted: 0,
    };
    let ids: BTreeSet<Id> = from.messages.iter().map(|m| m.id).collect();
    let removed: BTreeSet<Id> = from.removed.iter().map(|(gone, _)| *gone).collect();
    let former: BTreeMap<Id, &Message> = from.former.iter().map(|m| (m.id, m)).collect();
    let mut new: Vec<&Message> = Vec::new();
    for message in &from.messages {
        if deleted(&message.id) {
            more.stay_deleted += 1;
        } else if let Some(known) = here.get(message.id) {
            // What an earlier version read stays as it is: messages never change.
            let mut readings = former.get(&message.id).into_iter().chain([&message]);
            if !readings.any(|message| is_same_message(known, message, from.foreign)) {
                return None;
            }
        } else if !removed.contains(&message.id) {
            new.push(message);
        }
    }
    more.systems = systems(&from.head, &here.head, &new)?;
    let mut seq = here.next_seq();
    let followed = followed(from, here);
    let mut between: BTreeMap<Id, u32> = BTreeMap::new();
    for message in new {
        let parent = message.parent;
        let known = |parent: Id| here.get(parent).is_some() || ids.contains(&parent);
        more.orphans += usize::from(parent.is_some_and(|parent| !known(parent)));
        let mut message = message.clone();
        if from.foreign && followed.contains(&message.id) {
            // An earlier version did not read it: it comes before what follows it, or the chat would end there.
            let before =
                parent.and_then(|id| Some(here.get(id)?.seq).or(between.get(&id).copied()));
            message.seq = before.unwrap_or_default().saturating_add(1);
            between.insert(message.id, message.seq);
        } else if from.foreign {
            message.seq = seq;
            seq = seq.saturating_add(1);
        }
        more.adds.push(message_record(id, &message));
    }
    Some(more)
}

/// The messages of the file after which there is one that is here already.
fn followed(from: &Incoming, here: &Chat) -> BTreeSet<Id> {
    let mut followed = BTreeSet::new();
    // Messages come after their parents.
    for message in from.messages.iter().rev() {
        if here.get(message.id).is_some() || followed.contains(&message.id) {
            followed.extend(message.parent);
        }
    }
    followed
}

/// The list of system prompts that the existing chat needs, where it must grow; `None` where receipts of new
/// messages refer to prompts that differ here.
fn systems(from: &Head, here: &Head, new: &[&Message]) -> Option<Option<Vec<String>>> {
    let named = new.iter().filter_map(|m| m.receipt.as_ref()?.system);
    let Some(last) = named.max().map(|n| n as usize) else {
        return Some(None);
    };
    let named = from.systems.get(..=last).unwrap_or(&from.systems);
    let both = named.len().min(here.systems.len());
    if named[..both] != here.systems[..both] {
        return None;
    }
    Some((named.len() > here.systems.len()).then(|| named.to_vec()))
}

/// Whether two messages with one id are the same. Times may have been clamped and the last digits of other
/// numbers lost; an answer may have been exported before it was complete here; and a question may have been shared
/// without its quotes of messages that were not shared.
fn is_same_message(here: &Message, other: &Message, foreign: bool) -> bool {
    let plain = |message: &Message| {
        // As text and back: for `to_value` all of a message would be compiled for a second serializer.
        let text = serde_json::to_string(message).unwrap_or_default();
        let mut value: Value = serde_json::from_str(&text).unwrap_or_default();
        if let Some(fields) = value.as_object_mut() {
            fields.remove("created");
            // In copies that earlier versions made these name the messages of the original.
            fields.remove("edited");
            if let Some(recalled) = fields.get_mut("recalled").and_then(Value::as_object_mut) {
                recalled.remove("pieces");
            }
            if let Some(receipt) = fields.get_mut("receipt").and_then(Value::as_object_mut) {
                // No file brings the address.
                for name in ["recalled", "question_before", "continued", "engine_address"] {
                    receipt.remove(name);
                }
            }
            if other.recalled.is_none() {
                fields.remove("recalled");
            }
            if foreign {
                fields.remove("seq");
                fields.remove("parent");
                // Where an answer names no model, the chat's is taken, which another one may have been since.
                fields.remove("model");
                // Another browser scales an image to other bytes.
                let images = fields.get("images").and_then(Value::as_array);
                let count = images.map_or(0, Vec::len);
                fields.insert("images".to_owned(), count.into());
            }
        }
        value
    };
    let begun = other.outcome == Outcome::Interrupted
        && here.outcome != Outcome::Interrupted
        && (here.role, here.parent) == (other.role, other.parent)
        && here.content.starts_with(&other.content)
        && here.thinking.starts_with(&other.thinking);
    begun || here.content == other.content && json_eq(&plain(here), &plain(other))
}

fn json_eq(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(0.0), b.as_f64().unwrap_or(0.0));
            (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| json_eq(a, b))
        }
        // Compare by name: the order of fields has no meaning.
        (Value::Object(a), Value::Object(b)) => {
            let same = |(name, a)| b.get(name).is_some_and(|b| json_eq(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}

/// A fingerprint of a chat's content: the same whenever the same file is read.
fn fingerprint(messages: &[Message], is_deleted: bool) -> u64 {
    let mut all = hash(0, b"sash");
    for message in messages {
        let mut message = Message {
            created: 0,
            ..message.clone()
        };
        let options = message.receipt.as_mut().and_then(|r| r.options.as_mut());
        message
            .tool_calls
            .iter_mut()
            .chain(options)
            .for_each(sort_fields);
        all = hash_of(all, &message);
    }
    hash_of(all, &is_deleted)
}

/// Sorts the fields of all objects within a value.
fn sort_fields(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.sort_keys();
            fields.values_mut().for_each(sort_fields);
        }
        Value::Array(items) => items.iter_mut().for_each(sort_fields),
        _ => {}
    }
}

fn hash_of<T: Serialize>(seed: u64, value: &T) -> u64 {
    hash(
        seed,
        serde_json::to_string(value).unwrap_or_default().as_bytes(),
    )
}
