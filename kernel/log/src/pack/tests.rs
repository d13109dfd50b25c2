//! The guarantees of packing: nothing lost, nothing twice, order kept, and a fifth of the room.

use super::seal::{split_known, units};
use super::segment::{MAX_SEGMENT_BYTES, SEGMENT_BYTES, compress, decompress};
use super::*;
use crate::{Key, KeyValue, Kinds, Log, MemoryStore, StoreError, encode_record};
use proptest::prelude::*;
use sash_chat::{Chat, Head, Id, Message, Policy, Receipt, Role, TokenCount};
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};

const CHAT: Id = Id(0xc0ffee);

/// A store that refuses every write from the n-th on.
#[derive(Default)]
struct FailingStore {
    inner: MemoryStore,
    left: Option<usize>,
}

impl KeyValue for FailingStore {
    fn keys(&self) -> Vec<String> {
        self.inner.keys()
    }
    fn get(&self, key: &str) -> Option<String> {
        self.inner.get(key)
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(1).ok_or(StoreError::Full)?;
        }
        self.inner.set(key, value)
    }
    fn remove(&mut self, key: &str) {
        self.inner.remove(key);
    }
}

/// A store that returns another text than was stored under a segment's key.
#[derive(Default)]
struct LyingStore(MemoryStore);

impl KeyValue for LyingStore {
    fn keys(&self) -> Vec<String> {
        self.0.keys()
    }
    fn get(&self, key: &str) -> Option<String> {
        match key.starts_with("sash:s:") {
            true => Some(encode_record(&compress("something else"))),
            false => self.0.get(key),
        }
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.0.set(key, value)
    }
    fn remove(&mut self, key: &str) {
        self.0.remove(key);
    }
}

fn open<S: KeyValue>(store: S) -> Log<S> {
    Log::open(store, Id(1), Kinds::default())
        .map_err(|(_, error)| error)
        .unwrap()
}

/// A random id, as the page makes them.
fn name(n: u64) -> Id {
    let mut x = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Id(x ^ (x >> 31))
}

/// Messages as the page writes them, questions and answers alternating.
fn messages(texts: &[String]) -> Vec<Message> {
    let mut all: Vec<Message> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let role = [Role::User, Role::Assistant][at % 2];
        let created = 1_760_000_000_000 + at as u64 * 47_123;
        let parent = all.last().map(|m| m.id);
        let mut message = Message::new(name(at as u64), parent, at as u32 + 1, role, created);
        message.content.clone_from(text);
        if role == Role::Assistant {
            message.model = Some("llama3.2".into());
            message.receipt = Some(Receipt {
                sent: all.iter().rev().take(4).rev().map(|m| m.id).collect(),
                policy: Policy::Messages(3),
                prompt_tokens: TokenCount {
                    estimated: 400 + at as u64,
                    counted: Some(417 + at as u64),
                },
                answer_tokens: Some(200 + at as u64),
                context_length: Some(4096),
                ..Receipt::default()
            });
        }
        all.push(message);
    }
    all
}

fn written(messages: &[Message]) -> MemoryStore {
    let mut log = open(MemoryStore::default());
    log.save_head(&Head::new(CHAT, 5)).unwrap();
    for message in messages {
        log.save_message(CHAT, message).unwrap();
    }
    log.store().clone()
}

/// All messages of the chat, raw and packed, each once.
fn all<S: KeyValue>(log: &mut Log<S>) -> Vec<Message> {
    let mut chat = Chat::new(Head::new(CHAT, 0));
    for message in log.unpack_messages(CHAT) {
        chat.insert(message);
    }
    let keys: Vec<(u32, Id)> = log
        .chats
        .get(&CHAT)
        .unwrap()
        .messages
        .iter()
        .copied()
        .collect();
    for (seq, id) in keys {
        chat.insert(log.read::<Message>(Key::Message(CHAT, seq, id)).unwrap());
    }
    chat.messages().cloned().collect()
}

fn raw<S: KeyValue>(log: &Log<S>) -> usize {
    log.store()
        .keys()
        .iter()
        .filter(|k| k.starts_with("sash:m:"))
        .count()
}

fn total<S: KeyValue>(store: &S) -> usize {
    let record = |key: &String| units(key) + units(&store.get(key).unwrap_or_default());
    store.keys().iter().map(record).sum()
}

fn talk(text: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("%% ") {
            Some(role) => {
                assert_eq!(role, ["user", "assistant"][texts.len() % 2]);
                texts.push(String::new());
            }
            None => {
                let text = texts.last_mut().unwrap();
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line);
            }
        }
    }
    texts
}

#[test]
fn english_chats_of_20_kb_and_more_take_less_than_a_quarter_and_a_half() {
    let talks = [
        ("prose", include_str!("../../tests/data/chats/prose.txt")),
        ("code", include_str!("../../tests/data/chats/code.txt")),
        ("mixed", include_str!("../../tests/data/chats/mixed.txt")),
    ];
    for (what, text) in talks {
        assert!(text.len() >= 20_000, "{what}");
        let mut lines: Vec<&str> = text.lines().filter(|line| line.len() > 60).collect();
        let many = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert!(
            lines.len() * 50 >= many * 49,
            "{what} repeats itself, which would be cheating"
        );
        let messages = messages(&talk(text));
        let mut log = open(written(&messages));
        let before = total(log.store());
        let gain = log.pack(CHAT).unwrap();
        let after = total(log.store());
        let times = gain.before as f64 / gain.after as f64;
        println!(
            "{what}: {} units to {}, {times:.2} times; the whole log {before} to {after}",
            gain.before, gain.after
        );
        assert!(times >= 4.5, "{what}: {times:.2}");
        assert!(before > after * 4, "{what}: {before} to {after}");
        assert_eq!((gain.messages, raw(&log)), (messages.len(), 0));
        assert_eq!(log.unpack_messages(CHAT), messages);
        let mut again = open(log.store().clone());
        assert_eq!(again.unpack_messages(CHAT), messages);
        let packed = again.head(CHAT).unwrap().packed.unwrap();
        let last = messages.last().unwrap();
        assert_eq!(
            (packed.count as usize, packed.seq, packed.touched),
            (messages.len(), last.seq, last.created)
        );
        let mut chat = Chat::new(Head::new(CHAT, 0));
        messages.into_iter().for_each(|m| chat.insert(m));
        assert_eq!(packed.title, chat.title());
        assert_eq!(
            again.pack(CHAT),
            Ok(PackingGain::default()),
            "twice is once"
        );
    }
}

fn long(n: usize) -> Vec<String> {
    (0..n)
        .map(|at| {
            format!(
                "{at} {}",
                "words that fill a line, and more words; ".repeat(at % 7 * 9)
            )
        })
        .collect()
}

#[test]
fn what_is_written_later_is_packed_with_what_there_is() {
    let messages = messages(&long(400));
    let mut log = open(written(&messages[..150]));
    log.pack(CHAT).unwrap();
    for (from, to) in [(150, 160), (160, 330), (330, 400)] {
        for message in &messages[from..to] {
            log.save_message(CHAT, message).unwrap();
        }
        assert_eq!(all(&mut log), messages[..to]);
        log.pack(CHAT).unwrap();
        assert_eq!(raw(&log), 0);
        assert_eq!(log.unpack_messages(CHAT), messages[..to]);
    }
    assert_eq!(log.head(CHAT).unwrap().packed.unwrap().count, 400);
    for n in log.segments(CHAT) {
        let text = log.unpack_segment(Key::Segment(CHAT, n)).unwrap();
        assert!(text.len() <= SEGMENT_BYTES, "{}", text.len());
    }
    let segments = log.segments(CHAT).len();
    let bytes: usize = log.unpack_payloads(CHAT).iter().map(String::len).sum();
    assert!(
        segments <= bytes / SEGMENT_BYTES * 2 + 2,
        "{segments} segments for {bytes} bytes"
    );
}

#[test]
fn whichever_write_fails_nothing_is_lost_and_nothing_is_there_twice() {
    let messages = messages(&long(300));
    let writes = {
        let mut log = open(FailingStore {
            inner: written(&messages),
            left: Some(1000),
        });
        log.pack(CHAT).unwrap();
        1000 - log.store().left.unwrap()
    };
    assert!(writes > 3, "several segments, or this shows nothing");
    for left in 0..writes {
        let mut log = open(FailingStore {
            inner: written(&messages),
            left: Some(left),
        });
        assert_eq!(log.pack(CHAT), Err(NotPacked::Store(StoreError::Full)));
        assert_eq!(all(&mut log), messages, "write {left}");
        // What the next start finds; then there is room.
        let mut log = open(log.store().inner.clone());
        assert_eq!(all(&mut log), messages, "write {left}, after a start");
        log.pack(CHAT).unwrap();
        assert_eq!(raw(&log), 0, "write {left}");
        assert_eq!(log.unpack_messages(CHAT), messages, "write {left}, packed");
    }
}

#[test]
fn wherever_the_page_is_closed_nothing_is_lost_and_the_next_packing_finishes_it() {
    /// A store that keeps a copy of itself after each change.
    #[derive(Default)]
    struct Filmed(MemoryStore, RefCell<Vec<MemoryStore>>);
    impl KeyValue for Filmed {
        fn keys(&self) -> Vec<String> {
            self.0.keys()
        }
        fn get(&self, key: &str) -> Option<String> {
            self.0.get(key)
        }
        fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
            self.0.set(key, value)?;
            self.1.borrow_mut().push(self.0.clone());
            Ok(())
        }
        fn remove(&mut self, key: &str) {
            self.0.remove(key);
            self.1.borrow_mut().push(self.0.clone());
        }
    }
    let messages = messages(&long(120));
    // Half of the chat is packed already, and the last segment is not full.
    let mut log = open(written(&messages[..50]));
    log.pack(CHAT).unwrap();
    for message in &messages[50..] {
        log.save_message(CHAT, message).unwrap();
    }
    let mut log = open(Filmed(log.store().clone(), RefCell::default()));
    log.pack(CHAT).unwrap();
    let film = log.store().1.take();
    assert!(film.len() > 70);
    for (at, store) in film.into_iter().enumerate() {
        let mut log = open(store);
        assert_eq!(all(&mut log), messages, "after change {at}");
        log.pack(CHAT).unwrap();
        assert_eq!(all(&mut log), messages, "after change {at}, packed again");
        assert!(raw(&log) < 10, "after change {at}: {} left", raw(&log));
    }
}

#[test]
fn raw_records_go_only_after_the_segment_was_read_back_and_is_the_same() {
    let messages = messages(&long(50));
    let mut log = open(LyingStore(written(&messages)));
    assert_eq!(log.pack(CHAT), Err(NotPacked::Store(StoreError::Refused)));
    assert_eq!(raw(&log), 50);
}

#[test]
fn a_chat_in_which_an_answer_is_written_is_not_packed() {
    let messages = messages(&long(50));
    let mut log = open(written(&messages));
    log.begin_tail(
        CHAT,
        &Message::new(Id(7), None, 99, Role::Assistant, 0),
        None,
    )
    .unwrap();
    assert_eq!(log.pack(CHAT), Err(NotPacked::Busy));
    assert_eq!(log.estimate_gain(CHAT), Err(NotPacked::Busy));
    assert_eq!(raw(&log), 50);
}

#[test]
fn what_is_deleted_stays_raw_and_what_is_packed_can_be_deleted_for_good() {
    let messages = messages(&long(60));
    let mut store = written(&messages);
    let tombstone = |store: &mut MemoryStore, at: usize| {
        store
            .set(
                &Key::Removed(CHAT, messages[at].id).to_string(),
                &encode_record(&serde_json::json!({"at": 9, "seq": 1, "role": "user"})),
            )
            .unwrap();
    };
    tombstone(&mut store, 20);
    let mut log = open(store);
    log.pack(CHAT).unwrap();
    assert_eq!(raw(&log), 1);

    let left: Vec<Message> = messages
        .iter()
        .filter(|m| ![messages[20].id, messages[30].id].contains(&m.id))
        .cloned()
        .collect();
    log.purge_packed(CHAT, &[messages[30].id]).unwrap();
    assert_eq!(log.unpack_messages(CHAT), left);
    assert_eq!(log.head(CHAT).unwrap().packed.unwrap().count, 58);
    let ids: Vec<Id> = left.iter().map(|m| m.id).collect();
    log.purge_packed(CHAT, &ids).unwrap();
    assert!(log.segments(CHAT).is_empty());
    assert_eq!(log.head(CHAT).unwrap().packed, None);
}

#[test]
fn a_damaged_segment_and_one_that_unpacks_to_too_much_are_set_aside() {
    let messages = messages(&long(20));
    let mut log = open(written(&messages));
    log.pack(CHAT).unwrap();
    let key = Key::Segment(CHAT, 0);
    let bomb = compress(&"0".repeat(MAX_SEGMENT_BYTES + 1));
    assert!(units(&bomb) < 20_000);
    assert_eq!(decompress(&bomb), None);
    for wrong in [bomb, "㐀㐁".into(), "plain".into(), String::new()] {
        let mut store = log.store().clone();
        let record = encode_record(&wrong);
        store.set(&key.to_string(), &record).unwrap();
        let mut log = open(store);
        assert!(log.unpack_messages(CHAT).is_empty());
        assert_eq!(log.store().get(&key.quarantined()), Some(record));
        assert_eq!(log.store().get(&key.to_string()), None);
    }
}

#[test]
fn a_chat_of_a_few_words_is_left_as_it_is() {
    let mut log = open(written(&messages(&["Hello?".into(), "Yes.".into()])));
    assert_eq!(log.pack(CHAT), Ok(PackingGain::default()));
    assert_eq!((raw(&log), log.segments(CHAT).len()), (2, 0));
}

#[test]
fn what_it_would_gain_is_what_it_gains_and_asking_writes_nothing() {
    let mut log = open(written(&messages(&long(90))));
    let before = log.store().keys();
    let told = log.estimate_gain(CHAT).unwrap();
    assert_eq!(log.store().keys(), before);
    assert_eq!(log.pack(CHAT), Ok(told));
}

#[test]
fn naughty_strings_come_back_as_they_were() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora");
    let folder = std::env::var("SASH_CORPORA").unwrap_or_else(|_| beside.to_owned());
    let Ok(text) = std::fs::read_to_string(std::path::Path::new(&folder).join("blns.json")) else {
        println!("skipped: corpora absent");
        return;
    };
    let strings: Vec<String> = serde_json::from_str(&text).unwrap();
    assert!(strings.len() > 500);
    let messages = messages(&strings);
    let mut log = open(written(&messages));
    log.pack(CHAT).unwrap();
    assert_eq!(raw(&log), 0);
    assert_eq!(open(log.store().clone()).unpack_messages(CHAT), messages);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_comes_back_as_it_was(texts in prop::collection::vec(any::<String>(), 1..40), room in 0usize..8) {
        let messages = messages(&texts);
        let mut log = open(FailingStore { inner: written(&messages), left: Some(room) });
        let _ = log.pack(CHAT);
        prop_assert_eq!(all(&mut log), &messages[..]);
        let mut again = open(log.store().inner.clone());
        prop_assert_eq!(all(&mut again), messages);
    }
}

/// A store that tells nothing of its content, so that what is told of a log is what the log keeps itself.
struct SilentStore(MemoryStore);

impl std::fmt::Debug for SilentStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SilentStore")
    }
}

impl KeyValue for SilentStore {
    fn keys(&self) -> Vec<String> {
        self.0.keys()
    }
    fn get(&self, key: &str) -> Option<String> {
        self.0.get(key)
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.0.set(key, value)
    }
    fn remove(&mut self, key: &str) {
        self.0.remove(key);
    }
}

#[test]
fn three_hundred_packed_chats_that_were_read_leave_nothing_in_memory() {
    let chats = 1..=300;
    let mut log = open(SilentStore(MemoryStore::default()));
    for chat in chats.clone() {
        log.save_head(&Head::new(Id(chat), 1)).unwrap();
        for message in messages(&long(40)) {
            log.save_message(Id(chat), &message).unwrap();
        }
        log.pack(Id(chat)).unwrap();
    }
    let kept = |log: &Log<SilentStore>| format!("{log:?}").len();
    let before = kept(&log);
    for chat in chats.clone().chain(chats) {
        assert_eq!(log.load(Id(chat)).unwrap().len(), 40);
    }
    assert_eq!(kept(&log), before);
    // What single messages are read from stays small.
    for chat in 1..=300 {
        assert!(log.find_message(Id(chat), name(39)).is_some());
    }
    assert!(kept(&log) < before + (3 << 20), "{} bytes", kept(&log));
}

/// A store that counts what is read.
#[derive(Default)]
struct CountingStore(MemoryStore, RefCell<Vec<String>>);

impl KeyValue for CountingStore {
    fn keys(&self) -> Vec<String> {
        self.0.keys()
    }
    fn get(&self, key: &str) -> Option<String> {
        self.1.borrow_mut().push(key.to_owned());
        self.0.get(key)
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.0.set(key, value)
    }
    fn remove(&mut self, key: &str) {
        self.0.remove(key);
    }
}

#[test]
fn a_single_message_is_read_by_its_key_and_its_neighbours_in_a_segment_with_it() {
    let messages = messages(&long(300));
    let mut log = open(CountingStore(written(&messages), RefCell::default()));
    log.store().1.take();
    assert_eq!(log.find_message(CHAT, name(7)).as_ref(), messages.get(7));
    assert_eq!(log.store().1.take().len(), 1);
    assert_eq!(log.find_message(CHAT, Id(7)), None);
    assert_eq!(log.store().1.take().len(), 0);

    log.pack(CHAT).unwrap();
    let segments = log.segments(CHAT).len();
    assert!(segments > 3 && segments < 17, "{segments}");
    log.store().1.take();
    for (at, message) in messages.iter().enumerate() {
        assert_eq!(
            log.find_message(CHAT, name(at as u64)).as_ref(),
            Some(message)
        );
    }
    assert_eq!(log.store().1.take().len(), segments, "each segment once");
    // A segment that is rewritten is read anew.
    let tombstone = encode_record(&serde_json::json!({"at": 9, "seq": 1, "role": "user"}));
    let removed = Key::Removed(CHAT, name(0)).to_string();
    log.store.set(&removed, &tombstone).unwrap();
    log.on_key_change(&removed, true);
    log.purge_messages(CHAT, &[name(0)], 10).unwrap();
    assert_eq!(log.find_message(CHAT, name(0)), None);
    assert_eq!(log.find_message(CHAT, name(1)).as_ref(), messages.get(1));
}

#[test]
fn deleted_messages_of_a_packed_chat_are_listed_and_purged_with_one_reading_of_each_segment() {
    let messages = messages(&long(300));
    let mut log = open(CountingStore(written(&messages), RefCell::default()));
    log.pack(CHAT).unwrap();
    let segments = log.segments(CHAT).len();
    let deleted: Vec<Id> = (0..100).map(name).collect();
    for message in &messages[..100] {
        log.remove_message(CHAT, message, 9).unwrap();
    }
    let read = |log: &Log<CountingStore>| {
        let keys = log.store().1.take();
        keys.iter().filter(|key| key.starts_with("sash:s:")).count()
    };
    read(&log);
    let (mut listed, _) = log.removed_messages(CHAT);
    assert_eq!(read(&log), segments);
    listed.sort_by_key(|removed| removed.message.seq);
    let texts = listed.iter().map(|removed| &removed.message.content);
    assert!(texts.eq(messages[..100].iter().map(|message| &message.content)));
    log.purge_messages(CHAT, &deleted, 10).unwrap();
    // Each segment, and those that were rewritten once more to compare them.
    assert!(read(&log) <= 2 * segments);
    assert!(log.removed_messages(CHAT).0.is_empty());
    assert_eq!(log.unpack_messages(CHAT), messages[100..]);
}

thread_local! {
    static COMPARED: Cell<usize> = const { Cell::new(0) };
}

/// A name that counts how often it is compared.
struct CountedName(u64);

impl PartialEq for CountedName {
    fn eq(&self, other: &Self) -> bool {
        COMPARED.set(COMPARED.get() + 1);
        self.0 == other.0
    }
}

impl Eq for CountedName {}

impl Hash for CountedName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// Regression: each raw message of a chat was compared with each packed one.
#[test]
fn raw_messages_are_not_compared_with_every_packed_one() {
    let known: Vec<CountedName> = (0..4_000).map(CountedName).collect();
    let raw: Vec<CountedName> = (2_000..6_000).map(CountedName).collect();
    let (packed, rest) = split_known(raw, known.iter(), |name| name);
    assert_eq!((packed.len(), rest.len()), (2_000, 2_000));
    assert!(rest.iter().all(|name| name.0 >= 4_000));
    // Some more than the 2,000 that are equal, where hashes collide in part.
    assert!(COMPARED.get() < 8_000, "{} comparisons", COMPARED.get());
}
