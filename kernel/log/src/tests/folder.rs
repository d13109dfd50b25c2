//! Folders: what a chat has from them is looked up whenever it is read.

use super::*;
use sash_chat::Folder;

fn in_folder() -> Log<MemoryStore> {
    let mut log = open(written());
    let mut head = log.head(CHAT).unwrap();
    (head.folder, head.pinned) = (Some(Id(70)), Some(8));
    log.save_head(&head).unwrap();
    let mut folder = Folder::new(Id(70), "Work", 1);
    folder.system = Some("Be formal.".into());
    log.save_folder(&folder).unwrap();
    log.save_folder(&Folder::new(Id(71), "Home", 0)).unwrap();
    open(log.store().clone())
}

#[test]
fn a_chat_has_the_prompt_that_its_folder_has_now() {
    let mut log = in_folder();
    let text = |log: &mut Log<MemoryStore>| {
        let heads = [log.head(CHAT).unwrap(), log.load(CHAT).unwrap().head];
        heads.map(|head| head.system_prompt().map(|system| system.text.to_owned()))
    };
    assert_eq!(
        text(&mut log),
        [Some("Be formal.".into()), Some("Be formal.".into())]
    );
    let mut folder = log.folder(Id(70)).unwrap();
    folder.system = Some("Be rude.".into());
    log.save_folder(&folder).unwrap();
    assert_eq!(
        text(&mut log),
        [Some("Be rude.".into()), Some("Be rude.".into())]
    );
    folder.deleted = Some(9);
    log.save_folder(&folder).unwrap();
    assert_eq!(text(&mut log), [None, None]);
    let record = log.store().get(&Key::Head(CHAT).to_string()).unwrap();
    assert!(!record.contains("formal"), "{record}");
}

#[test]
fn folders_are_listed_in_their_order_and_deleting_one_deletes_no_chat() {
    let mut log = in_folder();
    let names = |log: &mut Log<MemoryStore>| {
        let folders = log.list_folders().into_iter();
        folders.map(|folder| folder.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&mut log), ["Home", "Work"]);
    let mut work = log.folder(Id(70)).unwrap();
    work.deleted = Some(9);
    log.save_folder(&work).unwrap();
    assert_eq!(names(&mut log), ["Home"]);
    let entry = log.list_entry(CHAT).unwrap();
    assert_eq!(
        (entry.pinned, entry.archived, entry.folder),
        (Some(8), false, Some(Id(70)))
    );
    // Undone, the chats are where they were.
    work.deleted = None;
    log.save_folder(&work).unwrap();
    assert_eq!(names(&mut log), ["Home", "Work"]);
    work.deleted = Some(10);
    log.save_folder(&work).unwrap();
    log.purge_folders();
    assert!(log.folder(Id(70)).unwrap().is_purged());
    let record = log
        .store()
        .get(&Key::Record(FOLDER, Id(70)).to_string())
        .unwrap();
    assert!(!record.contains("Work"), "{record}");
    assert_eq!(log.chat_list().len(), 1);
}

#[test]
fn a_damaged_folder_is_moved_aside_and_its_chats_stay() {
    let log = in_folder();
    let mut store = log.store().clone();
    store
        .set("sash:f:0000000000000046", "1|00000000|{}")
        .unwrap();
    let mut log = open(store);
    assert_eq!(log.list_folders().len(), 1);
    assert_eq!(log.unreadable(), 1);
    let head = log.head(CHAT).unwrap();
    assert_eq!((head.folder, head.system_prompt()), (Some(Id(70)), None));
}

#[test]
fn another_tab_makes_a_folder_known() {
    let mut log = in_folder();
    let mut other = open(log.store().clone());
    other.save_folder(&Folder::new(Id(72), "New", 2)).unwrap();
    let key = Key::Record(FOLDER, Id(72)).to_string();
    log.store
        .set(&key, &other.store.get(&key).unwrap())
        .unwrap();
    assert_eq!(log.on_storage_event(&key, true), None);
    assert_eq!(log.list_folders().len(), 3);
}

/// Closing a folder in the list once made each chat of the log a changed one, and later those that are in it.
#[test]
fn a_folder_that_changes_changes_no_chat() {
    let mut log = in_folder();
    log.save_head(&Head::new(Id(11), 5)).unwrap();
    log.follow_chats();
    let mut work = log.folder(Id(70)).unwrap();
    work.rev += 1;
    log.save_folder(&work).unwrap();
    assert!(log.has_changed_chats() && log.take_changed_prompts());
    assert!(log.take_changed_chats().is_empty());
    assert!(!log.has_changed_chats());
}
