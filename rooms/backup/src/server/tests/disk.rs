//! Things on the disk that are no files of the backup, or more of them than there may be.

use super::*;
use crate::call::PutImageRequest;
use crate::files::DirectoryFiles;
use crate::server::at_once;
use sash_chat::{Image, ImageFormat};
use sash_log::image::{encode_image, hash_image};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::Duration;

/// Runs what may never come back.
fn in_time<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(run()).ok());
    receiver.recv_timeout(Duration::from_secs(60)).unwrap()
}

fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

/// A pipe or a dangling link in `versions/` made the deletion of everything fail for all.
#[test]
fn what_is_no_file_is_left_alone_and_stops_nothing() {
    let place = Place::new();
    let backup = place.open();
    put(&backup, ME, CHAT, &[(1, "Hello"), (2, "A secret")]);
    put(&backup, ME, CHAT, &[(1, "Hello"), (2, "Another secret")]);
    put(&backup, ME, NEXT_CHAT, &[(1, "Next"), (2, "A secret")]);
    let kept = format!("kept/{CHAT}");
    let versions = format!("versions/{CHAT}");
    for directory in [&kept, &versions, "images"] {
        fs::create_dir_all(place.path(directory)).unwrap();
    }
    let nothing = place.0.join("nothing");
    make_pipe(&place.copy(CHAT, Id(0xc1)));
    make_pipe(&place.path(&format!("{versions}/0000000000001-v1.jsonl")));
    make_pipe(&place.path(&format!("chats/{CHAT}/{OTHER}.gone")));
    make_pipe(&place.path(&format!("images/{}.png", "ab".repeat(32))));
    make_pipe(&place.path("prompts-and-folders.jsonl"));
    make_pipe(&place.path(&format!("chats/{NEXT_CHAT}.jsonl")));
    symlink(&nothing, place.path("lock")).unwrap();
    let socket = place.copy(CHAT, Id(0xc2));
    // The path of a socket may have a hundred bytes alone.
    let short = std::env::temp_dir().join(format!("s{}", std::process::id()));
    let _socket = UnixListener::bind(&short).unwrap();
    fs::rename(short, socket).unwrap();
    fs::create_dir(place.copy(CHAT, Id(0xc3))).unwrap();
    symlink(&nothing, place.copy(CHAT, Id(0xc4))).unwrap();
    symlink(&nothing, place.path(&format!("{kept}/{ME}-9.jsonl"))).unwrap();
    symlink(
        &nothing,
        place.path(&format!("{versions}/0000000000002-v2.jsonl")),
    )
    .unwrap();
    symlink(&nothing, place.path(&format!("kept/{NEXT_CHAT}"))).unwrap();
    symlink(&nothing, place.path(&format!("versions/{NEXT_CHAT}"))).unwrap();
    symlink(&nothing, place.path("chats/000000000000000c")).unwrap();
    let root = place.root();
    in_time(move || {
        let list = backup.list().unwrap();
        let mut copies: Vec<Id> = list.copies.iter().map(|copy| copy.chat).collect();
        copies.sort();
        assert_eq!(copies, [CHAT, NEXT_CHAT]);
        assert!(
            list.others.len() + list.more_others >= 5,
            "{:?}",
            list.others
        );
        put(&backup, OTHER, NEXT_CHAT, &[(3, "Hi")]);
        let purged = backup.purge(&purge_request(ME, CHAT, &[2])).unwrap();
        assert_eq!(purged.unreached, [""; 0]);
        // Of the other one the directories of former files are links.
        let purged = backup.purge(&purge_request(ME, NEXT_CHAT, &[2])).unwrap();
        let links = ["kept", "versions"].map(|name| format!("{name}/{NEXT_CHAT}"));
        assert_eq!(purged.unreached, links);
        assert!(get(&backup, CHAT, ME).unwrap().contains("Hello"));
        assert!(get(&backup, CHAT, Id(0xc1)).is_err());
        backup
            .write(async |it| it.remove_browser(OTHER).await)
            .unwrap();
        Backup::open(&BackupPlaces {
            directory: root,
            state: Some(backup_state(&backup)),
        })
        .map_err(|error| error.0)
        .unwrap();
    });
    for secret in ["A secret", "Another secret"] {
        assert_eq!(place.having(secret), [] as [PathBuf; 0]);
    }
    assert!(!nothing.exists());
}

/// The directory of the keys of a test.
fn backup_state(backup: &Backup) -> PathBuf {
    backup.disk.root.parent().unwrap().join("state")
}

/// It made the deletion of everything fail.
#[test]
fn a_file_of_70_mb_under_a_chats_name_is_not_read_and_stops_nothing() {
    let place = Place::new();
    let backup = place.open();
    put(&backup, ME, CHAT, &[(1, "Hello"), (2, "A secret")]);
    put(&backup, ME, NEXT_CHAT, &[(2, "A secret")]);
    let long = File::create(place.copy(CHAT, OTHER)).unwrap();
    long.set_len(70 << 20).unwrap();
    let earlier = File::create(place.path(&format!("chats/{NEXT_CHAT}.jsonl"))).unwrap();
    earlier.set_len(70 << 20).unwrap();
    assert_eq!(get(&backup, CHAT, OTHER), Err(BackupFault::TooLong));
    backup.list().unwrap();
    put(
        &backup,
        ME,
        CHAT,
        &[(1, "Hello"), (2, "A secret"), (3, "More")],
    );
    for chat in [CHAT, NEXT_CHAT] {
        let purged = backup.purge(&purge_request(ME, chat, &[2])).unwrap();
        assert_eq!(purged.unreached.len(), 1, "{:?}", purged.unreached);
    }
    assert_eq!(place.having("A secret"), [] as [PathBuf; 0]);
    assert!(get(&backup, CHAT, ME).unwrap().contains("More"));
}

#[test]
fn a_file_that_grows_while_it_is_read_is_read_up_to_its_limit() {
    const LIMIT: u64 = 100_000;
    let place = Place::new();
    let backup = place.open();
    let path = place.path("chats/growing");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = File::create(&path).unwrap();
    static DONE: AtomicBool = AtomicBool::new(false);
    let writer = std::thread::spawn(move || {
        while !DONE.load(Ordering::Relaxed) {
            file.write_all(&[b'x'; 1000]).unwrap();
        }
    });
    let mut refused = 0;
    while refused < 100 {
        match at_once(backup.disk.read("chats/growing", LIMIT)) {
            Ok(bytes) => assert!(bytes.unwrap().len() as u64 <= LIMIT),
            Err(fault) => {
                assert_eq!(fault, BackupFault::TooLong);
                refused += 1;
            }
        }
        let head = at_once(backup.disk.head("chats/growing", 10)).unwrap();
        assert!(head.unwrap().len() <= 10);
    }
    DONE.store(true, Ordering::Relaxed);
    writer.join().unwrap();
}

/// What is in a directory, to see that nothing was changed in it.
fn contents(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = files_below(directory).into_iter();
    files
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

/// A directory that was replaced by a link to another was written into.
#[test]
fn a_directory_that_a_link_takes_the_place_of_is_neither_read_nor_written_nor_emptied() {
    for replaced in [
        "",
        "chats",
        "chats/0000000000000007",
        "kept",
        "tmp",
        "images",
    ] {
        let place = Place::new();
        let backup = place.open();
        put(&backup, ME, CHAT, &[(1, "Hello"), (2, "A secret")]);
        put(&backup, ME, CHAT, &[(1, "Other words"), (2, "A secret")]);
        fs::create_dir_all(place.path("images")).unwrap();
        fs::create_dir_all(place.path("tmp")).unwrap();
        // Elsewhere is the same: a copy of the directory.
        let elsewhere = place.0.join("elsewhere");
        fs::rename(place.path(replaced), &elsewhere).unwrap();
        symlink(&elsewhere, place.path(replaced).components().as_path()).unwrap();
        fs::write(elsewhere.join("left-behind.new"), "theirs").unwrap();
        let before = contents(&elsewhere);
        let written = backup.put(&request(ME, CHAT, &[(1, "Third"), (3, "More")]));
        if !matches!(replaced, "kept" | "images") {
            assert_eq!(written, Err(NOT_PLAIN), "{replaced}");
        }
        let purged = backup.purge(&purge_request(ME, CHAT, &[2]));
        let is_done = purged.is_ok_and(|purged| purged.unreached.is_empty());
        assert!(!is_done, "{replaced}");
        backup.write(async |it| it.remove_browser(ME).await).ok();
        backup.list().ok();
        assert!(
            at_once(backup.disk.entries(replaced)).is_err(),
            "{replaced}"
        );
        assert_eq!(contents(&elsewhere), before, "{replaced}");
    }
}

#[test]
fn a_directory_that_is_gone_is_said_and_not_made_anew() {
    let place = Place::new();
    let backup = place.open();
    fs::rename(place.root(), place.0.join("moved")).unwrap();
    let gone = BackupFault::from(BackupProblem::Gone);
    let written = backup.put(&request(ME, CHAT, &[(1, "Hello")]));
    assert_eq!(written, Err(gone));
    assert_eq!(backup.list().map(|_| ()), Err(gone));
    assert!(!place.root().exists());
}

/// Pictures of others went because an entry could not be read.
#[test]
fn names_that_are_no_text_are_entries_too() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let backup = place.open();
    put(&backup, ME, CHAT, &[(1, "Hello")]);
    let name = std::ffi::OsStr::from_bytes(b"\xff\xfe\x1b[2J.jsonl");
    fs::write(place.path("chats").join(name), "theirs").unwrap();
    let list = backup.list().unwrap();
    assert_eq!(list.copies.len(), 1);
    assert_eq!(list.others.len(), 1, "{:?}", list.others);
    let entries = at_once(backup.disk.entries("chats")).unwrap();
    assert_eq!(entries.len(), 2);
}

fn png() -> Vec<u8> {
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\0\0\0\0\0".to_vec()
}

#[test]
fn an_image_is_a_file_under_its_hash_and_goes_with_the_message() {
    let place = Place::new();
    let backup = place.open();
    let bytes = png();
    let hash = hash_image(&bytes);
    let message = Message {
        content: "Look".to_owned(),
        images: vec![Image {
            hash,
            format: ImageFormat::Png,
            size: bytes.len() as u64,
            width: 1,
            height: 1,
            preview: String::new(),
        }],
        ..Message::new(Id(1), None, 1, Role::User, 0)
    };
    let mut handed = request(ME, CHAT, &[(2, "Words")]);
    handed.lines += &line(Key::Message(CHAT, 1, Id(1)), &message);
    assert_eq!(backup.put(&handed).unwrap().missing, [hash]);
    let data = encode_image(&bytes);
    let sent = PutImageRequest {
        chat: CHAT,
        browser: ME,
        hash,
        data: data.clone(),
    };
    // A browser that follows is told when the copy is whole.
    assert_eq!(listed(&backup, CHAT, ME).unwrap().state, "");
    let since = backup.at();
    backup
        .change(CHAT, async |it| it.put_image(&sent).await)
        .unwrap();
    assert_eq!(backup.at(), since + 1);
    assert_eq!(listed(&backup, CHAT, ME).unwrap().state, handed.state);
    assert_eq!(backup.put(&handed).unwrap().missing, []);
    let get = || backup.read(async |it| it.get_image(hash).await);
    assert_eq!(get().unwrap().text, data);
    assert_eq!(mode(&place.path(&format!("images/{hash}.png"))), 0o600);
    backup.purge(&purge_request(ME, CHAT, &[1])).unwrap();
    assert_eq!(get(), Err(BackupFault::Absent));
    assert_eq!(files_below(&place.path("images")), [] as [PathBuf; 0]);
}
