//! Random histories of two and three browsers. They end with every word that anyone wrote and nobody deleted for good in the
//! directory and in every browser in step, and none that was deleted for good anywhere in the directory.

use super::house::{House, Machine, SOON_MS, backed_up, image};
use super::server::Snapshot;
use crate::record::CopyState;
use futures::future::ready;
use import::ImportState;
use reactive_graph::owner::Owner;
use reactive_graph::prelude::*;
use sash_chat::{Chat, Folder, Head, Id, Image, Message, Policy, Role};
use sash_harness::{Dice, under_owner};
use sash_log::{ImportManifest, Key, encode_record};
use sash_records::FIELDS;
use sash_records::backup::head_fields;
use sash_records::prompts::PromptLog;
use sash_records::queue::{QueueLog, QueuedPrompt};
use sash_stores::edges::PickedFile;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

/// How many things happen in a history.
const STEPS: usize = 70;

/// A browser, the owner of its page, and whether it is in step.
struct Browser {
    machine: Machine,
    house: House,
    page: Owner,
    in_step: bool,
}

impl Browser {
    fn open(machine: Machine, in_step: bool) -> Self {
        let page = Owner::new();
        let house = page.with(|| House::new(&machine));
        Self {
            machine,
            house,
            page,
            in_step,
        }
    }

    /// Kills the browser, and opens it again.
    fn reopen(&mut self) {
        self.machine.close_tab();
        self.page.cleanup();
        let machine = self.machine.another_tab();
        *self = Self::open(machine, self.in_step);
        self.house.engine.refresh();
    }
}

/// A file without images.
struct NoFile;

impl PickedFile for NoFile {
    fn name(&self) -> String {
        String::new()
    }
    fn size(&self) -> u64 {
        0
    }
    fn read_range(
        &self,
        _: Range<u64>,
    ) -> futures::future::LocalBoxFuture<'static, Option<Vec<u8>>> {
        Box::pin(ready(None))
    }
}

/// Who wrote and deleted what.
struct History {
    dice: Dice,
    browsers: Vec<Browser>,
    /// What is to be everywhere at the end.
    written: BTreeSet<String>,
    /// What is to be nowhere in the directory.
    purged: BTreeSet<String>,
    /// What was deleted in one browser alone, which is in step by now, or not.
    alone: BTreeSet<String>,
    /// What each prompt was changed to, and in which browser. Where two change one that do not hear of each other, the text that
    /// gives way stays with the one that wrote it.
    changed: BTreeMap<String, usize>,
    /// What stands in two chats, because an import brought what was in the trash.
    copied: BTreeSet<String>,
    words: u64,
    snapshot: Option<Snapshot>,
    /// Files to import, with the words in them.
    files: Vec<(String, String)>,
    /// What is stored on the device of a browser alone: queues.
    queued: Vec<(usize, Id, String)>,
    /// Whether what happens is told: a history that was chosen by `SASH_SEED`.
    is_told: bool,
}

impl History {
    fn word(&mut self) -> String {
        self.words += 1;
        format!("word{:04x}", self.words)
    }

    fn tell(&self, browser: usize, what: &str) {
        if self.is_told {
            let Browser {
                machine, in_step, ..
            } = &self.browsers[browser];
            let offline = machine.offline.get();
            eprintln!("{browser} in step {in_step} offline {offline}: {what}");
        }
    }

    /// Another id for each word.
    fn id(&self) -> Id {
        Id(0x5000 + self.words)
    }

    fn load(&self, browser: usize, chat: Id) -> Option<Chat> {
        let house = self.browsers[browser].house;
        house.storage.with_log(|log| log.load(chat)).flatten()
    }

    /// Writes a message. Returns whether it is stored: what waits for room is gone with a page that is killed.
    fn save(&self, browser: usize, chat: Id, message: &Message) -> bool {
        let house = self.browsers[browser].house;
        if self.load(browser, chat).is_none() {
            let head = Head::new(chat, 5);
            house.storage.write(|log| log.save_head(&head));
        }
        house.storage.write(|log| log.save_message(chat, message))
    }

    /// The end of a chat: the newest message, and the place of the next one.
    fn end(&self, browser: usize, chat: Id) -> (Option<Id>, u32) {
        let loaded = self.load(browser, chat);
        let newest = loaded.as_ref().and_then(|chat| chat.newest());
        let seq = loaded.as_ref().map_or(1, Chat::next_seq);
        (newest.map(|message| message.id), seq)
    }

    fn write(&mut self, browser: usize, chat: Id) {
        let word = self.word();
        let (parent, seq) = self.end(browser, chat);
        let images = match self.dice.roll(8) {
            0 => vec![self.image(browser)],
            _ => Vec::new(),
        };
        let message = Message {
            content: word.clone(),
            images,
            ..Message::new(self.id(), parent, seq, Role::User, 0)
        };
        self.tell(browser, &format!("writes {word} in {chat}"));
        if self.save(browser, chat, &message) {
            self.written.insert(word);
        }
    }

    fn image(&mut self, browser: usize) -> Image {
        let n = self.dice.roll(200) as u8;
        image(&self.browsers[browser].machine, n)
    }

    /// An answer that runs, or one that never ends.
    fn answer(&mut self, browser: usize, chat: Id) {
        let word = self.word();
        let (parent, seq) = self.end(browser, chat);
        let answer = Message {
            content: word.clone(),
            ..Message::new(self.id(), parent, seq, Role::Assistant, 0)
        };
        let house = self.browsers[browser].house;
        let begun = house
            .storage
            .with_log(|log| log.begin_tail(chat, &answer, None).is_ok());
        if begun != Some(true) {
            return;
        }
        self.tell(browser, &format!("begins the answer {word} in {chat}"));
        self.written.insert(word.clone());
        self.browsers[browser].machine.pass(30_000.0);
        // Somebody may have deleted it meanwhile.
        let is_there = house.storage.with_log(|log| log.has_tail(chat));
        if self.dice.roll(2) == 0 && is_there == Some(true) {
            let end = self.word();
            let whole = Message {
                content: format!("{word} {end}"),
                ..answer
            };
            house.storage.write(|log| log.save_message(chat, &whole));
            self.tell(browser, &format!("ends it with {end}"));
            self.written.insert(end);
        }
    }

    /// Writes another version of a message beside it.
    fn edit(&mut self, browser: usize, chat: Id) {
        let Some(loaded) = self.load(browser, chat) else {
            return;
        };
        let all: Vec<&Message> = loaded.tree.all_messages().collect();
        let Some(message) = all.get(self.dice.roll(all.len().max(1))) else {
            return;
        };
        let (parent, role) = (message.parent, message.role);
        let word = self.word();
        let version = Message {
            content: word.clone(),
            ..Message::new(self.id(), parent, loaded.next_seq(), role, 0)
        };
        self.tell(browser, &format!("writes {word} beside another in {chat}"));
        if self.save(browser, chat, &version) {
            self.written.insert(word);
        }
    }

    /// Imports a file, which another browser may have imported before.
    fn import(&mut self, browser: usize) {
        let known = self.dice.roll(self.files.len() + 1);
        if known == self.files.len() {
            let word = self.word();
            let chat = Id(0x9000 + self.words);
            let lines = crate::tests::written_lines(chat, self.id().0, &word);
            let file = format!("{{\"app\":\"sash\",\"schema\":1}}\n{lines}");
            self.files.push((file, word));
        }
        let (file, word) = self.files[known].clone();
        // An import brings back on purpose what was deleted for good.
        if self.purged.contains(&word) {
            return;
        }
        let Browser { machine, house, .. } = &self.browsers[browser];
        let parts = (
            Rc::new(NoFile) as Rc<dyn PickedFile>,
            vec![file],
            Vec::new(),
        );
        house.imports.read_parts(ready(Ok(parts)));
        machine.pass(1_000.0);
        house.imports.run();
        machine.pass(1_000.0);
        let is_done = matches!(house.imports.state.get_untracked(), ImportState::Done(_));
        house.imports.discard_file();
        // What this browser has in the trash comes in as a chat of its own, which no purge of the other one concerns.
        let copies = house.storage.with_log(|log| {
            let chats: Vec<Id> = log.chat_keys().keys().copied().collect();
            let loaded = chats.into_iter().filter_map(|chat| log.load(chat));
            let has_word = |chat: &Chat| {
                let mut all = chat.tree.all_messages();
                all.any(|message| message.content == word)
            };
            loaded.filter(has_word).count()
        });
        if copies > Some(1) {
            self.copied.insert(word.clone());
        }
        self.tell(
            browser,
            &format!("imports {word}: {is_done}, {copies:?} times"),
        );
        // What was deleted for good here, or perhaps everywhere, may stay so.
        if is_done && copies > Some(0) && !self.alone.contains(&word) {
            self.written.insert(word);
        }
    }

    /// Begins an import, which is taken back.
    fn stop_import(&mut self, browser: usize, chat: Id) {
        let word = self.word();
        let (_, seq) = self.end(browser, chat);
        let message = Message {
            content: word.clone(),
            ..Message::new(self.id(), None, seq, Role::User, 5)
        };
        let key = Key::Message(chat, seq, message.id);
        let manifest = ImportManifest {
            keys: vec![key.to_string()],
            ..ImportManifest::default()
        };
        let import = Id(0xf000 + self.words);
        let Browser { machine, house, .. } = &self.browsers[browser];
        let begun = house.storage.with_log(|log| {
            log.save_manifest(import, &manifest)?;
            log.add_imported(key, &encode_record(&message))
        });
        machine.pass(SOON_MS);
        if begun.is_some() {
            house
                .storage
                .with_log(|log| log.undo_import(import, &manifest));
            // As a page does that hears of it.
            house.chats.refresh_chat(chat);
        }
        self.tell(
            browser,
            &format!("takes an import of {word} into {chat} back"),
        );
        self.purged.insert(word);
    }

    /// Keeps a prompt, writes one anew, or deletes it: nobody wants the text that its writer saw then any more.
    fn change_prompt(&mut self, browser: usize) {
        let house = self.browsers[browser].house;
        let all = house.prompts();
        let word = self.word();
        match all.get(self.dice.roll(all.len() + 1)) {
            Some(prompt) if self.dice.roll(4) == 0 => {
                self.tell(
                    browser,
                    &format!("deletes the prompt {} {}", prompt.id, prompt.text),
                );
                self.written.remove(&prompt.text);
                house.delete_prompt(prompt.id);
            }
            prompt => {
                let id = prompt.map(|prompt| prompt.id);
                let id = house.keep_prompt(id, &format!("Prompt {word}"), &word);
                let before = prompt.map(|prompt| prompt.text.as_str());
                self.tell(
                    browser,
                    &format!("keeps the prompt {id} {word}, before {before:?}"),
                );
                if let Some(prompt) = prompt {
                    self.written.remove(&prompt.text);
                    self.changed.insert(word.clone(), browser);
                }
                // What waits for room is gone with a page that is killed.
                if self.browsers[browser].machine.disk.contains(&word) {
                    self.written.insert(word);
                }
            }
        }
    }

    /// Changes what a chat has besides its messages.
    fn change_field(&mut self, browser: usize, chat: Id) {
        let (field, n) = (self.dice.roll(5), self.dice.roll(5));
        let house = self.browsers[browser].house;
        house.storage.write(|log| {
            let mut head = log.head(chat).unwrap_or_else(|| Head::new(chat, 5));
            match field {
                0 => head.folder = Some(Id(1 + n as u64)),
                1 => head.settings.policy = Policy::Messages(n as u32),
                2 => head.archived = head.archived.is_none().then_some(7),
                3 => head.pinned = head.pinned.is_none().then_some(n as u64),
                _ => head.set_system(&format!("System prompt {n}")),
            }
            head.rev += 1;
            log.save_head(&head)
        });
        let folder = Folder {
            rev: n as u32,
            ..Folder::new(Id(1 + n as u64), "Folder", 1)
        };
        house.storage.write(|log| log.save_folder(&folder));
    }

    /// Moves a message to the trash, or takes it out.
    fn remove_or_restore(&mut self, browser: usize, chat: Id) {
        let Some(loaded) = self.load(browser, chat) else {
            return;
        };
        let all: Vec<Message> = loaded.tree.all_messages().cloned().collect();
        let restores = self.dice.roll(2) == 0;
        let Some(message) = all.get(self.dice.roll(all.len().max(1))) else {
            return;
        };
        let (house, id) = (self.browsers[browser].house, message.id);
        self.tell(
            browser,
            &format!("removes {} in {chat}: {}", message.content, !restores),
        );
        house.storage.with_log(|log| {
            match restores && log.can_restore_message(chat, id) {
                true => log.restore_message(chat, id),
                false if log.is_removed(chat, id) => {}
                // Without room it waits.
                false => log.remove_message(chat, message, 0).unwrap_or_default(),
            }
        });
    }

    /// Deletes a chat for good, or a message of it.
    fn purge(&mut self, browser: usize, chat: Id) {
        let Some(loaded) = self.load(browser, chat) else {
            return;
        };
        let is_whole = self.dice.roll(2) == 0;
        // In step it goes from the backup always; else the person says so, or not.
        let too = self.browsers[browser].in_step || self.dice.roll(2) == 0;
        let all = loaded.tree.all_messages();
        // What was deleted for good before is a place without a text.
        let mut gone: Vec<Message> = all.filter(|it| !it.content.is_empty()).cloned().collect();
        if !is_whole {
            gone.truncate(1);
        }
        if gone.is_empty() {
            return;
        }
        let ids: Vec<Id> = match is_whole {
            true => Vec::new(),
            false => gone.iter().map(|message| message.id).collect(),
        };
        let Browser { machine, house, .. } = &self.browsers[browser];
        house.purge(machine, chat, &ids, too);
        if is_whole {
            // Its queue goes, too, and may begin anew.
            self.queued
                .retain(|(of, queue, _)| (*of, *queue) != (browser, chat));
        }
        self.tell(
            browser,
            &format!("deletes {ids:?} of {chat} for good, too: {too}"),
        );
        // What waits for room is gone with a page that is killed, so the directory may never be told.
        let too = too && house.storage.with_log(|log| log.waiting()) == Some(0);
        if is_whole && !too {
            self.alone.insert(fields_of(chat));
        }
        let is_gone = |id: Id| {
            let found = house.storage.with_log(|log| log.find_message(chat, id));
            found.flatten().is_none_or(|it| it.content.is_empty())
        };
        for message in gone.iter().filter(|message| is_gone(message.id)) {
            for word in message.content.split(' ') {
                self.tell(browser, &format!("deleted {word}"));
                // What goes here alone may have been written nowhere else.
                self.written.remove(word);
                match too {
                    true => self.purged.insert(word.to_owned()),
                    false => self.alone.insert(word.to_owned()),
                };
            }
        }
    }

    /// Says something in a chat that is stored nowhere.
    fn temporary(&mut self, browser: usize) {
        let word = self.word();
        let Browser { machine, house, .. } = &self.browsers[browser];
        house.chats.begin_temporary();
        house.write_message(house.chat(), 0x5000 + self.words, &word, Vec::new());
        machine.pass(SOON_MS);
        house.chats.begin_chat();
        self.purged.insert(word);
    }

    /// Has a prompt wait in the queue of a chat, which is each browser's own.
    fn queue(&mut self, browser: usize, chat: Id) {
        let word = self.word();
        let house = self.browsers[browser].house;
        let (id, text) = (self.id(), word.clone());
        let queued = house.storage.write(|log| {
            log.change_queue(chat, 5, |prompts| {
                prompts.push(QueuedPrompt::new(id, text));
            })
        });
        self.purged.insert(word.clone());
        if queued {
            self.queued.push((browser, chat, word));
        }
    }

    /// Something happens to a browser or the server.
    fn disturb(&mut self, browser: usize) {
        let what = self.dice.roll(11);
        let n = self.dice.roll(40) as u64;
        let Browser { machine, house, .. } = &self.browsers[browser];
        self.tell(browser, &format!("disturbance {what} {n}"));
        match what {
            0 | 1 => machine.offline.set(!machine.offline.get()),
            2 => machine.sleep([0, 1, 60][n as usize % 3]),
            3 if self.browsers.len() < 3 => {
                let copy = machine.copied_browser();
                let in_step = self.browsers[browser].in_step;
                let copy = Browser::open(copy, in_step);
                copy.house.engine.refresh();
                self.browsers.push(copy);
            }
            4 => self.snapshot = Some(machine.server.snapshot()),
            5 => {
                if let Some(files) = self.snapshot.take() {
                    machine.server.restore(files);
                }
            }
            6 => machine.server.kill.set(Some(n)),
            7 => {
                let files = machine.server.files();
                let used: usize = files.files.borrow().values().map(|it| it.bytes.len()).sum();
                let is_full = files.room.get().is_some();
                files.room.set((!is_full).then_some(used as u64 + n * 10));
            }
            8 => {
                let room = n.is_multiple_of(2).then_some(n as usize * 100);
                machine.disk.leave_room(room);
                machine.percent.set(if room.is_some() { 99 } else { 10 });
                house.storage.write_waiting();
            }
            9 => self.browsers[browser].reopen(),
            _ => {
                let on = n.is_multiple_of(2);
                house.backup.set_in_step(on);
                self.browsers[browser].in_step = on;
            }
        }
    }

    fn step(&mut self) {
        let browser = self.dice.roll(self.browsers.len());
        let house = self.browsers[browser].house;
        let mine = house.storage.with_log(|log| {
            let chats = log.chat_keys().iter();
            let chats = chats.filter(|(_, keys)| keys.has_something());
            chats.map(|(id, _)| *id).collect::<Vec<Id>>()
        });
        let mine = mine.unwrap_or_default();
        let chat = mine.get(self.dice.roll(mine.len().max(1))).copied();
        match (self.dice.roll(28), chat) {
            (0, _) | (_, None) => {
                let chat = Id(0x1000 + self.words);
                self.write(browser, chat);
            }
            (1..=5, Some(chat)) => self.write(browser, chat),
            (6, Some(chat)) => {
                let title = self.word();
                self.tell(browser, &format!("renames {chat} {title}"));
                house.chats.rename(chat, &title);
            }
            (7, Some(chat)) => {
                self.tell(browser, &format!("moves {chat} to the trash"));
                house.chats.delete_chat(chat);
            }
            (8, Some(chat)) => {
                self.tell(browser, &format!("restores {chat}"));
                house.chats.restore_chat(chat);
            }
            (9, Some(chat)) => self.remove_or_restore(browser, chat),
            (10 | 11, Some(chat)) => self.purge(browser, chat),
            (12 | 13, Some(chat)) => self.edit(browser, chat),
            (14, Some(chat)) => self.change_field(browser, chat),
            (15, Some(chat)) => self.answer(browser, chat),
            (16, Some(chat)) => self.stop_import(browser, chat),
            (17, Some(chat)) => self.queue(browser, chat),
            (18, _) => self.import(browser),
            (19 | 20, _) => self.change_prompt(browser),
            (21, _) => self.temporary(browser),
            _ => self.disturb(browser),
        }
        let pause = [0.0, 500.0, 5_000.0, 30_000.0][self.dice.roll(4)];
        self.browsers[browser].machine.pass(pause);
    }

    /// Lets everybody come to an end.
    fn settle(&mut self) {
        for Browser { machine, house, .. } in &self.browsers {
            machine.offline.set(false);
            machine.disk.leave_room(None);
            machine.percent.set(10);
            machine.server.files().room.set(None);
            machine.server.kill.set(None);
            house.storage.write_waiting();
        }
        let machine = self.browsers[0].machine.clone();
        machine.pass(1_500_000.0);
        // As at the next start of each page: one that is not in step hears of no news.
        for browser in &self.browsers {
            browser.house.backup.try_again();
        }
        machine.pass(1_500_000.0);
    }
}

/// What the fields of a chat begin with among the contents of a browser.
fn fields_of(chat: Id) -> String {
    format!("fields of {chat}")
}

/// What one browser has: the fields of all chats, the texts in the trash included, and prompts.
fn contents(house: House) -> BTreeSet<String> {
    let contents = house.storage.with_log(|log| {
        let chats: Vec<Id> = log.chat_keys().keys().copied().collect();
        let mut all = BTreeSet::new();
        for chat in chats {
            let Some(loaded) = log.load(chat) else {
                continue;
            };
            let (deleted, fields) = (log.is_deleted(chat), head_fields(&loaded.head, FIELDS));
            let fields: Vec<_> = fields.iter().filter(|(name, _)| *name != "at").collect();
            let mut messages = loaded.tree.all_messages();
            // A chat is there from its first message on.
            if messages.any(|message| !message.content.is_empty()) {
                all.insert(format!("{} {fields:?} {deleted}", fields_of(chat)));
            }
            for message in loaded.tree.all_messages() {
                let removed = loaded.is_removed(message.id);
                if !message.content.is_empty() {
                    all.insert(format!("{chat} {} {removed}", message.content));
                }
            }
        }
        let prompts = log.list_prompts().into_iter();
        all.extend(prompts.map(|prompt| format!("{} {}", prompt.name, prompt.text)));
        all
    });
    contents.expect("a log")
}

fn random_history(seed: u64) {
    under_owner(|| {
        let here = Browser::open(Machine::default(), true);
        let there = Browser::open(here.machine.another_browser(), !seed.is_multiple_of(3));
        for browser in [&here, &there] {
            browser.house.backup.set_in_step(browser.in_step);
            backed_up(&browser.machine, browser.house);
        }
        let mut history = History {
            dice: Dice(seed),
            browsers: vec![here, there],
            written: BTreeSet::new(),
            purged: BTreeSet::new(),
            alone: BTreeSet::new(),
            changed: BTreeMap::new(),
            copied: BTreeSet::new(),
            words: 0,
            snapshot: None,
            files: Vec::new(),
            queued: Vec::new(),
            is_told: std::env::var_os("SASH_SEED").is_some(),
        };
        for _ in 0..STEPS {
            history.step();
        }
        history.settle();
        history.check(seed);
    });
}

impl History {
    fn check(&self, seed: u64) {
        let server = &self.browsers[0].machine.server;
        let in_step: Vec<&Browser> = self.browsers.iter().filter(|it| it.in_step).collect();
        let mut all: Vec<BTreeSet<String>> = in_step.iter().map(|it| contents(it.house)).collect();
        for contents in &mut all {
            contents.retain(|text| !self.alone.iter().any(|word| text.contains(word)));
        }
        for other in all.iter().skip(1) {
            let only_here: Vec<_> = all[0].difference(other).collect();
            let only_there: Vec<_> = other.difference(&all[0]).collect();
            assert!(
                only_here.is_empty() && only_there.is_empty(),
                "{seed}: {only_here:?} and {only_there:?}"
            );
        }
        for word in self.written.difference(&self.purged) {
            let place = || self.place_of(word);
            assert!(
                server.contains(word),
                "{seed}: {word} is not in the backup{}",
                place()
            );
            // What a browser deleted for itself alone another one may have imported since.
            let changed_by = self.changed.get(word).map(|by| &self.browsers[*by]);
            if self.alone.contains(word) || changed_by.is_some_and(|by| !by.in_step) {
                continue;
            }
            for contents in &all {
                let is_there = contents.iter().any(|text| text.contains(word));
                assert!(is_there, "{seed}: {word} is lost{}", place());
            }
        }
        for word in self.purged.difference(&self.copied) {
            let place = || self.place_of(word);
            assert!(
                !server.contains(word),
                "{seed}: {word} is in the backup{}",
                place()
            );
        }
        for browser in &self.browsers {
            let state = browser.house.state();
            assert!(state.has_everything(), "{seed}: {state:?}");
            assert_eq!(
                state.to_purge().len(),
                0,
                "{seed}: {}",
                self.place_of("word")
            );
        }
        for (browser, chat, word) in &self.queued {
            let Browser { machine, .. } = &self.browsers[*browser];
            let key = format!("sash:q:{chat}");
            let stays = machine.disk.keys_with(word).contains(&key);
            let is_gone = !machine.disk.has(&key);
            assert!(stays || is_gone, "{seed}: the queue of {chat} lost {word}");
        }
    }
}

impl History {
    /// Where a word is, and what each browser remembers of the chats that have it.
    fn place_of(&self, word: &str) -> String {
        let files = self.browsers[0].machine.server.files();
        let paths = files.having(word.as_bytes());
        let mut place = format!("\nin the directory: {paths:?}");
        let all = paths.iter().filter_map(|path| path.split('/').nth(1));
        let chats: BTreeSet<Id> = all.filter_map(|chat| chat.parse().ok()).collect();
        for (n, Browser { machine, house, .. }) in self.browsers.iter().enumerate() {
            let keys = machine.disk.keys_with(word);
            let states = house.storage.with_log(|log| {
                let mut chats = chats.clone();
                let keys = keys.iter().filter_map(|key| log.key(key));
                chats.extend(keys.filter_map(Key::chat));
                chats.insert(Id(0));
                let states = chats.into_iter();
                states
                    .map(|chat| (chat, log.is_deleted(chat), CopyState::read(log, chat)))
                    .collect::<Vec<_>>()
            });
            let (install, state) = (house.install(), house.state());
            place += &format!("\n{n} {install}: {keys:?}\n{states:?}\n{state:?}");
        }
        place
    }
}

#[test]
fn random_histories_end_with_every_word_that_nobody_deleted_and_no_other() {
    let count = match std::env::var("SASH_TESTS").as_deref() {
        Ok("all") => 1_000,
        _ => 10,
    };
    // One of them can be run alone.
    let only = std::env::var("SASH_SEED")
        .ok()
        .and_then(|it| it.parse().ok());
    for seed in only.map_or(1..=count, |seed| seed..=seed) {
        random_history(seed);
    }
}
