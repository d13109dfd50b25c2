//! A file with more text than a browser keeps comes in packed, whole or not at all, and chats of it can be chosen.

use super::kill::Killed;
use super::*;
use sash_log::{Key, LogChange};
use serde_json::{Value, json};

/// What a browser keeps of a page, in UTF-16 units.
const ROOM: usize = 5 * 1024 * 1024;

/// Whether tests run in full.
fn is_full() -> bool {
    std::env::var_os("SASH_TESTS").is_some_and(|all| all == "all")
}

/// A store with as much room as a browser's.
#[derive(Clone, Default)]
struct Limited {
    inner: MemoryStore,
    used: usize,
}

fn size(key: &str, record: &str) -> usize {
    usize::try_from(units(key, record)).unwrap()
}

impl KeyValue for Limited {
    fn keys(&self) -> Vec<String> {
        self.inner.keys()
    }
    fn get(&self, key: &str) -> Option<String> {
        self.inner.get(key)
    }
    fn set(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        let former = self.inner.get(key).map_or(0, |record| size(key, &record));
        let used = self.used - former + size(key, value);
        if used > ROOM {
            return Err(StoreError::Full);
        }
        self.used = used;
        self.inner.set(key, value)
    }
    fn remove(&mut self, key: &str) {
        self.used -= self.inner.get(key).map_or(0, |record| size(key, &record));
        self.inner.remove(key);
    }
}

/// The records of an export: its header counts no packed messages.
pub fn without_header(file: &str) -> &str {
    file.split_once('\n').map_or("", |(_, records)| records)
}

/// Prose of some thousand different words, of which a few are most of the text.
struct Prose(u64);

impl Prose {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % below
    }

    fn word(&mut self) -> String {
        const PARTS: [&str; 16] = [
            "ta", "ri", "mo", "sel", "an", "ver", "li", "qu", "den", "po", "ist", "ur", "ba", "ne",
            "cor", "e",
        ];
        let most = [20, 200, 2000][self.next(3) as usize];
        let mut n = self.next(most) + 1;
        let mut word = String::new();
        while n > 0 {
            word.push_str(PARTS[(n % 16) as usize]);
            n /= 16;
        }
        word
    }

    fn text(&mut self, bytes: usize) -> String {
        let mut text = String::new();
        while text.len() < bytes {
            text.push_str(&self.word());
            text.push(' ');
        }
        text
    }
}

/// An export of ChatGPT of so many chats, each of so many messages with so much text.
fn chatgpt(chats: usize, messages: usize, bytes: usize) -> String {
    let mut prose = Prose(7);
    let chats = (0..chats).map(|chat| {
        let mut mapping = serde_json::Map::new();
        for n in 0..messages {
            let role = ["user", "assistant"][n % 2];
            let parent = n.checked_sub(1).map(|n| format!("node-{chat}-{n}"));
            let message = json!({
                "id": format!("node-{chat}-{n}"), "author": {"role": role},
                "create_time": 1_700_000_000 + chat * 1000 + n,
                "content": {"content_type": "text", "parts": [prose.text(bytes)]},
            });
            let node = json!({"id": format!("node-{chat}-{n}"), "parent": parent, "children": [], "message": message});
            mapping.insert(format!("node-{chat}-{n}"), node);
        }
        json!({
            "title": format!("Chat {chat}"), "conversation_id": format!("chat-{chat}"), "mapping": mapping,
            "create_time": 1_700_000_000 + chat * 1000, "current_node": format!("node-{chat}-{}", messages - 1),
        })
    });
    Value::Array(chats.collect()).to_string()
}

/// The chats of a log without what the import packed.
fn chats<S: KeyValue>(log: &mut Log<S>) -> Vec<Chat> {
    let ids: Vec<Id> = log.chat_keys().keys().copied().collect();
    let chats = ids.into_iter().filter_map(|id| log.load(id));
    chats.map(unpacked).collect()
}

/// It was refused: raw, the chats of such a file need four times the room.
#[test]
fn a_file_of_more_text_than_a_browser_keeps_comes_in_whole() {
    // Beyond the room in each run, and as much as a person of three years has in a run in full.
    let count = if is_full() { 1500 } else { 500 };
    let file = chatgpt(count, 8, 1550);
    let mut log = open(Limited::default());
    let plan = imported_in_pieces(&mut log, &file);
    let text: usize = chats(&mut log)
        .iter()
        .flat_map(Chat::messages)
        .map(|message| message.content.len())
        .sum();
    assert!(text > ROOM && text / count > 12_400, "{text}");
    assert_eq!(log.chat_list().len(), count);
    // What is said before is what it takes.
    let meta = Key::Meta.to_string();
    let meta = size(&meta, &log.store().get(&meta).unwrap());
    assert_eq!(plan.needs, (log.store().used - meta) as u64);
    assert!(plan.needs_at_most() <= ROOM as u64);

    // Each chat is as if it had been written raw.
    let mut raw = open(MemoryStore::default());
    let exported_again = exported(&mut log, ExportScope::All);
    for chat in chats(&mut log) {
        write(&mut raw, &chat);
    }
    let raw_file = exported(&mut raw, ExportScope::All);
    assert!(without_header(&raw_file) == without_header(&exported_again));
    let entries = |log: &mut Log<_>| log.chat_list();
    assert_eq!(
        entries(&mut open(log.store().inner.clone())),
        raw.chat_list()
    );

    // The same file again is nothing new, nor is the export.
    let again = planner_of(&mut log, &file).finish();
    assert_eq!(
        (
            again.count(|fate| fate == ImportOutcome::Here),
            again.records()
        ),
        (count, 0)
    );
    assert_eq!(planned(&mut log, &exported_again).records(), 0);
}

/// A dry run of a list that is read item by item, as the page does.
fn planner_of<S: KeyValue>(log: &mut Log<S>, file: &str) -> Planner {
    let mut planner = Planner::empty(NOW);
    plan_list(&mut planner, log, file.as_bytes()).unwrap();
    planner
}

fn imported_in_pieces<S: KeyValue>(log: &mut Log<S>, file: &str) -> ImportPlan {
    let plan = planner_of(log, file).finish();
    applied(log, plan.clone()).unwrap();
    plan
}

/// Chats of several segments, with one that is too small to be packed and one that is here already, in part.
fn mixed() -> Vec<Chat> {
    let mut prose = Prose(3);
    let mut long = simple(1);
    for n in 0..40 {
        long.insert(message(110 + n, 109 + n, 10 + n as u32, &prose.text(4000)));
    }
    let mut grows = simple(2);
    grows.insert(message(203, 202, 3, &prose.text(9000)));
    let mut deleted = simple(3);
    deleted.insert(message(303, 302, 3, &prose.text(9000)));
    vec![long, grows, deleted, simple(4)]
}

fn file_of_mixed() -> String {
    let mut log = log_of(&mixed());
    log.delete(Id(3), NOW).unwrap();
    exported(&mut log, ExportScope::AllAndDeleted)
}

#[test]
fn a_kill_at_any_write_of_packed_chats_leaves_all_or_nothing() {
    let file = file_of_mixed();
    let here = log_of(&[simple(2), simple(9)]).store().clone();
    let before = dump(&here);
    let mut whole = open(here.clone());
    imported(&mut whole, &file);
    let after = dump(whole.store());
    let segments = after.iter().filter(|(key, _)| key.starts_with("sash:s:"));
    assert!(segments.count() > 3);
    let (mut all, mut nothing) = (0, 0);
    for left in 0.. {
        let mut log = open(Killed::of(here.clone()));
        let plan = planned(&mut log, &file);
        log.store().leave(left);
        applied(&mut log, plan).ok();
        let mut reopened = open(log.store().inner.clone());
        let found = dump(reopened.store());
        match found == after {
            true => all += 1,
            false => {
                assert_eq!(found, before, "killed after {left} writes");
                nothing += 1;
                // And the same import can be repeated.
                imported(&mut reopened, &file);
                assert_eq!(dump(reopened.store()), after, "{left}");
            }
        }
        if log.store().is_alive() {
            break;
        }
    }
    assert!(all > 0 && nothing > 8, "{all} {nothing}");
}

/// A large import, killed in its slices: a few of them, and each one in a run in full.
#[test]
fn a_large_import_that_is_killed_in_a_slice_leaves_nothing() {
    let is_all = is_full();
    let file = match is_all {
        true => chatgpt(1500, 8, 1550),
        false => chatgpt(60, 8, 1550),
    };
    let mut log = open(Limited::default());
    let plan = planner_of(&mut log, &file).finish();
    let before = dump(log.store());
    for killed in (0..).step_by(if is_all { 1 } else { 3 }) {
        let mut import = Import::begin(plan.clone(), Vec::new(), &mut log, Id(5)).unwrap();
        let mut is_done = false;
        for _ in 0..killed {
            is_done = matches!(import.step(&mut log), Ok(ImportStep::Done));
            if is_done {
                break;
            }
        }
        if is_done {
            break;
        }
        drop(import);
        log = open(log.store().clone());
        assert_eq!(dump(log.store()), before, "killed after {killed} slices");
    }
    assert_eq!(log.chat_list().len(), plan.chats.len());
}

/// Another tab that starts takes back what is written, and what was written in such a chat meanwhile stays.
#[test]
fn packed_chats_are_taken_back_by_another_tab_but_for_what_was_added() {
    let file = file_of_mixed();
    let mut log = open(SharedStore::default());
    let before = dump(log.store());
    let plan = planned(&mut log, &file);
    let mut import = Import::begin(plan.clone(), Vec::new(), &mut log, Id(5)).unwrap();
    while log.load(Id(1)).is_none_or(|chat| chat.is_empty()) {
        import.step(&mut log).unwrap();
    }
    let mine = message(999, 102, 99, "Mine");
    log.save_message(Id(1), &mine).unwrap();
    let mut other = open(log.store().clone());
    assert_eq!(import.step(&mut log), Err(ImportAborted::Elsewhere));
    let left = other.load(Id(1)).unwrap();
    assert_eq!(left.messages().map(|m| m.id).collect::<Vec<_>>(), [Id(999)]);
    imported(&mut other, &file);
    assert_eq!(other.load(Id(1)).unwrap().len(), mixed()[0].len() + 1);
    assert!(before.len() < dump(other.store()).len());
}

#[test]
fn only_chosen_chats_come_in_with_what_they_need() {
    let mut work = simple(1);
    work.head.folder = Some(Id(7));
    let mut home = simple(2);
    home.head.folder = Some(Id(8));
    home.head.set_system("Be brief.");
    let mut there = log_of(&[work, home, simple(3)]);
    for (id, name) in [(7, "Work"), (8, "Home")] {
        let folder = sash_chat::Folder::new(Id(id), name, 1);
        there.save_folder(&folder).unwrap();
    }
    let file = exported(&mut there, ExportScope::All);
    let mut log = log_of(&[]);
    let mut plan = planned(&mut log, &file);
    let (all, at_most) = (plan.needs, plan.needs_at_most());
    assert_eq!(plan.new_folders(), ["Work", "Home"]);
    let place = |id| {
        plan.chats
            .iter()
            .position(|chat| chat.chat == Id(id))
            .unwrap()
    };
    let (first, second) = (place(1), place(2));
    plan.choose(|at, _| at == first);
    assert!(plan.needs < all && plan.needs_at_most() < at_most);
    assert_eq!(plan.new_folders(), ["Work"]);
    assert!(
        plan.settings
            .asked(&Default::default())
            .iter()
            .all(|asked| asked.chats == 1)
    );
    // As if the file had no others.
    let mut others = log_of(&[]);
    let mut again = planned(&mut others, &file);
    again.choose(|at, _| at != first);
    assert_eq!(again.new_folders(), ["Home"]);
    applied(&mut log, plan).unwrap();
    let ids: Vec<Id> = log.chat_keys().keys().copied().collect();
    assert_eq!(ids, [Id(1)]);
    assert_eq!(log.list_folders().len(), 1);
    // The others come in later.
    let mut rest = planned(&mut log, &file);
    assert_eq!(rest.count(|fate| fate == ImportOutcome::New), 2);
    rest.choose(|at, _| at == second);
    applied(&mut log, rest).unwrap();
    assert_eq!(log.chat_keys().len(), 2);
}

#[test]
fn the_newest_chats_that_fit_can_be_chosen() {
    let file = chatgpt(40, 8, 1550);
    let mut log = log_of(&[]);
    let mut plan = planner_of(&mut log, &file).finish();
    let all = plan.needs_at_most();
    // A tenth of the room is left free.
    for share in [0, 1, 10, 50, 100, 112] {
        let room = all * share / 100;
        plan.choose_newest(room);
        assert!(plan.chosen().count() == 0 || plan.needs_at_most() <= room - room / 10);
        let oldest = plan.chosen().map(|chat| chat.touched).min();
        let left = plan.chats.iter().filter(|chat| !chat.is_chosen());
        let newest_left = left.map(|chat| chat.touched).max();
        // Chats of nearly one size: only at the end an older one may find room that a newer one does not.
        assert!(
            share < 10
                || share == 112
                || oldest.is_some_and(|old| Some(old + 5_000_000) > newest_left)
        );
        assert_eq!(plan.chosen().count() == 40, share == 112, "{share}");
    }
}

#[test]
fn the_newest_chats_that_fit_bring_their_folders() {
    let mut chats: Vec<Chat> = (1..=20).map(simple).collect();
    for (chat, n) in chats.iter_mut().zip(0..) {
        // Two chats a folder.
        chat.head.folder = Some(Id(100 + n / 2));
    }
    let mut there = log_of(&chats);
    for n in 0..10 {
        let mut folder = sash_chat::Folder::new(Id(100 + n), &format!("Folder {n}"), 1);
        folder.system = Some("Be brief. ".repeat(400));
        there.save_folder(&folder).unwrap();
    }
    let file = exported(&mut there, ExportScope::All);
    let mut plan = planned(&mut log_of(&[]), &file);
    let all = plan.needs_at_most();
    for share in [30, 60, 112] {
        let room = all * share / 100;
        plan.choose_newest(room);
        let chosen = plan.chosen().count();
        assert!(plan.needs_at_most() <= room - room / 10, "{share}");
        assert!(chosen > 1, "{share}");
        assert_eq!(chosen == 20, share == 112, "{share}");
        assert!(plan.new_folders().len() * 2 >= chosen, "{share}");
    }
}

/// A chat that is left out decides of another one with its id as if it came in.
#[test]
fn of_two_chats_with_one_id_either_can_be_chosen() {
    let mut other = simple(1);
    other.insert(message(102, 101, 2, "Something else"));
    let one = exported(&mut log_of(&[simple(1)]), ExportScope::All);
    let two = exported(&mut log_of(&[other]), ExportScope::All);
    for chosen in 0..2 {
        let mut log = log_of(&[]);
        let mut planner = Planner::empty(NOW);
        for file in [&one, &two] {
            planner.add_text(file.clone()).unwrap();
            plan_pieces(&mut planner, &mut log).unwrap();
            planner.end_file().unwrap();
        }
        let mut plan = planner.finish();
        assert_eq!(plan.chats[1].fate, ImportOutcome::Copy(CopyReason::Twice));
        plan.choose(|at, _| at == chosen);
        applied(&mut log, plan).unwrap();
        assert_eq!(log.chat_keys().len(), 1);
    }
}

/// What follows the log, such as the index of the search, is told of segments as it is of messages.
#[test]
fn who_follows_the_log_is_told_of_packed_chats() {
    let mut log = log_of(&[]);
    log.follow_changes();
    imported(&mut log, &file_of_mixed());
    let changes: Vec<LogChange> = log.take_changes();
    assert!(!changes.is_empty());
    let found: usize = chats(&mut log).iter().map(Chat::len).sum();
    assert_eq!(found, mixed().iter().map(Chat::len).sum::<usize>());
}
