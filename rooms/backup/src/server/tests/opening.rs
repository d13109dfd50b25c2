//! What a directory is taken for, its key, and who may read it.

use super::*;
use sash_wire::Fault;
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::symlink;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The file with the key of browsers.
fn key_file(place: &Place) -> PathBuf {
    place.0.join("state/backup-key")
}

#[test]
fn what_is_written_is_read_by_its_owner_alone() {
    let place = Place::new();
    let backup = place.open();
    put(&backup, ME, CHAT, &[(1, "Hello")]);
    put(&backup, ME, CHAT, &[(1, "Another text")]);
    backup.purge(&purge_request(ME, CHAT, &[1])).unwrap();
    let mut count = 0;
    for root in [place.root(), place.0.join("state")] {
        assert_eq!(mode(&root), 0o700);
        for file in files_below(&root) {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
            assert_eq!(mode(file.parent().unwrap()), 0o700, "{}", file.display());
            count += 1;
        }
    }
    // README.txt, key.sha256, two keys, and what was deleted.
    assert!(count >= 5, "{count}");
}

/// Any directory with an entry `key` was taken for a backup, and made 0700.
#[test]
fn a_directory_with_other_things_is_refused_and_left_as_it_is() {
    for name in ["photo.jpg", "key", "chats", "README.txt"] {
        let place = Place::new();
        fs::create_dir(place.root()).unwrap();
        fs::set_permissions(place.root(), fs::Permissions::from_mode(0o755)).unwrap();
        match name {
            "chats" => fs::create_dir(place.path(name)).unwrap(),
            "README.txt" => {
                // The one of a backup, but it is elsewhere.
                let other = Place::new();
                other.open();
                fs::rename(other.path(name), place.0.join(name)).unwrap();
                symlink(place.0.join(name), place.path(name)).unwrap();
            }
            _ => fs::write(place.path(name), "0".repeat(64)).unwrap(),
        }
        place.refused();
        assert_eq!(mode(&place.root()), 0o755, "{name}");
        assert_eq!(fs::read_dir(place.root()).unwrap().count(), 1, "{name}");
        assert!(!key_file(&place).exists(), "{name}");
    }
    let place = Place::new();
    fs::write(place.root(), "").unwrap();
    assert!(place.refused().contains("--backup"));
}

#[test]
fn an_empty_directory_becomes_a_backup_and_so_does_one_that_a_link_names() {
    let place = Place::new();
    let elsewhere = place.0.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::create_dir(elsewhere.join(".git")).unwrap();
    symlink(&elsewhere, place.root()).unwrap();
    let backup = place.open();
    put(&backup, ME, CHAT, &[(1, "Hello")]);
    assert!(elsewhere.join("README.txt").exists());
    assert!(backup.list().unwrap().is_versioned);
    assert_eq!(mode(&elsewhere), 0o700);
}

#[test]
fn a_start_that_was_killed_at_the_first_file_is_begun_again() {
    let place = Place::new();
    fs::create_dir_all(place.path("tmp")).unwrap();
    fs::write(place.path("tmp/x.new"), "This folder").unwrap();
    place.open();
    assert!(place.path("README.txt").exists());
    assert_eq!(files_below(&place.path("tmp")), [] as [PathBuf; 0]);
}

/// The key lay in the directory, where every copy of it has it too.
#[test]
fn the_key_of_an_earlier_sash_is_taken_over_and_leaves_the_directory() {
    let place = Place::new();
    drop(place.open());
    fs::remove_dir_all(place.0.join("state")).unwrap();
    let former = "0123456789abcdef".repeat(4);
    fs::write(place.path("key"), format!("{former}\n")).unwrap();
    let backup = place.open();
    assert_eq!(backup.check_key(former.as_bytes(), CLIENT), Ok(()));
    assert!(!place.path("key").exists());
    assert_eq!(place.having(&former), [] as [PathBuf; 0]);
    assert_eq!(
        fs::read_to_string(key_file(&place)).unwrap(),
        format!("{former}\n")
    );
    assert_eq!(place.open().key(), backup.key());
    // What is no key is none.
    for wrong in ["short", "", "\u{1b}[2J"] {
        fs::write(place.path("key"), wrong).unwrap();
        assert_eq!(place.open().key(), backup.key());
        assert!(place.path("key").exists());
    }
}

#[test]
fn a_key_that_was_replaced_ends_and_what_was_sealed_before_is_as_good_as_it_was() {
    let place = Place::new();
    let backup = Arc::new(place.open());
    put(&backup, ME, CHAT, &[(1, "Hello"), (2, "Gone")]);
    backup.purge(&purge_request(ME, CHAT, &[2])).unwrap();
    let former = backup.key();
    backup.keys.replace().unwrap();
    let key = backup.key();
    assert_ne!(key, former);
    assert_eq!(
        backup.check_key(former.0.as_bytes(), CLIENT),
        Err(Fault::OpenedTwice)
    );
    assert_eq!(backup.check_key(key.0.as_bytes(), CLIENT), Ok(()));
    let again = place.open();
    assert_eq!(again.key(), key);
    assert!(!again.is_of_others());
    assert_eq!(standing(&again, CHAT, ME), Some(Standing::Sealed));
    let written = put(&again, ME, CHAT, &[(1, "Hello"), (2, "Gone")]);
    assert_eq!(written.dropped, [Id(2)]);
    assert!(!format!("{:?}{key:?}", backup.keys).contains(&key.0));
}

#[test]
fn keys_are_not_found_by_trying() {
    let place = Place::new();
    let backup = place.open();
    let locked = Err(BackupFault::Locked.into());
    for _ in 0..10 {
        assert_eq!(backup.check_key(b"wrong", CLIENT), locked);
    }
    assert_eq!(
        backup.check_key(b"wrong", CLIENT),
        Err(Fault::TooManyAttempts)
    );
    // A page without a key tries none.
    assert_eq!(backup.check_key(b"", CLIENT), locked);
    assert_eq!(backup.check_key(backup.key().0.as_bytes(), CLIENT), Ok(()));
}

#[test]
fn what_another_installation_sealed_is_said_once_and_counts_as_foreign() {
    let place = Place::new();
    let first = place.open();
    assert!(!first.is_of_others());
    put(&first, ME, CHAT, &[(1, "Hello")]);
    drop(first);
    fs::remove_dir_all(place.0.join("state")).unwrap();
    let second = place.open();
    assert!(second.is_of_others());
    assert_eq!(standing(&second, CHAT, ME), Some(Standing::Unsealed));
    assert!(get(&second, CHAT, ME).unwrap().contains("Hello"));
    assert!(!place.open().is_of_others());
    // What another program put in the place of the note keeps nobody out.
    fs::remove_file(place.path("key.sha256")).unwrap();
    symlink(place.0.join("nothing"), place.path("key.sha256")).unwrap();
    place.open();
    assert!(!place.0.join("nothing").exists());
    fs::remove_file(place.path("key.sha256")).unwrap();
    fs::create_dir(place.path("key.sha256")).unwrap();
    place.open();
}

#[test]
fn keys_that_cannot_be_read_or_placed_are_said_and_not_made_anew() {
    let place = Place::new();
    drop(place.open());
    for name in ["backup-key", "backup-seal"] {
        let file = place.0.join("state").join(name);
        let key = fs::read_to_string(&file).unwrap();
        for wrong in ["nonsense", "", "\u{1b}[2J"] {
            fs::write(&file, wrong).unwrap();
            assert!(place.refused().contains(name));
            assert_eq!(fs::read_to_string(&file).unwrap(), wrong);
        }
        fs::write(&file, key).unwrap();
    }
    let nowhere = BackupPlaces {
        state: None,
        ..place.places()
    };
    assert!(Backup::open(&nowhere).unwrap_err().0.contains("HOME"));
}

/// A `lock` with a heartbeat kept the start out: for 45 seconds, and for ever if its clock was ahead. Two machines of one
/// name passed it.
#[test]
fn a_start_waits_for_nobody_and_the_lock_of_an_earlier_sash_is_nothing_to_it() {
    let place = Place::new();
    std::mem::forget(place.open());
    let lock = "{\"run\":\"x\",\"host\":\"far away\",\"beats\":9}\n";
    fs::write(place.path("lock"), lock).unwrap();
    let file = fs::File::options().write(true).open(place.path("lock"));
    let ahead = SystemTime::now() + Duration::from_secs(1_000_000);
    file.unwrap().set_modified(ahead).unwrap();
    let began = Instant::now();
    let backup = place.open();
    put(&backup, ME, CHAT, &[(1, "Hello")]);
    assert!(began.elapsed() < Duration::from_secs(2));
    let second = place.open();
    put(&second, OTHER, CHAT, &[(2, "Hi")]);
}
