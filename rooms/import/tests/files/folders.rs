//! Folders, pins and the archive go along: out, and in again.

use super::*;
use sash_chat::{Folder, ModelId};
use sash_log::{FOLDER, Key};
use serde_json::json;

/// Two folders, one of them with settings; chats 1 and 2 in the first, 3 pinned, 4 archived.
fn arranged() -> Log<MemoryStore> {
    let mut log = open(MemoryStore::default());
    for id in 1..=4 {
        let mut chat = simple(id);
        chat.head.title = Some(format!("Chat {id}"));
        chat.head.folder = (id < 3).then_some(Id(70));
        chat.head.pinned = (id == 3).then_some(NOW - 7);
        chat.head.archived = (id == 4).then_some(NOW - 8);
        chat.head.others.insert("mood".into(), json!("good"));
        write(&mut log, &chat);
    }
    let mut work = Folder::new(Id(70), "Work", 5);
    work.system = Some("Be formal.".into());
    work.set_model(Some(ModelId::new(Some("box"), "big")));
    work.parameters.insert("top_k".into(), json!(7));
    work.unknown.insert("colour".into(), json!("red"));
    log.save_folder(&work).unwrap();
    log.save_folder(&Folder::new(Id(71), "Empty", 3)).unwrap();
    log
}

fn names(log: &mut Log<MemoryStore>) -> Vec<String> {
    let folders = log.list_folders().into_iter();
    folders.map(|folder| folder.name).collect()
}

/// Of a log: the title of each chat, and the name of its folder.
fn places(log: &mut Log<MemoryStore>) -> Vec<(String, Option<String>)> {
    let mut places = Vec::new();
    for entry in log.chat_list() {
        let folder = entry.folder.and_then(|id| log.folder(id));
        places.push((entry.title, folder.map(|folder| folder.name)));
    }
    places.sort();
    places
}

#[test]
fn everything_about_the_list_comes_back_as_it_was() {
    let mut log = arranged();
    let file = exported(&mut log, ExportScope::All);
    let mut other = open(MemoryStore::default());
    let plan = planned(&mut other, &file);
    assert_eq!(plan.new_folders(), ["Empty", "Work"]);
    assert_eq!(other.store().keys().len(), 1, "a dry run writes nothing");
    applied(&mut other, plan).unwrap();
    assert_eq!(names(&mut other), ["Empty", "Work"]);
    for id in 1..=4 {
        assert_eq!(other.load(Id(id)), log.load(Id(id)));
    }
    let before = log.folder(Id(70)).unwrap();
    let after = other.folder(Id(70)).unwrap();
    assert_eq!(after, before);
    assert_eq!(exported(&mut other, ExportScope::All), file);
    // Once more there is nothing to add, and nothing is.
    let again = planned(&mut other, &file);
    assert_eq!(again.records(), 0);
    assert!(again.new_folders().is_empty());
}

#[test]
fn the_export_of_some_chats_has_their_folders_alone() {
    let mut log = arranged();
    let mut export = Export::of(&log, vec![Id(1), Id(4)], NOW);
    let mut file = String::new();
    while let Some(piece) = export.next(&mut log) {
        file.push_str(&piece);
    }
    let mut other = open(MemoryStore::default());
    imported(&mut other, &file);
    assert_eq!(names(&mut other), ["Work"]);
    let work = Some("Work".to_owned());
    assert_eq!(
        places(&mut other),
        [("Chat 1".to_owned(), work), ("Chat 4".to_owned(), None)]
    );
}

#[test]
fn a_folder_of_the_same_name_is_the_same_folder_and_stays_as_it_is_here() {
    let file = exported(&mut arranged(), ExportScope::All);
    let mut other = open(MemoryStore::default());
    let mut mine = Folder::new(Id(5), "work ", 0);
    mine.system = Some("Mine.".into());
    other.save_folder(&mine).unwrap();
    let plan = planned(&mut other, &file);
    assert_eq!(plan.new_folders(), ["Empty"]);
    applied(&mut other, plan).unwrap();
    assert_eq!(other.folder(Id(5)), Some(mine));
    assert_eq!(other.load(Id(1)).unwrap().head.folder, Some(Id(5)));
    let text = |log: &mut Log<MemoryStore>| {
        let head = log.head(Id(1)).unwrap();
        head.system_prompt().map(|system| system.text.to_owned())
    };
    assert_eq!(text(&mut other).as_deref(), Some("Mine."));
}

#[test]
fn what_a_folder_of_a_stranger_would_switch_on_is_said_and_off() {
    let file = exported(&mut arranged(), ExportScope::All);
    let mut other = open(MemoryStore::default());
    let planner = Planner::new(file.clone(), NOW).unwrap();
    let plan = planner.run(&mut other).unwrap();
    let asked = plan.settings.asked(&Default::default());
    let asked: Vec<(usize, &[String])> = asked
        .iter()
        .map(|setting| (setting.chats, &setting.values[..]))
        .collect();
    assert_eq!(
        asked,
        [
            (2, &["big on box".to_owned()][..]),
            (2, &["Be formal.".to_owned()][..]),
            (2, &["top_k 7".to_owned()][..]),
            (
                4,
                &[
                    "mood \"good\"".to_owned(),
                    "mood \"good\", colour \"red\"".to_owned(),
                ][..]
            ),
        ]
    );
    let needs = plan.needs;
    applied(&mut other, plan).unwrap();
    let folder = other.folder(Id(70)).unwrap();
    assert!(!folder.has_settings());
    assert_eq!(other.load(Id(1)).unwrap().head.folder, Some(Id(70)));
    let used: u64 = other
        .store()
        .keys()
        .iter()
        .filter(|key| *key != "sash:meta")
        .map(|key| units(key, &other.store().get(key).unwrap()))
        .sum();
    assert!(used <= needs, "{used} of {needs}");
}

#[test]
fn an_import_that_stops_takes_its_folders_back() {
    let mut log = arranged();
    // More than one step writes.
    for seq in 3..40 {
        let long = message(900 + u64::from(seq), 0, seq, &"word ".repeat(4000));
        log.save_message(Id(4), &long).unwrap();
    }
    let file = exported(&mut log, ExportScope::All);
    let mut other = open(MemoryStore::default());
    let before = other.store().keys();
    let plan = planned(&mut other, &file);
    let mut import = Import::begin(plan, Vec::new(), &mut other, Id(0xabc)).unwrap();
    import.step(&mut other).unwrap();
    assert_eq!(names(&mut other), ["Empty", "Work"]);
    import.stop(&mut other);
    assert_eq!(other.store().keys(), before);
    assert!(names(&mut other).is_empty());
    // A killed browser leaves the manifest, and the next start takes back what it names.
    let plan = planned(&mut other, &file);
    let mut import = Import::begin(plan, Vec::new(), &mut other, Id(0xabc)).unwrap();
    import.step(&mut other).unwrap();
    let mut reopened = open(other.store().clone());
    assert!(names(&mut reopened).is_empty());
}

#[test]
fn a_folder_that_was_deleted_here_comes_back_only_with_a_chat_that_is_new() {
    let mut log = arranged();
    let file = exported(&mut log, ExportScope::All);
    let mut work = log.folder(Id(70)).unwrap();
    work.deleted = Some(NOW);
    log.save_folder(&work).unwrap();
    let plan = planned(&mut log, &file);
    assert!(
        plan.new_folders().is_empty(),
        "its chats are all here, without it"
    );
    // With a chat that is gone for good it is needed, under an id that is free.
    log.delete(Id(1), NOW).unwrap();
    log.purge(Id(1), NOW);
    log.clean_up_purged(NOW * 2);
    let plan = planned(&mut log, &file);
    assert_eq!(plan.new_folders(), ["Work"]);
    applied(&mut log, plan).unwrap();
    let folder = log.load(Id(1)).unwrap().head.folder;
    assert_eq!(folder, Some(Id(72)), "70 is the deleted one, 71 is taken");
    assert_eq!(log.load(Id(2)).unwrap().head.folder, Some(Id(70)));
}

#[test]
fn damaged_and_hostile_folders_cost_themselves() {
    let file = exported(&mut arranged(), ExportScope::All);
    let hostile = file.replace("Be formal.", "Be evil!!.");
    let mut other = open(MemoryStore::default());
    let plan = planned(&mut other, &hostile);
    assert_eq!((plan.notes.damaged, plan.new_folders()), (1, vec!["Empty"]));
    applied(&mut other, plan).unwrap();
    assert_eq!(other.load(Id(1)).unwrap().head.folder, None);
    assert_eq!(other.chat_list().len(), 4);

    let mut nameless = Folder::new(Id(80), " ", 0);
    let mut long = Folder::new(Id(81), &"x".repeat(9000), i64::MAX);
    long.unknown.insert("x".into(), json!("y".repeat(100_000)));
    long.model = Some("m".repeat(1000));
    nameless.rev = u32::MAX;
    let mut log = open(MemoryStore::default());
    write(&mut log, &simple(1));
    log.save_folder(&nameless).unwrap();
    log.save_folder(&long).unwrap();
    let file = exported(&mut log, ExportScope::All);
    let mut other = open(MemoryStore::default());
    imported(&mut other, &file);
    let folders = other.list_folders();
    let [folder] = &folders[..] else {
        panic!("{folders:?}");
    };
    assert_eq!(folder.name.chars().count(), 500);
    assert!(folder.unknown.is_empty() && folder.model.is_none());
    assert!(
        other
            .store()
            .get(&Key::Record(FOLDER, Id(81)).to_string())
            .is_some()
    );
}
