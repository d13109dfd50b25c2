//! Random histories: three browsers write, delete for good, lose what they have and go, while the program is killed and the
//! disk is full.

use super::*;
use crate::gone::parse_gone;
use std::collections::BTreeSet;

const CHATS: [Id; 3] = [Id(0x71), Id(0x72), Id(0x73)];

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len() as u64) as usize]
    }
}

/// A browser: what it has, and what it still has to tell.
#[derive(Default)]
struct Browser {
    chats: BTreeMap<Id, BTreeMap<Id, Message>>,
    writes: BTreeMap<Id, u64>,
    to_purge: Vec<PurgeRequest>,
    is_gone: bool,
}

struct History {
    dice: Dice,
    place: Place,
    browsers: BTreeMap<Id, Browser>,
    /// How many messages there are.
    count: u64,
    /// The text of each message that the directory has taken.
    taken: BTreeMap<Id, String>,
    /// The messages that a browser deleted for good, and those of them that the directory has removed.
    deleted: BTreeSet<Id>,
    removed: BTreeSet<Id>,
}

fn word(id: Id) -> String {
    format!("word{}.", id.0)
}

impl History {
    fn new(seed: u64) -> Self {
        let browsers = [A, B, Id(0xc)].map(|id| (id, Browser::default()));
        Self {
            dice: Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            place: Place::new(),
            browsers: browsers.into(),
            count: 0,
            taken: BTreeMap::new(),
            deleted: BTreeSet::new(),
            removed: BTreeSet::new(),
        }
    }

    fn browser(&mut self, id: Id) -> &mut Browser {
        self.browsers.get_mut(&id).unwrap()
    }

    fn step(&mut self) {
        self.place.pass();
        let there: Vec<Id> = {
            let browsers = self.browsers.iter();
            let there = browsers.filter(|(_, it)| !it.is_gone);
            there.map(|(id, _)| *id).collect()
        };
        let id = self.dice.one(&there);
        let chat = self.dice.one(&CHATS);
        self.break_something();
        match self.dice.roll(12) {
            0..=3 => {
                self.write(id, chat);
                self.put(id, chat);
            }
            4 => self.go_on(id, chat),
            5 => self.put(id, chat),
            6 => self.copy(id, chat),
            7 => self.delete(id, chat),
            8 => self.tell(id),
            9 => {
                // What the browser has of the chat is lost.
                self.browser(id).chats.remove(&chat);
                self.put(id, chat);
            }
            10 => _ = block_on(self.place.directory().list()),
            _ if there.len() > 1 && self.dice.roll(4) == 0 => self.leave(id),
            _ => {}
        }
        self.mend();
        self.check();
        if self.dice.roll(8) == 0 {
            self.check_files();
        }
    }

    /// The next operations are broken off, or fail, or find no room.
    fn break_something(&mut self) {
        let n = self.dice.roll(30) + 1;
        let files = &self.place.files;
        match self.dice.roll(8) {
            0 => files.stop_after(n),
            1 => files.fail(n, BackupProblem::Full),
            2 => files.fail(n, BackupProblem::Denied),
            3 => {
                let used: usize = files.files.borrow().values().map(|it| it.bytes.len()).sum();
                files.room.set(Some(used as u64 + n * 100));
            }
            _ => {}
        }
    }

    fn mend(&mut self) {
        if self.place.files.last.get().is_some() || self.dice.roll(10) == 0 {
            self.place = self.place.restarted();
        }
        self.place.files.failing.set(None);
        self.place.files.room.set(None);
    }

    /// A message that follows on the last one, some with an image.
    fn write(&mut self, id: Id, chat: Id) {
        self.count += 1;
        let message = Id(1000 + self.count);
        let seq = u32::try_from(self.count).unwrap();
        let images = match self.dice.roll(4) {
            0 => vec![image(self.dice.roll(5) as u8 + 1)],
            _ => Vec::new(),
        };
        let is_running = self.dice.roll(4) == 0;
        let messages = self.browser(id).chats.entry(chat).or_default();
        let parent = messages.keys().next_back().map_or(0, |id| id.0);
        let written = Message {
            images,
            outcome: match is_running {
                true => Outcome::Interrupted,
                false => Outcome::Complete,
            },
            ..super::message(message.0, parent, seq, &word(message))
        };
        messages.insert(message, written);
    }

    /// An answer that runs gets longer.
    fn go_on(&mut self, id: Id, chat: Id) {
        let is_last = self.dice.roll(2) == 0;
        let messages = self.browser(id).chats.entry(chat).or_default();
        let mut running = messages.values_mut();
        if let Some(message) = running.find(|it| it.outcome == Outcome::Interrupted) {
            message.content += " and more";
            if is_last {
                message.outcome = Outcome::Complete;
            }
        }
        self.put(id, chat);
    }

    fn request(&self, id: Id, chat: Id) -> PutRequest {
        let browser = &self.browsers[&id];
        let messages = browser.chats.get(&chat).into_iter().flatten();
        let messages: Vec<&Message> = messages.map(|(_, message)| message).collect();
        let head = line(Key::Head(chat), &Head::new(chat, 5));
        let lines = messages
            .iter()
            .map(|it| line(Key::Message(chat, it.seq, it.id), it));
        PutRequest {
            chat,
            browser: id,
            lines: head + &lines.collect::<String>(),
            write: browser.writes.get(&chat).copied().unwrap_or_default(),
            // A question gives a chat its title.
            title: messages
                .first()
                .map_or_else(String::new, |it| it.content.clone()),
            ..request(id, String::new())
        }
    }

    fn put(&mut self, id: Id, chat: Id) {
        let request = self.request(id, chat);
        let Ok(put) = block_on(self.place.directory().put(&request)) else {
            return;
        };
        let browser = self.browsers.get_mut(&id).unwrap();
        if put.write > 0 {
            let known = browser.writes.insert(chat, put.write);
            assert!(known.unwrap_or_default() <= put.write);
        }
        for (message, it) in browser.chats.get(&chat).into_iter().flatten() {
            if put.dropped.contains(message) {
                assert!(self.deleted.contains(message));
            } else {
                self.taken.insert(*message, it.content.clone());
            }
        }
        for hash in put.missing {
            let n = (1..=5).find(|n| super::hash(*n) == hash).unwrap();
            // A failure is made up for by the next write.
            _ = block_on(self.place.directory().put_image(&PutImageRequest {
                chat,
                browser: id,
                hash,
                data: encode_image(&png(n)),
            }));
        }
    }

    /// Takes over what another browser has of the chat.
    fn copy(&mut self, id: Id, chat: Id) {
        let others: Vec<Id> = self.browsers.keys().copied().collect();
        let browser = self.dice.one(&others);
        let of = CopyId { chat, browser };
        let gone = block_on(self.place.directory().gone(chat));
        let (Ok(got), Ok(gone)) = (block_on(self.place.directory().get(of)), gone) else {
            return;
        };
        assert_eq!(got.standing, Standing::Sealed);
        let to_purge = self.browsers[&id].to_purge.iter();
        let own: Vec<Id> = to_purge.flat_map(|it| it.ids.clone()).collect();
        for line in got.text.lines().filter(|line| line.contains("sash:m:")) {
            let lines::ExportLine::Record { data, .. } = lines::parse(line) else {
                panic!("{line}");
            };
            let message: Message = serde_json::from_str(data).unwrap();
            if !gone.gone.ids.contains(&message.id) && !own.contains(&message.id) {
                let messages = self.browser(id).chats.entry(chat).or_default();
                messages.entry(message.id).or_insert(message);
            }
        }
    }

    /// Deletes some messages for good, or the whole chat.
    fn delete(&mut self, id: Id, chat: Id) {
        let is_whole = self.dice.roll(3) == 0;
        let messages = self.browser(id).chats.remove(&chat).unwrap_or_default();
        let (mut ids, mut left) = (Vec::new(), BTreeMap::new());
        for (message, it) in messages {
            match is_whole || self.dice.roll(3) == 0 {
                true => ids.push(message),
                false => _ = left.insert(message, it),
            }
        }
        self.deleted.extend(&ids);
        let browser = self.browser(id);
        browser.chats.insert(chat, left);
        browser.to_purge.push(PurgeRequest {
            chat,
            browser: id,
            ids,
            is_whole,
            is_last: true,
        });
        self.tell(id);
    }

    /// Tells the directory what was deleted.
    fn tell(&mut self, id: Id) {
        let mut left = Vec::new();
        for request in std::mem::take(&mut self.browser(id).to_purge) {
            let purged = block_on(self.place.directory().purge(&request));
            match purged.is_ok_and(|purged| purged.unreached.is_empty()) {
                true => self.removed.extend(&request.ids),
                false => left.push(request),
            }
        }
        self.browser(id).to_purge = left;
    }

    /// A browser is not used any more, and its copies are removed as far as they are elsewhere.
    fn leave(&mut self, id: Id) {
        self.mend();
        self.tell(id);
        self.browser(id).is_gone = true;
        _ = block_on(self.place.directory().remove_browser(id));
    }

    /// What holds at any time.
    fn check(&self) {
        let there = self.texts("");
        let contents = self.texts("\"content\":\"");
        for (id, content) in &self.taken {
            let mut following = contents.range(content.clone()..);
            let is_there = following.next().is_some_and(|it| it.starts_with(content));
            assert!(is_there || self.deleted.contains(id), "{content} is lost");
        }
        for id in &self.removed {
            let found = there.iter().find(|it| it.starts_with(&word(*id)));
            assert_eq!(
                found,
                None,
                "{:?}",
                self.place.files.having(word(*id).as_bytes())
            );
        }
    }

    /// The texts of messages in all files that stand behind something.
    fn texts(&self, before: &str) -> BTreeSet<String> {
        let begin = format!("{before}word");
        let mut contents = BTreeSet::new();
        for file in self.place.files.files.borrow().values() {
            let text = String::from_utf8_lossy(&file.bytes);
            let found = text.match_indices(&begin);
            let found = found.map(|(at, _)| &text[at + before.len()..]);
            let found = found.filter_map(|rest| rest.split('"').next());
            contents.extend(found.map(str::to_owned));
        }
        contents
    }

    /// There is no torn file.
    fn check_files(&self) {
        for path in self.place.files.paths() {
            let text = self.place.files.text(&path).unwrap();
            let names: Vec<&str> = path.split('/').collect();
            match names[..] {
                ["chats" | "kept", chat, name] if name.ends_with(".jsonl") => {
                    let of = CopyId {
                        chat: chat.parse().unwrap(),
                        browser: name[..16].parse().unwrap(),
                    };
                    let copy = parse(&text, of, &self.place.key).unwrap();
                    assert_eq!(copy.standing, Standing::Sealed, "{path}");
                }
                ["chats", chat, name] => {
                    let of = CopyId {
                        chat: chat.parse().unwrap(),
                        browser: name[..16].parse().unwrap(),
                    };
                    let gone = parse_gone(&text, of, &self.place.key);
                    let lines = gone.ids.len() + usize::from(gone.chat);
                    assert_eq!(text.lines().count(), lines, "{path}");
                }
                ["images", _] => {}
                _ => panic!("{path}"),
            }
        }
    }

    /// Everybody tells what is still to be told, and hands over what he has.
    fn end(mut self) {
        self.place = self.place.restarted();
        let all: Vec<Id> = self.browsers.keys().copied().collect();
        for id in all.iter().copied().cycle().take(2 * all.len()) {
            self.place.pass();
            self.tell(id);
            assert!(self.browser(id).to_purge.is_empty());
            if self.browser(id).is_gone {
                block_on(self.place.directory().remove_browser(id)).unwrap();
            } else {
                CHATS.iter().for_each(|chat| self.put(id, *chat));
            }
        }
        let list = block_on(self.place.directory().list()).unwrap();
        assert_eq!((list.others, list.more_others), (Vec::new(), 0));
        assert_eq!(self.removed, self.deleted);
        self.check();
        self.check_files();
        for id in &self.deleted {
            let found = self.place.files.having(word(*id).as_bytes());
            assert_eq!(found, Vec::<String>::new(), "{}", word(*id));
        }
        self.check_images();
    }

    /// The images of whoever is there are there, and none that no file names.
    fn check_images(&self) {
        let there = self.browsers.values().filter(|it| !it.is_gone);
        let messages = there.flat_map(|it| it.chats.values().flatten());
        let left = messages.filter(|(id, _)| !self.deleted.contains(id));
        let shown: BTreeSet<ImageHash> = left
            .flat_map(|(_, message)| message.images.iter().map(|image| image.hash))
            .collect();
        let purge = PurgeRequest {
            chat: CHATS[0],
            browser: A,
            ids: Vec::new(),
            is_whole: false,
            is_last: true,
        };
        let purged = block_on(self.place.directory().purge(&purge)).unwrap();
        assert_eq!(purged, Purged::default());
        for n in 1..=5 {
            let has = self.place.has(&format!("img{}.", char::from(n)));
            let hash = super::hash(n);
            assert!(has || !shown.contains(&hash), "image {n} is lost");
            let is_named = self.place.has(&hash.to_string());
            assert!(is_named || !has, "image {n} is named nowhere");
        }
    }
}

#[test]
fn random_histories_end_with_every_word_that_was_not_deleted_and_none_that_was() {
    let count = match std::env::var_os("SASH_TESTS") {
        Some(all) if all == "all" => 1000,
        _ => 10,
    };
    for seed in 1..=count {
        println!("history {seed}");
        let mut history = History::new(seed);
        for _ in 0..120 {
            history.step();
        }
        history.end();
    }
}
