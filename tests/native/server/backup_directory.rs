//! The program itself with a backup on the disk: it is killed while browsers hand their chats over, and the directory is full of
//! what somebody put there who has no key.
#![cfg(target_os = "linux")]

use super::backup::Place;
use super::binary::{megabytes, sash, started, terminate};
use crate::common::client;
use backup::BackupKey;
use backup::call::{BackupList, CopyText, PurgeRequest, Purged, Put, PutRequest};
use backup::clock::Fields;
use backup::form::{CopyId, Standing, parse};
use futures::future::{join, join_all};
use sash_chat::{Head, Id, Message, Role};
use sash_form::lines;
use sash_log::{Key, encode_record};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::Write;
use std::mem;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::process::Child;

/// The program with a backup, as browsers with its key use it.
struct Keeper {
    child: Child,
    page: String,
    key: String,
    http: reqwest::Client,
    /// How many calls were answered.
    answered: Cell<u32>,
}

impl Keeper {
    async fn start(place: &Place) -> Self {
        let places = place.places();
        let (directory, state) = (places.directory, places.state.unwrap());
        let mut command = sash(&["--demo", "--listen", "127.0.0.1:0", "--log", "error"]);
        command.arg("--backup").arg(directory);
        command.env("STATE_DIRECTORY", &state);
        let (child, address) = started(&mut command).await;
        Self {
            child,
            page: address.split("/#").next().unwrap().to_owned(),
            key: key(&state, "backup-key"),
            http: client(),
            answered: Cell::new(0),
        }
    }

    async fn send(&self, name: &str, body: &impl Serialize) -> reqwest::Result<reqwest::Response> {
        let url = format!("{}/api/v1/{name}", self.page);
        let asked = self.http.post(url).header(BackupKey::HEADER, &self.key);
        let answer = asked.json(body).timeout(Duration::from_secs(60)).send();
        answer.await
    }

    /// The answer; `None` if the program ends before it is whole.
    async fn call<T: DeserializeOwned>(&self, name: &str, body: &impl Serialize) -> Option<T> {
        let answer = self.send(name, body).await.ok()?;
        assert_eq!(answer.status(), 200, "{name}");
        let answer = answer.json().await.ok()?;
        self.answered.set(self.answered.get() + 1);
        Some(answer)
    }

    async fn kill(mut self) {
        terminate(&self.child, "-KILL");
        self.child.wait().await.unwrap();
    }
}

/// A key of the state directory.
fn key(state: &Path, name: &str) -> String {
    let key = fs::read_to_string(state.join(name)).unwrap();
    key.trim_end().to_owned()
}

fn line(key: Key, value: &impl Serialize) -> String {
    lines::line(&key.to_string(), &encode_record(value)).unwrap()
}

/// A chat of which a browser has these messages, each the question of its own branch.
fn put_request(chat: Id, browser: Id, texts: &[(u64, String)]) -> PutRequest {
    let mut all = line(Key::Head(chat), &Head::new(chat, 0));
    for (n, content) in texts {
        let seq = u32::try_from(*n % 1_000_000).unwrap();
        let message = Message {
            content: content.clone(),
            ..Message::new(Id(*n), None, seq, Role::User, 0)
        };
        all += &line(Key::Message(chat, seq, message.id), &message);
    }
    PutRequest {
        chat,
        browser,
        write: 0,
        lines: all,
        state: "a state".to_owned(),
        title: "A title".to_owned(),
        running: Vec::new(),
        fields: Fields::new(),
    }
}

fn purge_request(chat: Id, browser: Id, message: u64) -> PurgeRequest {
    PurgeRequest {
        chat,
        browser,
        ids: vec![Id(message)],
        is_whole: false,
        is_last: true,
    }
}

/// All plain files below a directory, over no link.
fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(files_below(&entry.path()));
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    found
}

const BROWSERS: u64 = 3;
const CHATS: u64 = 4;
/// So many calls are answered before each kill, some of which delete.
const ENOUGH: u32 = 20;

/// What a browser sent, over all starts of the program: numbers of messages.
#[derive(Default)]
struct Sent {
    last: u64,
    written: BTreeSet<u64>,
    deleted: BTreeSet<u64>,
}

fn chat_of(n: u64) -> Id {
    Id(100 + n % CHATS)
}

/// The words of a message, which are in no other one.
fn words(browser: u64, n: u64) -> String {
    format!("Word {browser}-{n};")
}

/// Hands one message after the other over, and deletes some of them for good, until the program is killed.
async fn write_until_killed(keeper: &Keeper, browser: u64, mut sent: Sent) -> Sent {
    let id = |n: u64| browser * 1_000_000 + n;
    loop {
        sent.last += 1;
        let n = sent.last;
        let earlier = n.saturating_sub(5);
        if n.is_multiple_of(6) && sent.written.remove(&earlier) {
            // Until it is acknowledged, it may be there or not.
            let request = purge_request(chat_of(earlier), Id(browser), id(earlier));
            let purged: Option<Purged> = keeper.call("backup_purge", &request).await;
            let Some(purged) = purged else { return sent };
            assert_eq!(purged.unreached, [""; 0]);
            sent.deleted.insert(earlier);
        } else {
            let text = words(browser, n) + &" and more".repeat(300);
            let request = put_request(chat_of(n), Id(browser), &[(id(n), text)]);
            let put: Option<Put> = keeper.call("backup_put", &request).await;
            if put.is_none() {
                return sent;
            }
            sent.written.insert(n);
        }
    }
}

/// Looks at the directory of a program that was killed.
fn check_killed(place: &Place, seal: &BackupKey, all: &[Sent]) {
    let directory = place.places().directory;
    let mut copies = String::new();
    for path in files_below(&directory.join("chats")) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(browser) = name.strip_suffix(".jsonl") else {
            assert!(name.ends_with(".gone"), "{name}");
            continue;
        };
        let chat = path.parent().unwrap().file_name().unwrap();
        let chat = chat.to_str().unwrap().parse().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let of = CopyId::new(chat, browser.parse().unwrap());
        assert_eq!(parse(&text, of, seal).unwrap().standing, Standing::Sealed);
        copies += &text;
    }
    let found = words_in(copies.as_bytes());
    let everywhere = files_below(&directory).into_iter();
    let everywhere: BTreeSet<String> = everywhere
        .flat_map(|path| words_in(&fs::read(path).unwrap()))
        .collect();
    for (browser, sent) in (1..).zip(all) {
        for n in &sent.written {
            assert!(found.contains(&words(browser, *n)), "{browser}-{n}");
        }
        for n in &sent.deleted {
            assert!(!everywhere.contains(&words(browser, *n)), "{browser}-{n}");
        }
    }
}

/// All words of messages in a file.
fn words_in(bytes: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(bytes);
    let all = text.split("Word ").skip(1);
    all.filter_map(|rest| Some(format!("Word {};", rest.split_once(';')?.0)))
        .collect()
}

#[tokio::test]
async fn what_a_program_that_is_killed_acknowledged_is_there_and_no_file_is_torn() {
    let kills = match std::env::var_os("SASH_TESTS") {
        Some(all) if all == "all" => 100,
        _ => 3,
    };
    let place = Place::new("backup-killed");
    let mut all: Vec<Sent> = (0..BROWSERS).map(|_| Sent::default()).collect();
    for kill in 0..kills {
        let keeper = Keeper::start(&place).await;
        let writers = (1..).zip(&mut all);
        let writers = writers.map(|(n, sent)| write_until_killed(&keeper, n, mem::take(sent)));
        let killing = async {
            while keeper.answered.get() < ENOUGH {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            // Somewhere in one of the next writes.
            let chance = RandomState::new().hash_one(kill) % 20_000;
            tokio::time::sleep(Duration::from_micros(chance)).await;
            terminate(&keeper.child, "-KILL");
        };
        (all, ()) = join(join_all(writers), killing).await;
        keeper.kill().await;
        let seal = BackupKey(key(&place.places().state.unwrap(), "backup-seal"));
        check_killed(&place, &seal, &all);
    }
    let keeper = Keeper::start(&place).await;
    let unfinished = files_below(&place.places().directory.join("tmp"));
    assert_eq!(unfinished, [] as [PathBuf; 0]);
    let list: BackupList = keeper.call("backup_list", &json!({})).await.unwrap();
    assert!(
        list.copies
            .iter()
            .all(|copy| copy.standing == Standing::Sealed)
    );
    let written: usize = all.iter().map(|sent| sent.written.len()).sum();
    let deleted: usize = all.iter().map(|sent| sent.deleted.len()).sum();
    println!("{kills} kills: {written} messages written, {deleted} deleted for good");
    assert!(written >= kills && deleted > 0);
}

const ME: Id = Id(0xb1);
const CHAT: Id = Id(7);
/// The length of files that are longer than any that Sash writes.
const LONG: u64 = 100_000_000;
/// How much more memory the program may take for that directory, in MB.
const MOST_MEGABYTES: u64 = 300;

/// A file of 100 MB that begins like this, in one line.
fn write_long(path: &Path, beginning: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = File::create(path).unwrap();
    file.write_all(beginning.as_bytes()).unwrap();
    file.set_len(LONG).unwrap();
}

fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

/// Fills the directory with what only harms, and links to what is outside. Returns the file that grows.
fn fill(directory: &Path, outside: &Path) -> PathBuf {
    let chats = directory.join("chats");
    let copy = |chat: Id, browser: u64| chats.join(format!("{chat}/{}.jsonl", Id(browser)));
    let own = fs::read_to_string(chats.join(format!("{CHAT}/{ME}.jsonl"))).unwrap();
    let header = own.lines().next().unwrap().to_owned() + "\n";
    fs::create_dir_all(outside.join("chat")).unwrap();
    fs::write(
        outside.join("chat/secret.jsonl"),
        own.replace("Hello", "Outside"),
    )
    .unwrap();
    symlink(outside.join("chat/secret.jsonl"), copy(CHAT, 0xc1)).unwrap();
    symlink(outside.join("chat"), chats.join("000000000000000c")).unwrap();
    for name in ["kept", "images"] {
        fs::create_dir_all(directory.join(name)).unwrap();
    }
    symlink(outside.join("chat"), directory.join(format!("kept/{CHAT}"))).unwrap();
    let picture = format!("images/{}.png", "ab".repeat(32));
    symlink(outside.join("chat/secret.jsonl"), directory.join(picture)).unwrap();
    make_pipe(&copy(CHAT, 0xc2));
    make_pipe(&chats.join(format!("{CHAT}/{}.gone", Id(0xc2))));
    for name in [
        "..jsonl",
        "...",
        "%2e%2e%2fsecret.jsonl",
        "..\\..\\secret.jsonl",
        "a\nb.jsonl",
        "\u{1b}[2J.jsonl",
        &"x".repeat(255),
    ] {
        fs::write(chats.join(name), &own).unwrap();
        fs::write(chats.join(format!("{CHAT}")).join(name), &own).unwrap();
    }
    write_long(&copy(CHAT, 0xc3), &header);
    write_long(&copy(Id(8), 0xc3), "{\"app\":\"sash\",\"schema\":1,\"");
    write_long(&chats.join(format!("{CHAT}/{}.gone", Id(0xc3))), "");
    write_long(
        &directory.join(format!("shelf/{}.jsonl", Id(0xc3))),
        &header,
    );
    write_long(&directory.join("prompts-and-folders.jsonl"), &header);
    write_long(&chats.join(format!("{}.jsonl", Id(8))), "");
    write_long(
        &directory.join(format!("images/{}.png", "cd".repeat(32))),
        "",
    );
    // Nobody without the key deletes anything for good.
    let forged = format!("{{\"id\":\"{}\",\"seal\":\"{}\"}}\n", Id(1), "0".repeat(64));
    let forged = forged.clone() + "{\"chat\":true,\"seal\":\"\"}\n" + &forged.repeat(1_000);
    fs::write(chats.join(format!("{CHAT}/{}.gone", Id(0xc4))), forged).unwrap();
    let growing = copy(CHAT, 0xc5);
    fs::write(&growing, header).unwrap();
    growing
}

/// What is outside, to see that nothing of it was changed.
fn contents(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = files_below(directory).into_iter();
    let files = files.map(|path| (path.clone(), fs::read(path).unwrap()));
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

#[tokio::test]
async fn a_directory_full_of_what_only_harms_takes_bounded_memory_and_leads_nowhere() {
    let place = Place::new("backup-hostile");
    let directory = place.places().directory;
    let outside = directory.parent().unwrap().join("outside");
    let texts = [(1, "Hello".to_owned()), (2, "A secret".to_owned())];
    let keeper = Keeper::start(&place).await;
    let request = put_request(CHAT, ME, &texts);
    let _: Put = keeper.call("backup_put", &request).await.unwrap();
    keeper.kill().await;
    let growing = fill(&directory, &outside);
    let before = contents(&outside);
    static DONE: AtomicBool = AtomicBool::new(false);
    let mut file = File::options().append(true).open(growing).unwrap();
    let writer = std::thread::spawn(move || {
        while !DONE.load(Ordering::Relaxed) {
            file.write_all(&[b'x'; 20_000]).unwrap();
            std::thread::sleep(Duration::from_millis(5));
        }
    });

    // It starts, and each call is answered.
    let keeper = Keeper::start(&place).await;
    let at_first = megabytes(&keeper.child, "VmHWM");
    for _ in 0..2 {
        let list: BackupList = keeper.call("backup_list", &json!({})).await.unwrap();
        let named = list.others.len() + list.more_others;
        assert!(named > 10, "{:?}", list.others);
        for copy in &list.copies {
            let of = CopyId::new(copy.chat, copy.browser);
            let got = keeper.send("backup_get", &of).await.unwrap();
            assert!(!got.text().await.unwrap().contains("Outside"), "{of}");
        }
        let of = CopyId::new(CHAT, Id(0xc1));
        assert!(
            !keeper
                .send("backup_get", &of)
                .await
                .unwrap()
                .status()
                .is_success()
        );
        let request = put_request(CHAT, ME, &texts);
        let put: Put = keeper.call("backup_put", &request).await.unwrap();
        assert_eq!(put.dropped, []);
    }
    let own = CopyId::new(CHAT, ME);
    let many = (0..16).map(|_| keeper.call::<CopyText>("backup_get", &own));
    let many = join_all(many).await.into_iter().flatten();
    assert_eq!(many.filter(|copy| copy.text.contains("Hello")).count(), 16);
    let request = purge_request(CHAT, ME, 2);
    let purged: Purged = keeper.call("backup_purge", &request).await.unwrap();
    assert!(!purged.unreached.is_empty());
    let text: CopyText = keeper.call("backup_get", &own).await.unwrap();
    assert!(text.text.contains("Hello") && !text.text.contains("A secret"));
    for browser in [0xc1, 0xc2, 0xc3, 0xc4, 0xc5] {
        let request = json!({"browser": Id(browser)});
        keeper.send("backup_remove", &request).await.unwrap();
    }
    // Names that lead elsewhere are no ids.
    for name in ["../../outside/chat", "..", "7/../7", ""] {
        for call in ["get", "gone", "put", "purge", "remove"] {
            let request = json!({"chat": name, "browser": name, "ids": [name]});
            let answer = keeper.send(&format!("backup_{call}"), &request).await;
            assert!(answer.unwrap().status().is_client_error(), "{call} {name}");
        }
    }
    let most = megabytes(&keeper.child, "VmHWM");
    println!("{at_first} MB at the start, {most} MB at most");
    assert!(most < at_first + MOST_MEGABYTES, "{at_first} and {most} MB");
    keeper.kill().await;
    DONE.store(true, Ordering::Relaxed);
    writer.join().unwrap();
    assert_eq!(contents(&outside), before);
    // And once more on what all that left.
    Keeper::start(&place).await.kill().await;
}
