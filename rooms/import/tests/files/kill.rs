//! A kill at any write leaves the log with the whole import or without any of it.

use super::pairs::Kept;
use super::*;
use sash_chat::ImageHash;
use sash_log::{ImportManifest, Journaled, Key};
use sash_records::KINDS;
use std::cell::Cell;
use std::collections::BTreeSet;

/// A store that ignores all changes from the n-th on: the browser is gone.
#[derive(Clone, Default)]
pub struct Killed {
    pub inner: MemoryStore,
    left: Cell<usize>,
}

impl Killed {
    /// A store that lives until [`Self::leave`] says otherwise.
    pub fn of(inner: MemoryStore) -> Self {
        let left = Cell::new(usize::MAX);
        Self { inner, left }
    }

    /// Lets so many changes through.
    pub fn leave(&self, left: usize) {
        self.left.set(left);
    }

    /// Whether a change would still be made.
    pub fn is_alive(&self) -> bool {
        self.left.get() > 0
    }

    fn lives(&mut self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }
}

impl KeyValue for Killed {
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

/// A new chat, one that grows and needs a system prompt, and one that becomes a copy.
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
    log_of(&[simple(1), simple(2), simple(9)]).store().clone()
}

fn imported_to_the_end() -> Vec<(String, String)> {
    let mut log = open(here());
    let file = exported(&mut log_of(&there()), ExportScope::All);
    imported(&mut log, &file);
    dump(log.store())
}

#[test]
fn a_kill_at_any_write_leaves_all_or_nothing() {
    let file = exported(&mut log_of(&there()), ExportScope::All);
    let (before, after) = (dump(&here()), imported_to_the_end());
    let mut whole = 0;
    let mut nothing = 0;
    for left in 0.. {
        let mut log = open(Killed {
            inner: here(),
            left: Cell::new(usize::MAX),
        });
        let plan = planned(&mut log, &file);
        log.store().left.set(left);
        let _ = applied(&mut log, plan);
        let alive = log.store().left.get() > 0;
        let reopened = open(log.store().inner.clone());
        let found = dump(reopened.store());
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

/// The page deletes the images that an import left over: they are named until it has.
#[test]
fn a_kill_at_any_write_leaves_no_image_of_nothing() {
    let file = exported(&mut log_of(&there()), ExportScope::All);
    let (before, after) = (dump(&here()), imported_to_the_end());
    let images = BTreeSet::from([ImageHash([7; 32]), ImageHash([8; 32])]);
    let mut left_over = 0;
    for left in 0.. {
        let mut log = open(Killed {
            inner: here(),
            left: Cell::new(usize::MAX),
        });
        let plan = planned(&mut log, &file);
        log.store().left.set(left);
        let begun = Import::begin(plan, images.iter().copied().collect(), &mut log, Id(5));
        if let Ok(mut import) = begun {
            while let Ok(ImportStep::More(_)) = import.step(&mut log) {}
        }
        let alive = log.store().left.get() > 0;
        let mut reopened = open(log.store().inner.clone());
        if dump(reopened.store()) != after {
            let named = reopened.leftover_images();
            let begun = log
                .store()
                .inner
                .keys()
                .iter()
                .any(|key| key.starts_with("sash:in:"));
            assert_eq!(
                named,
                if begun {
                    images.clone()
                } else {
                    BTreeSet::new()
                }
            );
            left_over += usize::from(begun);
            // Another start before they are deleted names them again.
            reopened = open(reopened.store().clone());
            assert_eq!(reopened.leftover_images(), named);
            reopened.forget_leftover_images(&named);
            assert_eq!(dump(reopened.store()), before, "killed after {left} writes");
        }
        assert_eq!(reopened.leftover_images(), BTreeSet::new());
        if alive {
            break;
        }
    }
    assert!(left_over > 10, "{left_over}");
}

#[test]
fn images_of_an_import_that_was_stopped_are_left_over() {
    let file = exported(&mut log_of(&there()), ExportScope::All);
    let mut log = open(SharedStore(Rc::new(RefCell::new(here()))));
    let before = dump(log.store());
    let plan = planned(&mut log, &file);
    let image = ImageHash([7; 32]);
    let mut import = Import::begin(plan.clone(), vec![image], &mut log, Id(5)).unwrap();
    assert_eq!(import.check(&mut log), Ok(()));
    import.stop(&mut log);
    assert_eq!(log.leftover_images(), BTreeSet::from([image]));
    // Those of another import do not end the manifest of this one.
    log.forget_leftover_images(&BTreeSet::from([ImageHash([8; 32])]));
    assert_eq!(log.leftover_images(), BTreeSet::from([image]));
    log.forget_leftover_images(&BTreeSet::from([image]));
    assert_eq!(dump(log.store()), before);

    // A tab that starts meanwhile removes what was added: this one notices before the next image.
    let mut import = Import::begin(plan, vec![image], &mut log, Id(6)).unwrap();
    let other = open(log.store().clone());
    assert_eq!(other.leftover_images(), BTreeSet::from([image]));
    assert_eq!(import.check(&mut log), Err(ImportAborted::Elsewhere));
    assert_eq!(log.leftover_images(), BTreeSet::from([image]));
}

#[test]
fn a_kill_while_it_is_taken_away_is_finished_by_the_next_start() {
    let file = exported(&mut log_of(&there()), ExportScope::All);
    let before = dump(&here());
    for left in 0..25 {
        let mut log = open(Killed {
            inner: here(),
            left: Cell::new(usize::MAX),
        });
        let plan = planned(&mut log, &file);
        let mut import = Import::begin(plan, Vec::new(), &mut log, Id(5)).unwrap();
        // All records are written but not the commit: the manifest still says that the import is running.
        let staged = log.store().inner.clone();
        import.step(&mut log).unwrap();
        let mut disk = log.store().inner.clone();
        let manifest = Key::Import(Id(5)).to_string();
        disk.set(&manifest, &staged.get(&manifest).unwrap())
            .unwrap();
        let killed = open(Killed {
            inner: disk,
            left: Cell::new(left),
        });
        let settled = open(killed.store().inner.clone());
        let mut found = dump(settled.store());
        // The head that grew is not among the records that are removed.
        found.retain(|(key, _)| key != "sash:c:0000000000000001");
        let mut expected = before.clone();
        expected.retain(|(key, _)| key != "sash:c:0000000000000001");
        assert_eq!(found, expected, "killed after {left} writes");
    }
}

/// A store that is full from the n-th write on.
#[derive(Clone, Default)]
pub struct Filling {
    inner: MemoryStore,
    room: Rc<Cell<usize>>,
}

impl Filling {
    /// A store with room until [`Self::leave`] says otherwise.
    pub fn of(inner: MemoryStore) -> Self {
        let room = Rc::new(Cell::new(usize::MAX));
        Self { inner, room }
    }

    /// Leaves room for so many writes.
    pub fn leave(&self, room: usize) {
        self.room.set(room);
    }
}

impl KeyValue for Filling {
    fn keys(&self) -> Vec<String> {
        self.inner.keys()
    }
    fn get(&self, key: &str) -> Option<String> {
        self.inner.get(key)
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        match self.room.get().checked_sub(1) {
            Some(room) => self.room.set(room),
            None => return Err(StoreError::Full),
        }
        self.inner.set(key, value)
    }
    fn remove(&mut self, key: &str) {
        self.inner.remove(key);
    }
}

#[test]
fn no_room_in_the_middle_leaves_what_was_there() {
    let file = exported(&mut log_of(&there()), ExportScope::All);
    let before = dump(&here());
    for room in 0..10 {
        let mut log = open(Filling::of(here()));
        let plan = planned(&mut log, &file);
        log.store().leave(room);
        assert_eq!(applied(&mut log, plan), Err(ImportAborted::Full));
        assert_eq!(dump(log.store()), before, "{room}");
        assert_eq!(log.chat_list().len(), 3);
    }
}

/// Restarts a killed browser: the disk has an older state, the journal is up to date.
fn restarted(disk: &[(String, String)], noted: &Kept) -> Vec<(String, String)> {
    let mut store = MemoryStore::default();
    for (key, record) in disk {
        store.set(key, record).unwrap();
    }
    noted.replay(&mut store);
    dump(open(store).store())
}

#[test]
fn with_a_disk_that_is_behind_and_a_journal_that_is_not_it_is_all_or_nothing_too() {
    let file = exported(&mut log_of(&there()), ExportScope::All);
    let (before, after) = (dump(&here()), imported_to_the_end());
    let noted = Kept::default();
    let mut log = open(Journaled::new(here(), noted.clone(), KINDS));
    let plan = planned(&mut log, &file);
    let import = Import::begin(plan.clone(), Vec::new(), &mut log, Id(5)).unwrap();
    let begun = dump(log.store());
    // Killed right after the start; then stopped, and killed before either reached the disk.
    assert_eq!(restarted(&before, &noted), before);
    import.stop(&mut log);
    assert_eq!(restarted(&begun, &noted), before);

    // Stopped when only the commit was missing: the removed records do not come back.
    let mut import = Import::begin(plan.clone(), Vec::new(), &mut log, Id(6)).unwrap();
    import.step(&mut log).unwrap();
    let whole = dump(log.store());
    assert_eq!(whole, after);
    for disk in [&before, &begun, &whole] {
        assert_eq!(restarted(disk, &noted), after, "done is done");
    }

    let noted = Kept::default();
    let mut log = open(Journaled::new(here(), noted.clone(), KINDS));
    let import = Import::begin(plan, Vec::new(), &mut log, Id(5)).unwrap();
    let manifest: ImportManifest = log.read(Key::Import(Id(5))).unwrap();
    for name in &manifest.keys {
        let record = after.iter().find(|(key, _)| key == name).unwrap();
        log.add_imported(Key::parse(name, KINDS).unwrap(), &record.1)
            .unwrap();
    }
    let staged = dump(log.store());
    assert_eq!(restarted(&before, &noted), before);
    drop(import);
    log.undo_import(Id(5), &manifest);
    for disk in [&before, &begun, &staged] {
        assert_eq!(restarted(disk, &noted), before, "taken back is taken back");
    }
}
