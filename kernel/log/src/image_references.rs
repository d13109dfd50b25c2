//! The images to which the log still refers: the others can be deleted.

use super::{Key, KeyValue, Log};
use sash_chat::{Id, ImageHash};
use std::collections::BTreeSet;

/// What stands before the hash of an image in the JSON of a record.
const BEFORE_HASH: &str = "\"hash\":\"";

impl<S: KeyValue> Log<S> {
    /// The chats of the log, deleted ones included.
    #[must_use]
    pub fn all_chats(&self) -> Vec<Id> {
        self.chats.keys().copied().collect()
    }

    /// The images that a chat refers to, packed and deleted messages and its records that files have included.
    pub fn images_of(&mut self, chat: Id) -> BTreeSet<ImageHash> {
        let mut found = BTreeSet::new();
        let records = self.records_of(chat).filter(|key| key.is_in_files());
        let records: Vec<Key> = records.collect();
        for key in self.contents(chat).into_iter().chain(records) {
            match key {
                // A segment is compressed.
                Key::Segment(_, n) => {
                    for message in self.unpack_part(chat, n) {
                        found.extend(message.images.iter().map(|image| image.hash));
                    }
                }
                key => self.collect_images(&key.to_string(), &mut found),
            }
        }
        found
    }

    /// The images that records of the kinds refer to (drafts among them), and records that could not be read.
    pub fn images_outside_chats(&self) -> BTreeSet<ImageHash> {
        let mut found = BTreeSet::new();
        let aside = self.store.keys().into_iter();
        let aside = aside.filter(|key| key.starts_with(super::QUARANTINE_PREFIX));
        let records = self.records.iter().map(Key::to_string);
        for key in aside.chain(records) {
            self.collect_images(&key, &mut found);
        }
        found
    }

    /// Adds the images that the text of a record names. The text is not parsed, so that a record of a later
    /// version, or a damaged one, keeps its images.
    pub fn collect_images(&self, key: &str, found: &mut BTreeSet<ImageHash>) {
        let waiting = self.waiting.get(key);
        for record in waiting.cloned().into_iter().chain(self.store.get(key)) {
            let hashes = record.split(BEFORE_HASH).skip(1);
            found.extend(hashes.filter_map(|rest| rest.get(..64)?.parse::<ImageHash>().ok()));
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use crate::kind::samples::{KINDS, OF_CHAT};
    use crate::{Draft, Key, KeyValue, Log, MemoryStore};
    use sash_chat::{Head, Id, Image, ImageFormat, ImageHash, Message, Role};

    fn image(n: u8) -> Image {
        Image {
            hash: ImageHash([n; 32]),
            format: ImageFormat::Jpeg,
            size: 1,
            width: 1,
            height: 1,
            preview: String::new(),
        }
    }

    fn log() -> Log<MemoryStore> {
        let mut log = Log::open(MemoryStore::default(), Id(1), KINDS)
            .map_err(|(_, error)| error)
            .unwrap();
        for chat in [1, 2] {
            log.save_head(&Head::new(Id(chat), 1)).unwrap();
            let message = Message {
                content: "Look".into(),
                images: vec![image(chat as u8), image(9)],
                ..Message::new(Id(chat * 10), None, 1, Role::User, 1)
            };
            log.save_message(Id(chat), &message).unwrap();
        }
        log
    }

    fn numbers(found: std::collections::BTreeSet<ImageHash>) -> Vec<u8> {
        found.iter().map(|hash| hash.0[0]).collect()
    }

    #[test]
    fn images_are_found_in_messages_deleted_ones_and_packed_ones() {
        let mut log = log();
        assert_eq!(numbers(log.images_of(Id(1))), [1, 9]);
        let message = log.load(Id(1)).unwrap().get(Id(10)).cloned().unwrap();
        log.remove_message(Id(1), &message, 5).unwrap();
        log.delete(Id(2), 5).unwrap();
        assert_eq!(numbers(log.images_of(Id(1))), [1, 9]);
        assert_eq!(numbers(log.images_of(Id(2))), [2, 9]);
        assert_eq!(log.all_chats(), [Id(1), Id(2)]);
        log.purge_messages(Id(1), &[Id(10)], 6).unwrap();
        assert_eq!(numbers(log.images_of(Id(1))), Vec::<u8>::new());
        log.purge(Id(2), 6);
        assert_eq!(numbers(log.images_of(Id(2))), Vec::<u8>::new());
    }

    #[test]
    fn images_are_found_in_a_packed_chat() {
        let mut log = log();
        log.pack(Id(1)).unwrap();
        assert_eq!(numbers(log.images_of(Id(1))), [1, 9]);
    }

    #[test]
    fn drafts_and_unreadable_records_keep_their_images() {
        let mut log = log();
        let draft = Draft {
            images: vec![image(5)],
            ..Draft::default()
        };
        log.save_draft(Id(1), draft.clone(), 7).unwrap();
        assert_eq!(log.draft(Id(1)), draft);
        let damaged = format!("1|00000000|{{\"hash\":\"{}\"", ImageHash([6; 32]));
        log.store.set("sash:bad:sash:m:x", &damaged).unwrap();
        assert_eq!(numbers(log.images_outside_chats()), [5, 6]);
        log.save_draft(Id(1), "", 8).unwrap();
        assert_eq!(numbers(log.images_outside_chats()), [6]);
        let record = Key::Record(OF_CHAT, Id(1));
        log.write(record, &[image(7)]).unwrap();
        assert_eq!(numbers(log.images_outside_chats()), [6, 7]);
        assert_eq!(numbers(log.images_of(Id(1))), [1, 7, 9]);
    }
}
