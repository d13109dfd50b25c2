//! A Sash that is killed while it writes, and one on a full disk.

use super::*;
use crate::form::parse;
use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Names the directory to the child.
const DIRECTORY: &str = "SASH_TEST_BACKUP";
/// What stands before the number of a write that was acknowledged.
const DONE: &str = "done ";
const CHATS: u64 = 3;

fn places(directory: &Path) -> BackupPlaces {
    BackupPlaces {
        directory: directory.join("backup"),
        state: Some(directory.join("state")),
    }
}

/// What the program of the tests is started with to run one of these.
fn this_program(name: &str) -> [String; 4] {
    let name = format!("server::tests::killed::{name}");
    ["--exact", name.as_str(), "--ignored", "--nocapture"].map(str::to_owned)
}

fn word(n: u64) -> String {
    format!("Word {n}; {}", "and more ".repeat(200))
}

/// Writes until it is killed: a chat after the other, each time one more message.
#[test]
#[ignore = "the program that another test starts and kills"]
fn a_sash_that_writes_until_it_is_killed() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let backup = Backup::open(&places(Path::new(&directory))).unwrap();
    let mut out = std::io::stdout();
    let copies = backup.list().unwrap().copies;
    let first: u64 = copies.iter().map(|copy| copy.messages).sum();
    for n in first + 1.. {
        let text = word(n);
        put(&backup, ME, Id(100 + n % CHATS), &[(n, &text)]);
        writeln!(out, "\n{DONE}{n}").unwrap();
        out.flush().unwrap();
    }
}

/// Writes more than there is room for.
#[test]
#[ignore = "the program that another test starts where there is room for short files alone"]
fn a_sash_that_has_no_room() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let backup = Backup::open(&places(Path::new(&directory))).unwrap();
    let long = "A long word. ".repeat(100_000);
    let written = backup.put(&request(ME, CHAT, &[(1, "Hello"), (2, &long)]));
    assert_eq!(written, Err(BackupProblem::Full.into()));
    put(&backup, ME, NEXT_CHAT, &[(1, "Short")]);
}

#[test]
fn a_full_disk_is_said_and_what_was_there_stays() {
    let place = Place::new();
    let backup = place.open();
    put(&backup, ME, CHAT, &[(1, "Hello")]);
    let before = fs::read(place.copy(CHAT, ME)).unwrap();
    // The system refuses to write on in a file, as on a full disk, unless the signal of that ends the program.
    let done = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$@\"", "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(this_program("a_sash_that_has_no_room"))
        .env(DIRECTORY, &place.0)
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    assert_eq!(fs::read(place.copy(CHAT, ME)).unwrap(), before);
    assert!(place.copy(NEXT_CHAT, ME).exists(), "{done:?}");
    assert_eq!(files_below(&place.path("tmp")), [] as [PathBuf; 0]);
}

/// The numbers of the words in a copy.
fn numbers_in(text: &str) -> BTreeSet<u64> {
    let words = text.split("Word ").skip(1);
    let numbers = words.filter_map(|word| word.split_once(';')?.0.parse().ok());
    numbers.collect()
}

#[test]
fn what_was_acknowledged_is_there_after_a_kill_and_no_file_is_torn() {
    let kills = match std::env::var_os("SASH_TESTS") {
        Some(all) if all == "all" => 100,
        _ => 10,
    };
    let place = Place::new();
    let mut last: u64 = 0;
    for _ in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(this_program("a_sash_that_writes_until_it_is_killed"))
            .env(DIRECTORY, &place.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut done = lines.filter_map(|line| line.ok()?.strip_prefix(DONE)?.parse().ok());
        last = done.next().unwrap();
        // Somewhere in one of the next writes.
        let chance = RandomState::new().hash_one(last) % 20_000;
        std::thread::sleep(Duration::from_micros(chance));
        child.kill().unwrap();
        child.wait().unwrap();
        last = done.last().unwrap_or(last);

        let began = Instant::now();
        let backup = place.open();
        assert!(began.elapsed() < Duration::from_secs(2));
        assert_eq!(files_below(&place.path("tmp")), [] as [PathBuf; 0]);
        let mut found = BTreeSet::new();
        for copy in backup.list().unwrap().copies {
            let (chat, browser) = (copy.chat, copy.browser);
            let text = get(&backup, chat, browser).unwrap();
            let read = parse(&text, CopyId { chat, browser }, &backup.keys.seal).unwrap();
            assert_eq!(read.standing, Standing::Sealed);
            found.extend(numbers_in(&text));
        }
        let missing: Vec<u64> = (1..=last).filter(|n| !found.contains(n)).collect();
        assert_eq!(missing, [0; 0], "of {last}");
    }
    assert!(last >= kills, "{last}");
}
