//! A kill at any write leaves the log as it was, with the whole import or without.

use super::*;
use crate::log::StoreError;

/// After so many changes nothing more arrives: the browser is gone.
#[derive(Clone, Default)]
struct Killed {
    inner: MemoryStore,
    left: usize,
}

impl Killed {
    fn lives(&mut self) -> bool {
        let lives = self.left > 0;
        self.left = self.left.saturating_sub(1);
        lives
    }
}

impl Store for Killed {
    fn keys(&self) -> Vec<String> {
        self.inner.keys()
    }
    fn get(&self, key: &str) -> Option<String> {
        self.inner.get(key)
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        match self.lives() {
            true => self.inner.set(key, value),
            false => Err(StoreError::Refused),
        }
    }
    fn remove(&mut self, key: &str) {
        if self.lives() {
            self.inner.remove(key);
        }
    }
}

/// New chats, one that grows and needs a system prompt, one that comes beside the one that is here.
fn there() -> Vec<Chat> {
    let mut grows = simple(1);
    grows.head.set_system("Be brief.");
    grows.insert(message(103, 102, 3, "More?"));
    let mut answer = message(104, 103, 4, "More.");
    answer.receipt.as_mut().unwrap().system = Some(0);
    grows.insert(answer);
    let mut differs = simple(2);
    differs.insert(message(202, 201, 2, "Something else"));
    vec![grows, differs, simple(3), simple(4)]
}

fn here() -> MemoryStore {
    log_of(&[simple(1), simple(2), simple(9)]).store
}

fn imported_to_the_end() -> Vec<(String, String)> {
    let mut log = open(here());
    let file = exported(&mut log_of(&there()), Which::All);
    imported(&mut log, &file);
    dump(&log.store)
}

#[test]
fn a_kill_at_any_write_leaves_all_or_nothing() {
    let file = exported(&mut log_of(&there()), Which::All);
    let (before, after) = (dump(&here()), imported_to_the_end());
    let mut whole = 0;
    let mut nothing = 0;
    for left in 0.. {
        let mut log = open(Killed {
            inner: here(),
            left: usize::MAX,
        });
        let plan = planned(&mut log, &file);
        log.store.left = left;
        let _ = applied(&mut log, plan);
        let alive = log.store.left > 0;
        let reopened = open(log.store.inner.clone());
        let found = dump(&reopened.store);
        if found == after {
            whole += 1;
        } else {
            assert_eq!(found, before, "killed after {left} writes");
            nothing += 1;
        }
        if alive {
            break;
        }
    }
    assert!(nothing > 10 && whole > 2, "{nothing} {whole}");
}

#[test]
fn a_kill_while_it_is_taken_away_is_finished_by_the_next_start() {
    let file = exported(&mut log_of(&there()), Which::All);
    let before = dump(&here());
    for left in 0..25 {
        let mut log = open(Killed {
            inner: here(),
            left: usize::MAX,
        });
        let plan = planned(&mut log, &file);
        let mut import = Import::begin(plan, &mut log, Id(5)).unwrap();
        // All is written and the decisive write is not: the manifest still says that it is running.
        let staged = log.store.inner.clone();
        import.step(&mut log).unwrap();
        log.store
            .inner
            .set(
                "sash:in:0000000000000005",
                &staged.get("sash:in:0000000000000005").unwrap(),
            )
            .unwrap();
        let killed = open(Killed {
            inner: log.store.inner.clone(),
            left,
        });
        let settled = open(killed.store.inner.clone());
        let mut found = dump(&settled.store);
        // The head that grew is not part of what is taken away.
        found.retain(|(key, _)| key != "sash:c:0000000000000001");
        let mut expected = before.clone();
        expected.retain(|(key, _)| key != "sash:c:0000000000000001");
        assert_eq!(found, expected, "killed after {left} writes");
    }
}

/// Full from the n-th write on.
#[derive(Clone, Default)]
struct Filling {
    inner: MemoryStore,
    room: usize,
}

impl Store for Filling {
    fn keys(&self) -> Vec<String> {
        self.inner.keys()
    }
    fn get(&self, key: &str) -> Option<String> {
        self.inner.get(key)
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        if self.room == 0 {
            return Err(StoreError::Full);
        }
        self.room -= 1;
        self.inner.set(key, value)
    }
    fn remove(&mut self, key: &str) {
        self.inner.remove(key);
    }
}

#[test]
fn no_room_in_the_middle_leaves_what_was_there() {
    let file = exported(&mut log_of(&there()), Which::All);
    let before = dump(&here());
    for room in 0..10 {
        let mut log = open(Filling {
            inner: here(),
            room: usize::MAX,
        });
        let plan = planned(&mut log, &file);
        log.store.room = room;
        assert_eq!(applied(&mut log, plan), Err(Stopped::Full));
        assert_eq!(dump(&log.store), before, "{room}");
        assert_eq!(log.summaries().len(), 3);
    }
}
