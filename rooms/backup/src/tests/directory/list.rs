use super::*;
use crate::directory::README;
use crate::files::DirectoryFiles;
use crate::form::{ALL_BROWSERS, SHELF};

#[test]
fn the_list_says_what_the_headers_say() {
    let place = Place::new();
    let chat = Id(8);
    place.put(A, &[(1, "One"), (2, "Two")]);
    place.set(
        "chats/0000000000000008.jsonl",
        earlier(&chat_lines(&[(1, "One")]), 4, "Of an earlier Sash"),
    );
    // That of a chat that was deleted for good is none.
    place.set("chats/0000000000000009.jsonl", earlier("", 5, ""));
    place.set(&path(B), "{\"app\":\"sash\",\"schema\":7}\n");
    place.set(&path(Id(0xc)), "no header");
    place.set("notes.txt", "mine");
    place.set(&format!("chats/{CHAT}/copy.jsonl"), "mine");
    place.set(".git/HEAD", "ref");
    place
        .files
        .oddities
        .borrow_mut()
        .insert("chats/pipe".to_owned());
    let list = block_on(place.directory().list()).unwrap();
    let copies: Vec<_> = list
        .copies
        .iter()
        .map(|it| {
            (
                it.chat,
                it.browser,
                it.title.as_str(),
                it.messages,
                it.standing,
            )
        })
        .collect();
    assert_eq!(
        copies,
        [
            (CHAT, Id(0xc), "", 0, Standing::Changed),
            (CHAT, B, "", 0, Standing::Changed),
            (CHAT, A, "A title", 2, Standing::Sealed),
            (
                chat,
                ALL_BROWSERS,
                "Of an earlier Sash",
                1,
                Standing::Unsealed
            ),
        ]
    );
    let newer: Vec<bool> = list.copies.iter().map(|it| it.is_newer).collect();
    assert_eq!(newer, [false, true, false, false]);
    let mine = format!("chats/{CHAT}/copy.jsonl");
    assert_eq!(list.others, ["notes.txt", "chats/pipe", mine.as_str()]);
    assert!(list.is_versioned && list.gone.is_empty() && list.more_others == 0);
    let (copies, gone) = block_on(place.directory().list_chat(chat)).unwrap();
    assert_eq!((copies.as_slice(), gone.len()), (&list.copies[3..], 0));
}

/// In the earlier backup one bad file stopped all chats behind it.
#[test]
fn a_file_that_the_disk_does_not_give_is_one_of_the_others() {
    let place = Place::new();
    for n in 1..=9 {
        let of = PutRequest {
            chat: Id(n),
            ..request(A, String::new())
        };
        block_on(place.directory().put(&of)).unwrap();
    }
    let first = place.restarted();
    block_on(first.directory().list()).unwrap();
    let mut failed = 0;
    for n in 1..=first.files.operations.get() {
        let place = place.restarted();
        place.files.fail(n, BackupProblem::Denied);
        match block_on(place.directory().list()) {
            Ok(list) => assert!(list.copies.len() + list.others.len() >= 9, "{n}"),
            Err(_) => failed += 1,
        }
    }
    // The directory itself, and that of the chats.
    assert_eq!(failed, 2);
}

#[test]
fn an_empty_directory_and_a_backup_are_opened_and_no_other() {
    let place = Place::new();
    place.set(".DS_Store", "");
    place.set("notes.txt", "mine");
    assert!(block_on(place.directory().open()).is_err());
    assert_eq!(place.files.paths(), [".DS_Store", "notes.txt"]);
    place.files.unset("notes.txt");
    // A start that was killed while it wrote the first file, and a pipe in the place of the lock.
    place.set("tmp/1.new", "half");
    block_on(place.directory().open()).unwrap();
    assert_eq!(place.files.text("README.txt").as_deref(), Some(README));
    place.files.oddities.borrow_mut().insert("lock".to_owned());
    place.set("tmp/1.new", "half");
    place.set("README.txt", README.to_owned() + "My own notes\n");
    block_on(place.directory().open()).unwrap();
    assert!(place.files.text("tmp/1.new").is_none() && place.has("My own notes"));
    // That of an earlier Sash has another text.
    let earlier = "This folder is a backup that Sash keeps.\n\nchats/     one chat each\n";
    place.set("README.txt", earlier);
    block_on(place.directory().open()).unwrap();
    assert_eq!(place.files.text("README.txt").as_deref(), Some(README));
    // In the earlier backup any directory with an entry of this name was taken for a backup.
    let other = Place::new();
    other.set("key", "of a door");
    assert_eq!(
        block_on(other.directory().open()),
        Err(BackupProblem::NotEmpty.into())
    );
    assert_eq!(other.files.paths(), ["key"]);
}

#[test]
fn former_copies_have_a_bound_and_the_oldest_go_first() {
    let place = Place::new();
    for chat in 1..=4 {
        place.set(&format!("kept/{}/{A}-1.jsonl", Id(chat)), vec![b'x'; 1000]);
    }
    place.set(&format!("kept/{}/mine.txt", Id(1)), "mine");
    let list = block_on(place.directory().list()).unwrap();
    assert_eq!(list.kept_bytes, 4000);
    let prune = |limit| {
        let mut kept = place.kept();
        kept.retain(|path| path.ends_with(".jsonl"));
        let stat = |path: &String| block_on(place.files.stat(path)).unwrap().unwrap();
        let kept = kept.into_iter().map(|path| (stat(&path), path)).collect();
        block_on(place.directory().prune_kept(kept, limit))
    };
    assert_eq!(prune(4000), 4000);
    assert_eq!(prune(2500), 2000);
    let expected = [
        format!("kept/{}/mine.txt", Id(1)),
        format!("kept/{}/{A}-1.jsonl", Id(3)),
        format!("kept/{}/{A}-1.jsonl", Id(4)),
    ];
    assert_eq!(place.kept(), expected);
    let list = block_on(place.directory().list()).unwrap();
    assert_eq!(list.kept_bytes, 2000);
}

#[test]
fn the_shelf_of_each_browser_is_listed() {
    let place = Place::new();
    let shelf = PutRequest {
        chat: SHELF,
        title: "Firefox (Linux)".to_owned(),
        ..request(A, String::new())
    };
    block_on(place.directory().put(&shelf)).unwrap();
    // A chat with the id that stands for the shelf is none.
    place.set("chats/0000000000000000/000000000000000a.jsonl", "x");
    let list = block_on(place.directory().list()).unwrap();
    assert_eq!(list.copies.len(), 1);
    assert_eq!(list.copies[0].title, "Firefox (Linux)");
    assert_eq!(list.others, ["chats/0000000000000000"]);
    let (copies, _) = block_on(place.directory().list_chat(SHELF)).unwrap();
    assert_eq!(copies, list.copies);
}

#[test]
fn a_copy_of_which_an_image_is_missing_has_no_state() {
    let place = Place::new();
    let lines = head_line() + &message_line(&picture(1, "One", 1));
    place.put_lines(A, lines).unwrap();
    let states = || {
        let list = block_on(place.directory().list()).unwrap();
        let (copies, _) = block_on(place.directory().list_chat(CHAT)).unwrap();
        assert_eq!(list.copies, copies);
        copies[0].state.clone()
    };
    assert_eq!(states(), "");
    place.put_image(A, 1).unwrap();
    assert_eq!(states(), "a state");
    place.files.unset(&format!("images/{}.png", hash(1)));
    assert_eq!(states(), "");
}
