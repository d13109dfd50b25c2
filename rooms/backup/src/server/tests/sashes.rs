//! Two Sashes on one directory, of one machine and of one name: there is nothing by which they would be told apart.

use super::*;
use crate::call::{News, NewsRequest};
use crate::server::LIST_INTERVAL;
use sash_door::stop::StopSignal;
use sash_door::{System, disk};
use std::sync::Arc;
use std::thread;
use tokio::time::advance;

/// What a page of this browser is told that knows the news up to `since`.
async fn told(backup: &Arc<Backup>, since: u64) -> News {
    let (_switch, stop) = StopSignal::new();
    let request = NewsRequest {
        browser: ME,
        page: Id(1),
        since,
    };
    Arc::clone(backup).news(&request, stop).await
}

/// The browsers whose copies are told, each with its write.
fn writes(news: &News) -> Vec<(Id, u64)> {
    let copies = news.copies.iter();
    copies.map(|copy| (copy.browser, copy.write)).collect()
}

#[tokio::test(start_paused = true)]
async fn what_one_sash_writes_and_deletes_the_other_one_tells() {
    let place = Place::new();
    let (first, second) = (Arc::new(place.open()), Arc::new(place.open()));
    let since = second.list().unwrap().at;
    put(&first, OTHER, CHAT, &[(1, "Hello"), (2, "More")]);
    // It looks again after some time alone: no request reads anything before.
    assert_eq!(writes(&told(&second, since).await), []);
    advance(LIST_INTERVAL).await;
    let news = told(&second, since).await;
    assert_eq!(writes(&news), [(OTHER, 1)]);
    assert_eq!(news.copies[0].state, "state of 2");
    first.purge(&purge_request(OTHER, CHAT, &[2])).unwrap();
    advance(LIST_INTERVAL).await;
    let since = news.at;
    let news = told(&second, since).await;
    assert!(news.gone[&CHAT][&OTHER] > 0, "{news:?}");
    // Nothing new: it is not told twice.
    assert!(told(&second, news.at).await.gone.is_empty());
}

/// A program that synchronises the directory writes a file under its name, or puts an older one in its place.
#[test]
fn what_another_program_puts_into_the_directory_is_told() {
    let place = Place::new();
    let elsewhere = Place::new();
    let backup = place.open();
    let other = Backup::open(&BackupPlaces {
        state: place.places().state,
        ..elsewhere.places()
    });
    let other = other.map_err(|error| error.0).unwrap();
    put(&other, OTHER, CHAT, &[(1, "Hello")]);
    let since = backup.list().unwrap().at;
    assert_eq!(backup.list().unwrap().at, since);
    fs::create_dir_all(place.path(&format!("chats/{CHAT}"))).unwrap();
    fs::copy(elsewhere.copy(CHAT, OTHER), place.copy(CHAT, OTHER)).unwrap();
    assert_eq!(backup.list().unwrap().at, since + 1);
    assert_eq!(standing(&backup, CHAT, OTHER), Some(Standing::Sealed));
    put(&backup, OTHER, CHAT, &[(1, "Hello"), (2, "More")]);
    assert_eq!(backup.at(), since + 2);
    fs::copy(elsewhere.copy(CHAT, OTHER), place.copy(CHAT, OTHER)).unwrap();
    assert_eq!(backup.list().unwrap().at, since + 3);
    fs::remove_file(place.copy(CHAT, OTHER)).unwrap();
    assert_eq!(backup.list().unwrap().at, since + 4);
}

const ROUNDS: u64 = 30;

fn word(n: u64) -> String {
    format!("Word {n};")
}

fn secret(n: u64) -> String {
    format!("Secret {n};")
}

/// Hands over as many words, and all secrets.
fn hand_over(backup: &Backup, browser: Id, words: u64) -> Put {
    let words = (1..=words).map(|n| (n, word(n)));
    let secrets = (1..=ROUNDS).map(|n| (1000 + n, secret(n)));
    let texts: Vec<(u64, String)> = words.chain(secrets).collect();
    let texts: Vec<(u64, &str)> = texts.iter().map(|(n, text)| (*n, text.as_str())).collect();
    put(backup, browser, CHAT, &texts)
}

/// The second one was refused, or wrote over what the first one had just written.
#[test]
fn two_sashes_that_write_and_delete_at_once_lose_no_write() {
    let place = Place::new();
    let (first, second) = (place.open(), place.open());
    hand_over(&first, ME, 1);
    thread::scope(|scope| {
        for (backup, browser) in [(&first, ME), (&second, OTHER)] {
            scope.spawn(move || {
                for n in 1..=ROUNDS {
                    hand_over(backup, browser, n);
                }
            });
        }
        for (backup, browser, rest) in [(&second, ME, 0), (&first, OTHER, 1)] {
            scope.spawn(move || {
                for n in (1..=ROUNDS).filter(|n| n % 2 == rest) {
                    let request = purge_request(browser, CHAT, &[1000 + n]);
                    assert_eq!(backup.purge(&request).unwrap().unreached, [""; 0]);
                }
            });
        }
    });
    for (backup, browser) in [(&second, ME), (&first, OTHER)] {
        let copy = get(backup, CHAT, browser).unwrap();
        for n in 1..=ROUNDS {
            assert!(copy.contains(&word(n)), "{browser} {n}");
        }
        assert_eq!(standing(backup, CHAT, browser), Some(Standing::Sealed));
        // A late write of what was deleted.
        let written = hand_over(backup, browser, ROUNDS);
        assert_eq!(written.dropped.len() as u64, ROUNDS);
    }
    for n in 1..=ROUNDS {
        assert_eq!(place.having(&secret(n)), [] as [PathBuf; 0], "{n}");
    }
}

/// Windows locks no directory.
#[test]
fn on_each_system_one_sash_locks_a_directory_and_leaves_nothing_in_it() {
    for system in System::ALL {
        let (place, elsewhere) = (Place::new(), Place::new());
        let sashes = [place.open(), place.open(), elsewhere.open()];
        let before = fs::read_dir(place.root()).unwrap().count();
        let locks = sashes.each_ref();
        let locks = locks.map(|sash| sash.disk.open_lockable(system).unwrap());
        locks[0].try_lock().unwrap();
        assert!(locks[1].try_lock().is_err(), "{system:?}");
        locks[2].try_lock().unwrap();
        locks[0].unlock().unwrap();
        locks[1].try_lock().unwrap();
        assert_eq!(fs::read_dir(place.root()).unwrap().count(), before);
        for sash in &sashes {
            disk::remove(&sash.disk.lock_file()).unwrap();
        }
    }
}

/// Each start empties the directory of unfinished files.
#[test]
fn a_start_takes_nothing_from_a_sash_that_writes() {
    let place = Place::new();
    let backup = place.open();
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for n in 1..=100 {
                put(&backup, ME, Id(100 + n % 5), &[(n, "Hello")]);
            }
        });
        while !writer.is_finished() {
            place.open();
        }
        writer.join().unwrap();
    });
    assert_eq!(files_below(&place.path("tmp")), [] as [PathBuf; 0]);
    for chat in 0..5 {
        let copy = get(&backup, Id(100 + chat), ME).unwrap();
        assert_eq!(copy.matches("Hello").count(), 20);
    }
}
