//! The folder against whatever may be in it.

use super::*;
use sash_calls::{
    BackupFault, BackupFileState, BackupGetImageRequest, BackupGetRequest, BackupList,
    BackupListRequest, BackupPrompts, BackupPromptsRequest, BackupPurge, BackupPurgeRequest,
    BackupPut, BackupPutImageRequest, BackupPutRequest,
};
use sash_chat::{Id, ImageHash, Message, Role};
use sash_log::image::{encode_image, hash_image};
use sash_log::{FOLDER, Key, encode_record};
use sash_records::prompts::PROMPT;
use sash_transfer::backup::BackupFile;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

const ME: Id = Id(1);
const OTHER: Id = Id(2);
const CHAT: Id = Id(7);

/// A folder of the system's temporary ones that goes with the test.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("sash-backup-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    fn folder(&self) -> PathBuf {
        self.0.join("backup")
    }

    fn open(&self) -> Backup {
        Backup::open(&self.folder())
            .map_err(|BackupError(why)| why)
            .unwrap()
    }

    fn refused(&self) -> String {
        Backup::open(&self.folder()).unwrap_err().0
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// The names of all files, and whether anything but its owner may read them.
    fn files(&self) -> Vec<String> {
        fn walk(folder: &std::path::Path, root: &std::path::Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let mode = fs::symlink_metadata(&path).unwrap().permissions().mode();
                match path.is_dir() && !path.is_symlink() {
                    true => {
                        assert_eq!(mode & 0o777, 0o700, "{}", path.display());
                        walk(&path, root, found);
                    }
                    false => {
                        assert!(
                            path.is_symlink() || mode & 0o777 == 0o600,
                            "{}",
                            path.display()
                        );
                        found.push(path.strip_prefix(root).unwrap().display().to_string());
                    }
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.folder(), &self.folder(), &mut found);
        found.retain(|name| !matches!(name.as_str(), "key" | "lock" | "README.txt"));
        found.sort();
        found
    }

    fn chat(&self) -> PathBuf {
        self.file("chats/0000000000000007.jsonl")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn line(key: Key, value: &impl serde::Serialize) -> String {
    let record = encode_record(value);
    let (crc, data) = sash_log::split_record(&record).unwrap();
    format!("{{\"key\":\"{key}\",\"crc\":\"{crc}\",\"data\":{data}}}\n")
}

/// The export of a chat with these messages.
fn export(texts: &[(u64, &str)]) -> String {
    let mut text = "{\"app\":\"sash\",\"schema\":1}\n".to_owned();
    text += &line(Key::Head(CHAT), &sash_chat::Head::new(CHAT, 0));
    for (n, content) in texts {
        let message = Message {
            content: (*content).to_owned(),
            ..Message::new(Id(*n), None, *n as u32, Role::User, 0)
        };
        text += &line(Key::Message(CHAT, *n as u32, Id(*n)), &message);
    }
    text
}

fn request(writer: Id, base: u64, text: String) -> BackupPutRequest {
    BackupPutRequest {
        key: BackupKey::default(),
        writer,
        chat: CHAT,
        base,
        base_crc: String::new(),
        digest: format!("{}", text.len()),
        title: "A title".to_owned(),
        text,
    }
}

fn put(backup: &Backup, base: u64, texts: &[(u64, &str)]) -> BackupPut {
    backup.put(&request(ME, base, export(texts))).unwrap()
}

fn list(backup: &Backup) -> BackupList {
    let request = BackupListRequest {
        key: BackupKey::default(),
        writer: ME,
    };
    backup.list(&request).unwrap()
}

fn get(backup: &Backup) -> Result<String, Fault> {
    let key = BackupKey::default();
    let got = backup.get(&BackupGetRequest { key, chat: CHAT });
    got.map(|got| got.text)
}

fn purge(backup: &Backup, what: BackupPurge) -> Result<(), Fault> {
    let key = BackupKey::default();
    let request = BackupPurgeRequest {
        only_known: false,
        key,
        writer: ME,
        what,
    };
    backup.purge(&request).map(|_| ())
}

fn whole_chat() -> BackupPurge {
    BackupPurge::Some {
        chats: vec![CHAT],
        messages: Vec::new(),
    }
}

fn png(n: u8) -> Vec<u8> {
    let mut bytes =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\0\0\0\0".to_vec();
    bytes.push(n);
    bytes
}

fn put_image(backup: &Backup, hash: ImageHash, bytes: &[u8]) -> Result<(), Fault> {
    backup.put_image(&BackupPutImageRequest {
        key: BackupKey::default(),
        hash,
        data: encode_image(bytes),
    })
}

#[test]
fn a_chat_is_a_plain_file_that_only_its_owner_reads() {
    let place = Place::new();
    let backup = place.open();
    assert_eq!(put(&backup, 0, &[(1, "Hello")]).version, 1);
    assert_eq!(place.files(), ["chats/0000000000000007.jsonl"]);
    let file = fs::read_to_string(place.chat()).unwrap();
    assert!(file.contains("Hello") && get(&backup) == Ok(file));
    let listed = list(&backup);
    let chat = &listed.chats[0];
    assert_eq!(
        (chat.chat, chat.title.as_str(), chat.messages),
        (CHAT, "A title", 1)
    );
    assert_eq!((chat.version, chat.state), (1, BackupFileState::Kept));
    assert!(chat.digest.is_some() && listed.others.is_empty());
    // The same once more writes nothing.
    assert_eq!(put(&backup, 1, &[(1, "Hello")]).version, 1);
    let key = fs::read_to_string(place.file("key")).unwrap();
    assert_eq!(backup.key(), BackupKey(key.trim().to_owned()));
    let client = IpAddr::from([127, 0, 0, 1]);
    assert_eq!(
        backup.check_key(&BackupKey(key.trim().to_owned()), client),
        Ok(())
    );
    for _ in 0..10 {
        let wrong = BackupKey("0".repeat(64));
        assert_eq!(
            backup.check_key(&wrong, client),
            Err(BackupFault::Locked.into())
        );
    }
    let wrong = BackupKey("1".to_owned());
    assert_eq!(
        backup.check_key(&wrong, client),
        Err(Fault::TooManyAttempts)
    );
    assert_eq!(
        backup.check_key(&BackupKey::default(), client),
        Err(BackupFault::Locked.into())
    );
    assert_eq!(
        backup.check_key(&BackupKey(key.trim().to_owned()), client),
        Ok(())
    );
    assert!(!format!("{backup:?}{:?}", BackupKey(key.clone())).contains(key.trim()));
}

#[test]
fn a_writer_that_does_not_know_the_newest_version_is_told_and_loses_nothing_with_it() {
    let place = Place::new();
    let backup = place.open();
    put(&backup, 0, &[(1, "Mine")]);
    let theirs = request(OTHER, 0, export(&[(2, "Theirs")]));
    assert_eq!(
        backup.put(&theirs),
        Err(BackupFault::Changed { version: 1 }.into())
    );
    let theirs = BackupPutRequest { base: 1, ..theirs };
    assert_eq!(backup.put(&theirs).unwrap().version, 2);
    let both = get(&backup).unwrap();
    assert!(both.contains("Mine") && both.contains("Theirs"));
    // What the other wrote before is an older version.
    assert_eq!(place.files().len(), 2, "{:?}", place.files());
    // An emptied browser takes nothing away.
    assert_eq!(put(&backup, 2, &[]).version, 3);
    let both = get(&backup).unwrap();
    assert!(both.contains("Mine") && both.contains("Theirs"));
    // An older folder that was restored has a lower version.
    let ahead = request(ME, 9, export(&[(3, "New")]));
    assert_eq!(
        backup.put(&ahead),
        Err(BackupFault::Changed { version: 3 }.into())
    );
}

/// The older versions of the chat, oldest first.
fn older_files(place: &Place) -> Vec<PathBuf> {
    let entries = fs::read_dir(place.file("versions/0000000000000007")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn is_set_aside(path: &Path) -> bool {
    path.to_string_lossy().ends_with("-changed.jsonl")
}

#[test]
fn older_versions_are_kept_once_an_hour_for_a_month_and_within_bounds() {
    let place = Place::new();
    let backup = place.open();
    for n in 1..=5 {
        let texts: Vec<(u64, &str)> = (1..=n).map(|n| (n, "Some text")).collect();
        put(&backup, n - 1, &texts);
    }
    // The first of them, and none of the same hour.
    let older = older_files(&place);
    assert_eq!(older.len(), 1);
    // Another text under the same key is never lost.
    put(&backup, 5, &[(1, "Another text")]);
    assert_eq!(older_files(&place).len(), 2);
    let folder = place.file("versions/0000000000000007");
    let day = 24 * 60 * 60 * 1000;
    for age in [40, 31, 29, 3] {
        let name = format!("{:013}-v1.jsonl", now() - age * day);
        fs::write(folder.join(name), vec![b'x'; 1000]).unwrap();
    }
    fs::write(
        folder.join(format!("{:013}-changed.jsonl", now() - 90 * day)),
        "mine",
    )
    .unwrap();
    backup.prune();
    let older = older_files(&place);
    assert_eq!(older.len(), 5, "{older:?}");
    at_once(backup.rules().prune_to(now(), 1500)).unwrap();
    let older = older_files(&place);
    assert!(older.len() < 5 && older.iter().any(|path| is_set_aside(path)));
}

#[test]
fn what_was_changed_from_outside_is_set_aside_as_it_is() {
    let place = Place::new();
    let backup = place.open();
    for damage in ["half", "edited", "nothing", "bytes"] {
        let whole = put(
            &backup,
            list(&backup).chats.first().map_or(0, |chat| chat.version),
            &[(1, "Hello"), (2, damage)],
        );
        assert!(whole.version > 0);
        let text = fs::read(place.chat()).unwrap();
        let changed = match damage {
            "half" => text[..text.len() - 20].to_vec(),
            "edited" => String::from_utf8(text)
                .unwrap()
                .replace("Hello", "Hullo")
                .into_bytes(),
            "nothing" => Vec::new(),
            _ => [&text[..], b"\xff\xfe"].concat(),
        };
        fs::write(place.chat(), &changed).unwrap();
        assert_eq!(
            list(&backup).chats[0].state,
            BackupFileState::Changed,
            "{damage}"
        );
        assert_eq!(list(&backup).chats[0].digest, None);
        let base = list(&backup).chats[0].version;
        put(&backup, base, &[(1, "Hello"), (3, damage)]);
        let aside = older_files(&place)
            .into_iter()
            .filter(|path| is_set_aside(path));
        let mut kept = aside.map(|path| fs::read(path).unwrap());
        assert!(kept.any(|kept| kept == changed), "{damage}");
        assert_eq!(list(&backup).chats[0].state, BackupFileState::Kept);
        assert!(!list(&backup).others.is_empty());
        // The next one has a time of its own.
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_file_of_a_newer_sash_is_left_as_it_is() {
    let place = Place::new();
    let backup = place.open();
    let newer = "{\"app\":\"sash\",\"schema\":2}\nwhatever\n";
    fs::write(place.chat(), newer).unwrap();
    let put = backup.put(&request(ME, 0, export(&[(1, "Hello")])));
    assert_eq!(put, Err(BackupFault::Newer.into()));
    assert_eq!(get(&backup), Err(BackupFault::Newer.into()));
    assert_eq!(list(&backup).chats[0].state, BackupFileState::Newer);
    assert_eq!(
        purge(&backup, BackupPurge::Everything),
        Err(BackupFault::Newer.into())
    );
    assert_eq!(fs::read_to_string(place.chat()).unwrap(), newer);
}

#[test]
fn no_link_is_followed_and_nothing_is_written_outside() {
    let place = Place::new();
    let outside = place.0.join("outside");
    fs::write(&outside, "{\"app\":\"sash\",\"schema\":1}\nsecret\n").unwrap();
    let backup = place.open();
    symlink(&outside, place.chat()).unwrap();
    let problem = BackupProblem::NotPlain;
    assert_eq!(get(&backup), Err(BackupFault::Failed { problem }.into()));
    assert_eq!(list(&backup).others, ["chats/0000000000000007.jsonl"]);
    assert!(
        backup
            .put(&request(ME, 0, export(&[(1, "Hello")])))
            .is_err()
    );
    fs::remove_file(place.chat()).unwrap();
    // The place beside it, where the new file is written first.
    symlink(&outside, place.file("chats/0000000000000007.new")).unwrap();
    put(&backup, 0, &[(1, "Hello")]);
    // The folder of the older versions, and that of the images.
    let elsewhere = place.0.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, place.file("versions/0000000000000007")).unwrap();
    assert!(
        backup
            .put(&request(OTHER, 1, export(&[(2, "Hello")])))
            .is_err()
    );
    fs::remove_dir(place.file("images")).unwrap();
    symlink(&elsewhere, place.file("images")).unwrap();
    let image = png(1);
    assert!(put_image(&backup, hash_image(&image), &image).is_err());
    assert!(fs::read_dir(&elsewhere).unwrap().next().is_none());
    assert!(fs::read_to_string(&outside).unwrap().contains("secret"));
    // A key that is a link is no key.
    drop(backup);
    fs::rename(place.file("key"), place.0.join("moved")).unwrap();
    symlink(place.0.join("moved"), place.file("key")).unwrap();
    assert!(place.refused().contains("key"));
}

#[test]
fn names_of_others_are_listed_and_left_alone() {
    let place = Place::new();
    let backup = place.open();
    put(&backup, 0, &[(1, "Hello")]);
    let names = [
        "0000000000000007 (conflicted copy).jsonl",
        "0000000000000007.sync-conflict-1.jsonl",
        "000000000000000G.jsonl",
        "..%2f..%2fx.jsonl",
        "notes.txt",
    ];
    for name in names {
        fs::write(place.file("chats").join(name), "Hello").unwrap();
    }
    let outside = [
        "prompts-and-folders.sync-conflict-1.jsonl",
        "images/a (conflicted copy).png",
    ];
    fs::create_dir_all(place.file("images")).unwrap();
    for name in outside.iter().chain(&[".stfolder", ".gitignore"]) {
        fs::write(place.file(name), "Hello").unwrap();
    }
    fs::create_dir(place.file("chats/0000000000000008.jsonl")).unwrap();
    let listed = list(&backup);
    assert_eq!(
        (listed.chats.len(), listed.others.len()),
        (1, names.len() + 1 + outside.len())
    );
    for name in outside {
        assert!(listed.others.iter().any(|other| other == name), "{name}");
    }
    purge(&backup, BackupPurge::Everything).unwrap();
    for name in names {
        assert!(place.file("chats").join(name).exists(), "{name}");
    }
}

/// Words that another browser had written after the last look at the folder were deleted too.
#[test]
fn a_chat_with_messages_that_the_browser_does_not_know_is_not_deleted() {
    let place = Place::new();
    let backup = place.open();
    put(&backup, 0, &[(1, "Hello"), (2, "More")]);
    let purge_knowing = |ids: &[u64]| {
        backup.purge(&BackupPurgeRequest {
            key: BackupKey::default(),
            writer: ME,
            what: BackupPurge::Some {
                chats: vec![CHAT],
                messages: vec![(CHAT, ids.iter().map(|id| Id(*id)).collect())],
            },
            only_known: true,
        })
    };
    let before = fs::read_to_string(place.chat()).unwrap();
    let refused = purge_knowing(&[1]).map(|_| ());
    assert_eq!(refused, Err(BackupFault::Changed { version: 1 }.into()));
    assert_eq!(fs::read_to_string(place.chat()).unwrap(), before);
    purge_knowing(&[1, 2]).unwrap();
    assert!(!fs::read_to_string(place.chat()).unwrap().contains("Hello"));
}

#[test]
fn a_full_disk_is_said_and_costs_nothing() {
    fn full(file: &mut File, bytes: &[u8]) -> io::Result<()> {
        io::Write::write_all(file, &bytes[..bytes.len() / 2])?;
        Err(io::Error::from(io::ErrorKind::StorageFull))
    }
    let place = Place::new();
    let mut backup = place.open();
    put(&backup, 0, &[(1, "Hello")]);
    let before = fs::read(place.chat()).unwrap();
    backup.folder.write = full;
    let full = Err(BackupFault::Failed {
        problem: BackupProblem::Full,
    }
    .into());
    let put = backup.put(&request(ME, 1, export(&[(1, "Hello"), (2, "More")])));
    assert_eq!(put.map(|_| ()), full);
    let image = png(1);
    assert_eq!(put_image(&backup, hash_image(&image), &image), full);
    assert_eq!(purge(&backup, whole_chat()), full);
    assert_eq!(fs::read(place.chat()).unwrap(), before);
    assert!(place.files().iter().all(|name| !name.ends_with(".new")));
}

#[test]
fn one_sash_writes_in_a_folder() {
    let place = Place::new();
    let backup = place.open();
    assert!(place.refused().contains("another Sash"));
    backup.lock.release();
    assert_eq!(
        backup.put(&request(ME, 0, export(&[]))),
        Err(failed(BackupProblem::Taken))
    );
    let next = place.open();
    put(&next, 0, &[(1, "Hello")]);
    next.lock.beat();
    // Another machine, which the system's lock does not reach, took it.
    let other = "{\"run\":\"other\",\"host\":\"far away\",\"beats\":9}\n";
    fs::write(place.file("lock"), other).unwrap();
    next.lock.beat();
    assert!(next.put(&request(ME, 1, export(&[(2, "Hi")]))).is_err());
    assert_eq!(fs::read_to_string(place.file("lock")).unwrap(), other);
    drop(next);
    assert!(place.refused().contains("far away"));
    // Its heartbeat is old: it was stopped hard.
    let file = File::options()
        .write(true)
        .open(place.file("lock"))
        .unwrap();
    let old = SystemTime::now() - Duration::from_secs(100);
    file.set_modified(old).unwrap();
    let next = place.open();
    fs::remove_file(place.file("lock")).unwrap();
    next.lock.beat();
    assert!(next.lock.is_ours() && place.file("lock").exists());
}

#[test]
fn a_folder_with_other_things_in_it_is_refused() {
    let place = Place::new();
    fs::create_dir(place.folder()).unwrap();
    fs::set_permissions(place.folder(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(place.file("photo.jpg"), "").unwrap();
    assert!(place.refused().contains("not empty"));
    fs::remove_file(place.file("photo.jpg")).unwrap();
    fs::create_dir(place.file(".git")).unwrap();
    let backup = place.open();
    assert!(list(&backup).is_versioned);
    let mode = fs::metadata(place.folder()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    drop(backup);
    fs::write(place.file("key"), "short").unwrap();
    assert!(place.refused().contains("64"));
    let file = Place::new();
    fs::write(file.folder(), "").unwrap();
    assert!(file.refused().contains("--backup"));
}

#[test]
fn what_is_deleted_is_in_no_file_any_more_and_comes_back_from_nowhere() {
    let place = Place::new();
    let backup = place.open();
    let (one, two) = (png(1), png(2));
    let (first, second) = (hash_image(&one), hash_image(&two));
    put_image(&backup, first, &one).unwrap();
    put_image(&backup, second, &two).unwrap();
    assert!(put_image(&backup, first, &two).is_err());
    let text = |hash: ImageHash| format!("see {hash}");
    let (of_first, of_second) = (text(first), text(second));
    put(&backup, 0, &[(1, &of_first), (2, &of_second)]);
    put(&backup, 1, &[(1, &of_first), (2, &of_second), (3, "Third")]);
    assert_eq!(older_files(&place).len(), 1);
    let messages = vec![(CHAT, vec![Id(1)])];
    let chats = Vec::new();
    purge(&backup, BackupPurge::Some { chats, messages }).unwrap();
    let everything = |place: &Place| {
        let files = place.files().into_iter();
        let texts = files.filter(|name| name.ends_with(".jsonl"));
        let texts = texts.map(|name| fs::read_to_string(place.file(&name)).unwrap());
        texts.collect::<String>()
    };
    assert!(
        !everything(&place).contains(&of_first),
        "{:?}",
        place.files()
    );
    assert!(everything(&place).contains(&of_second));
    let older = older_files(&place);
    let older = fs::read_to_string(&older[0]).unwrap();
    assert!(BackupFile::parse(&older).unwrap().is_intact);
    // The title was the beginning of the text, and stayed in older versions once.
    assert!(!everything(&place).contains("A title"));
    assert_eq!(list(&backup).images, [second]);
    let got = backup.get_image(&BackupGetImageRequest {
        key: BackupKey::default(),
        hash: first,
    });
    assert_eq!(got, Err(BackupFault::Absent.into()));
    // A browser that still has it hands it over once more.
    let version = list(&backup).chats[0].version;
    put(
        &backup,
        version,
        &[(1, &of_first), (2, &of_second), (3, "Third")],
    );
    assert!(!get(&backup).unwrap().contains(&of_first));

    purge(&backup, whole_chat()).unwrap();
    assert_eq!(place.files(), ["chats/0000000000000007.jsonl"]);
    assert!(!everything(&place).contains("Third") && !everything(&place).contains("A title"));
    assert_eq!(list(&backup).chats[0].state, BackupFileState::Purged);
    // Its tombstones can be read, so that other browsers know which messages that concerns.
    let left = get(&backup).unwrap();
    assert!(
        left.contains("sash:x:") && !left.contains("sash:m:"),
        "{left}"
    );
    let again = backup.put(&request(OTHER, 9, export(&[(3, "Third")])));
    assert_eq!(again, Err(BackupFault::Purged.into()));
    purge(&backup, BackupPurge::Everything).unwrap();
    assert_eq!(list(&backup).chats[0].state, BackupFileState::Purged);
}

fn prompts(backup: &Backup, text: Option<&str>) -> Result<BackupPrompts, Fault> {
    backup.prompts(&BackupPromptsRequest {
        key: BackupKey::default(),
        writer: ME,
        base_crc: None,
        text: text.map(str::to_owned),
    })
}

#[test]
fn prompts_and_folders_are_one_file_and_go_with_everything() {
    let place = Place::new();
    let backup = place.open();
    let prompt = sash_records::prompts::SavedPrompt::new(Id(3), "Mail", "Write a mail");
    let folder = sash_chat::Folder::new(Id(4), "Work", 1);
    let mine = line(Key::Record(PROMPT, Id(3)), &prompt);
    let theirs = line(Key::Record(FOLDER, Id(4)), &folder);
    assert_eq!(prompts(&backup, None).unwrap().text, "");
    prompts(&backup, Some(&mine)).unwrap();
    let both = prompts(&backup, Some(&theirs)).unwrap();
    assert_eq!(both.text.lines().count(), 2);
    assert_eq!(prompts(&backup, None).unwrap().text, both.text);
    let listed = list(&backup);
    assert_eq!((listed.prompts, listed.folders), (1, 1));
    assert_eq!(listed.prompts_crc, both.crc);
    // Who writes what is there changes nothing.
    let path = place.file("prompts-and-folders.jsonl");
    let before = fs::read(&path).unwrap();
    prompts(&backup, Some(&mine)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
    // What was changed from outside is set aside, and is none of ours.
    let changed = String::from_utf8(before).unwrap().replace("Work", "Play");
    fs::write(&path, &changed).unwrap();
    assert!(!prompts(&backup, None).unwrap().is_intact);
    assert_eq!(prompts(&backup, Some(&mine)).unwrap().text, mine);
    let others = list(&backup).others;
    assert!(
        others[0].starts_with("versions/prompts-and-folders-"),
        "{others:?}"
    );
    assert_eq!(fs::read_to_string(place.file(&others[0])).unwrap(), changed);
    purge(&backup, BackupPurge::Everything).unwrap();
    let left = prompts(&backup, None).unwrap().text;
    assert!(!left.contains("mail") && left.contains("deleted"), "{left}");
    assert_eq!(list(&backup).others, [""; 0]);
    // A browser that was away does not bring it back.
    assert!(!prompts(&backup, Some(&mine)).unwrap().text.contains("mail"));
    // A newer Sash wrote it.
    fs::write(&path, "{\"app\":\"sash\",\"schema\":99}\n").unwrap();
    assert_eq!(
        prompts(&backup, Some(&mine)),
        Err(BackupFault::Newer.into())
    );
    assert_eq!(prompts(&backup, None), Err(BackupFault::Newer.into()));
    // A link is none of ours.
    fs::remove_file(&path).unwrap();
    symlink(place.0.join("outside"), &path).unwrap();
    assert!(prompts(&backup, Some(&mine)).is_err());
    assert!(!place.0.join("outside").exists());
}
