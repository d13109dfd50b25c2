//! The lines of a chat for the backup, written record by record: a chat of thousands of messages is handed over often,
//! and may not hold up the page.

use sash_chat::{Head, Id, ImageHash, Message};
use sash_form::lines;
use sash_log::{FOLDER, Key, KeyValue, Log, MessageTombstone, encode_record};
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};

use super::image_hashes;

/// By this a line is known that may name images.
const IMAGES: &str = "\"images\":[";

/// A chat that is being written. What its log gets meanwhile may be in it or not.
#[derive(Debug)]
pub struct ChatLines {
    chat: Id,
    keys: VecDeque<Key>,
    text: String,
    images: BTreeSet<ImageHash>,
}

impl ChatLines {
    /// Starts with a chat of the store. `now` is in milliseconds since 1970.
    #[must_use]
    pub fn new<S: KeyValue>(log: &Log<S>, chat: Id, now: u64) -> Self {
        let mut keys = VecDeque::new();
        if let Some(of) = log.chat_keys().get(&chat) {
            keys.push_back(Key::Head(chat));
            if of.deleted {
                keys.push_back(Key::Tombstone(chat));
            }
            keys.extend(of.removed.iter().map(|id| Key::Removed(chat, *id)));
            keys.extend(log.contents(chat).into_iter().rev());
        }
        Self {
            chat,
            text: lines::header(now, 1, keys.len()),
            keys,
            images: BTreeSet::new(),
        }
    }

    /// Writes the next record. Returns whether there was one.
    pub fn step<S: KeyValue>(&mut self, log: &mut Log<S>) -> bool {
        let Some(key) = self.keys.pop_front() else {
            return false;
        };
        match key {
            Key::Head(chat) => self.add_head(log, chat),
            Key::Message(_, _, id) if is_purged(log, self.chat, id) => {}
            // As it was written: nothing of it is parsed.
            Key::Message(..) | Key::Removed(..) | Key::Tombstone(_) => {
                let name = key.to_string();
                if let Some(record) = log.record(&name) {
                    let line = lines::line(&name, &record);
                    self.add(&line.unwrap_or_default());
                }
            }
            Key::Tail(..) | Key::Segment(..) => {
                for message in log.messages_at(key) {
                    self.add_message(log, &message);
                }
            }
            _ => {}
        }
        true
    }

    /// The text, and the images that its messages name.
    #[must_use]
    pub fn finish(self) -> (String, BTreeSet<ImageHash>) {
        (self.text, self.images)
    }

    fn add_head<S: KeyValue>(&mut self, log: &mut Log<S>, chat: Id) {
        // A chat whose head cannot be read is written without one, as it is shown.
        let mut head = log.head(chat).unwrap_or_else(|| Head::new(chat, 0));
        // The messages are written unpacked.
        head.packed = None;
        self.add(&line(Key::Head(chat), &head));
        if let Some(folder) = head.folder.and_then(|id| log.folder(id))
            && folder.deleted.is_none()
        {
            self.add(&line(Key::Record(FOLDER, folder.id), &folder));
        }
    }

    fn add_message<S: KeyValue>(&mut self, log: &mut Log<S>, message: &Message) {
        if !is_purged(log, self.chat, message.id) {
            self.add(&line(
                Key::Message(self.chat, message.seq, message.id),
                message,
            ));
        }
    }

    fn add(&mut self, line: &str) {
        if line.contains(IMAGES) {
            self.images.extend(image_hashes(line));
        }
        self.text.push_str(line);
    }
}

/// Whether a message was deleted here for good.
pub(super) fn is_purged<S: KeyValue>(log: &mut Log<S>, chat: Id, message: Id) -> bool {
    let tombstone = |log: &mut Log<S>| log.read::<MessageTombstone>(Key::Removed(chat, message));
    log.is_removed(chat, message) && tombstone(log).is_some_and(|tombstone| tombstone.purged)
}

fn line<T: Serialize>(key: Key, value: &T) -> String {
    let (key, record) = (key.to_string(), encode_record(value));
    // The record was just encoded in the form that `line` accepts.
    lines::line(&key, &record).unwrap_or_default()
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::tests::{NOW, exported, log_of, simple};
    use export::ExportScope;
    use sash_records::backup::BackupLog;

    fn written(log: &mut Log<sash_log::MemoryStore>, chat: Id) -> String {
        let mut lines = ChatLines::new(log, chat, NOW);
        while lines.step(log) {}
        lines.finish().0
    }

    fn sorted(text: &str) -> Vec<&str> {
        let mut lines: Vec<&str> = text.lines().skip(1).collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn the_lines_are_those_of_an_export() {
        let mut long = simple(1);
        for n in 3..60 {
            long.insert(crate::tests::message(
                100 + n,
                99 + n,
                n as u32,
                "More of the same",
            ));
        }
        let mut log = log_of(&[long, simple(2)]);
        let whole = exported(&mut log, ExportScope::One(Id(1)));
        assert_eq!(sorted(&written(&mut log, Id(1))), sorted(&whole));
        log.pack(Id(1)).unwrap();
        assert!(!log.chat_keys()[&Id(1)].segments.is_empty());
        // The head has another version since.
        let whole = exported(&mut log, ExportScope::One(Id(1)));
        assert_eq!(sorted(&written(&mut log, Id(1))), sorted(&whole));
        // Deleted things go along, purged ones do not.
        let answer = log.find_message(Id(1), Id(102)).unwrap();
        log.remove_message(Id(1), &answer, NOW).unwrap();
        assert!(written(&mut log, Id(1)).contains("An answer"));
        log.purge_messages(Id(1), &[Id(102)], NOW).unwrap();
        let purged = written(&mut log, Id(1));
        assert!(!purged.contains("An answer") && purged.contains("sash:x:"));
        log.delete(Id(2), NOW).unwrap();
        assert!(written(&mut log, Id(2)).contains("sash:x:"));
        assert_eq!(written(&mut log, Id(9)).lines().count(), 1);
    }

    #[test]
    fn a_running_answer_goes_along_as_far_as_it_is() {
        let mut log = log_of(&[simple(1)]);
        let running = crate::tests::message(103, 101, 4, "Half an");
        log.begin_tail(Id(1), &running, None).unwrap();
        let text = written(&mut log, Id(1));
        assert!(text.contains("Half an") && text.contains("interrupted"));
    }

    #[test]
    fn each_change_of_a_chat_has_another_digest() {
        let mut log = log_of(&[simple(1), simple(2)]);
        log.follow_chats();
        let mut seen = BTreeSet::new();
        let mut check = |log: &mut Log<sash_log::MemoryStore>| {
            assert!(seen.insert(log.chat_digest(Id(1)).unwrap()));
            assert_eq!(log.chat_digest(Id(1)), log.chat_digest(Id(1)));
        };
        check(&mut log);
        log.save_message(Id(1), &crate::tests::message(103, 102, 3, "More"))
            .unwrap();
        check(&mut log);
        let running = crate::tests::message(104, 103, 4, "Half an");
        log.begin_tail(Id(1), &running, None).unwrap();
        check(&mut log);
        let mut head = log.head(Id(1)).unwrap();
        head.title = Some("A title".to_owned());
        log.save_head(&head).unwrap();
        check(&mut log);
        let answer = log.find_message(Id(1), Id(102)).unwrap();
        log.remove_message(Id(1), &answer, NOW).unwrap();
        check(&mut log);
        log.purge_messages(Id(1), &[Id(102)], NOW).unwrap();
        check(&mut log);
        log.delete(Id(1), NOW).unwrap();
        check(&mut log);
        assert_eq!(log.take_changed_chats(), BTreeSet::from([Id(1)]));
        assert!(!log.has_changed_chats());
        log.purge(Id(1), NOW);
        assert_eq!(log.chat_digest(Id(1)), None);
        assert_eq!(log.take_changed_chats(), BTreeSet::from([Id(1)]));
        log.forget_all();
        assert!(!log.has_changed_chats());
    }
}
