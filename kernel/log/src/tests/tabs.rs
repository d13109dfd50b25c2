//! Two tabs over one store that receive each other's events late: nothing is lost, and deletion wins.
#![cfg(not(target_arch = "wasm32"))]

use super::*;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

type Told = Rc<RefCell<VecDeque<(String, bool)>>>;

/// A tab's view of the store; each write is queued as an event for the other tab.
#[derive(Clone)]
struct Tab {
    records: Rc<RefCell<MemoryStore>>,
    tells: Told,
}

impl KeyValue for Tab {
    fn keys(&self) -> Vec<String> {
        self.records.borrow().keys()
    }
    fn get(&self, key: &str) -> Option<String> {
        self.records.borrow().get(key)
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        self.tells.borrow_mut().push_back((key.into(), true));
        self.records.borrow_mut().set(key, value)
    }
    fn remove(&mut self, key: &str) {
        self.tells.borrow_mut().push_back((key.into(), false));
        self.records.borrow_mut().remove(key);
    }
}

#[derive(Clone, Debug)]
enum Op {
    Ask(u64),
    /// A piece of an answer; `true` ends the answer.
    Answer(u64, bool),
    Rename(u64),
    Delete(u64),
    Purge(u64),
    /// The tab receives that many events.
    Hear(usize),
}

fn op() -> impl Strategy<Value = (usize, Op)> {
    let chat = 1..3u64;
    let op = prop_oneof![
        4 => chat.clone().prop_map(Op::Ask),
        6 => (chat.clone(), any::<bool>()).prop_map(|(c, end)| Op::Answer(c, end)),
        1 => chat.clone().prop_map(Op::Rename),
        1 => chat.clone().prop_map(Op::Delete),
        1 => chat.prop_map(Op::Purge),
        3 => (0..9usize).prop_map(Op::Hear),
    ];
    (0..2usize, op)
}

struct Writer {
    log: Log<Tab>,
    hears: Told,
    /// The running answer of each chat: its record and its number of pieces.
    running: BTreeMap<u64, (Message, u32)>,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn two_tabs_lose_nothing_whenever_they_hear_of_each_other(
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let records = Rc::new(RefCell::new(MemoryStore::default()));
        let told: [Told; 2] = Default::default();
        let mut tabs: Vec<Writer> = [0, 1].map(|n| Writer {
            log: open(Tab { records: Rc::clone(&records), tells: Rc::clone(&told[1 - n]) }),
            hears: Rc::clone(&told[n]),
            running: BTreeMap::new(),
        }).into();
        let mut written: BTreeMap<u64, Vec<(Id, String)>> = BTreeMap::new();
        let mut deleted: Vec<u64> = Vec::new();
        let mut next = 0u64;
        for (tab, op) in ops {
            let writer = &mut tabs[tab];
            match op {
                Op::Ask(chat) if !writer.log.is_gone(Id(chat)) || !written.contains_key(&chat) => {
                    next += 1;
                    // Each tab numbers from what it has received, so two messages may get the same number.
                    let seq = writer.log.load(Id(chat)).map_or(1, |c| c.next_seq());
                    let question = Message {
                        content: format!("asked {next}"),
                        ..Message::new(Id(next), None, seq, Role::User, 5)
                    };
                    if writer.log.head(Id(chat)).is_none() {
                        writer.log.save_head(&Head::new(Id(chat), 5)).unwrap();
                    }
                    writer.log.save_message(Id(chat), &question).unwrap();
                    written.entry(chat).or_default().push((question.id, question.content));
                }
                Op::Answer(chat, end) if !writer.log.is_gone(Id(chat)) && written.contains_key(&chat) => {
                    if !writer.running.contains_key(&chat) {
                        next += 1;
                        let seq = writer.log.load(Id(chat)).map_or(1, |c| c.next_seq());
                        let answer = Message::new(Id(next), None, seq, Role::Assistant, 5);
                        writer.log.begin_tail(Id(chat), &answer, None).unwrap();
                        writer.running.insert(chat, (answer, 0));
                    }
                    let (answer, pieces) = writer.running.get_mut(&chat).unwrap();
                    *pieces += 1;
                    let piece = format!("piece {pieces} ");
                    writer.log.append_tail(Id(chat), answer.id, *pieces, piece.as_str()).unwrap();
                    answer.content += &piece;
                    if end {
                        let (answer, _) = writer.running.remove(&chat).unwrap();
                        writer.log.save_message(Id(chat), &answer).unwrap();
                        written.entry(chat).or_default().push((answer.id, answer.content));
                    }
                }
                Op::Rename(chat) => {
                    if let Some(mut head) = writer.log.head(Id(chat)) {
                        head.rev += 1;
                        writer.log.save_head(&head).unwrap();
                    }
                }
                Op::Delete(chat) if written.contains_key(&chat) => {
                    writer.log.delete(Id(chat), 6).unwrap();
                    deleted.push(chat);
                }
                Op::Purge(chat) => writer.log.purge(Id(chat), 7),
                Op::Hear(events) => {
                    for _ in 0..events {
                        let event = writer.hears.borrow_mut().pop_front();
                        if let Some((key, there)) = event {
                            writer.log.on_key_change(&key, there);
                        }
                    }
                }
                Op::Ask(_) | Op::Answer(..) | Op::Delete(_) => {}
            }
        }
        // Answers that are still running when both tabs are closed.
        for writer in tabs {
            for (chat, (answer, _)) in writer.running {
                written.entry(chat).or_default().push((answer.id, answer.content));
            }
        }
        let records = records.borrow().clone();
        let mut log = open(records);
        log.clean_up_purged(8);
        for (chat, messages) in written {
            if deleted.contains(&chat) {
                prop_assert!(log.chat_list().iter().all(|s| s.id != Id(chat)), "{chat} is back");
                continue;
            }
            let found = log.load(Id(chat)).unwrap();
            let all: Vec<&Message> = found.messages().collect();
            prop_assert_eq!(all.len(), messages.len());
            for (id, content) in messages {
                let kept: Vec<&&Message> = all.iter().filter(|m| m.id == id).collect();
                prop_assert_eq!(kept.len(), 1);
                prop_assert_eq!(&kept[0].content, &content);
            }
            prop_assert!(all.windows(2).all(|w| (w[0].seq, w[0].id) < (w[1].seq, w[1].id)));
        }
    }
}
