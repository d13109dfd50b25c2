//! Browsers in step with one folder.

use crate::folder::KEY;
use crate::house::{House, reactive};
use crate::machine::Machine;
use crate::prompts::{delete_prompt, keep_prompt, prompts};
use list::ChatList;
use reactive_graph::prelude::*;
use sash_calls::KEEPS_BACKUP;
use sash_chat::{Chat, Folder, Head, Id, Message, Role};
use sash_harness::{Dice, says};
use sash_log::Key;
use sash_records::backup::{former_values, head_fields};
use sash_records::prompts::PromptLog;
use sash_records::{FIELDS, KINDS};
use sash_state::{BackupPhase, use_former_value};
use sash_stores::DeletedId;
use std::collections::{BTreeMap, BTreeSet};

/// Longer than changes are collected, handed over and fetched.
pub const SOON_MS: f64 = 8_000.0;

/// A browser that is in step with the folder.
pub fn in_step(machine: &Machine, house: House) {
    machine.say(KEEPS_BACKUP, true);
    house.engine.refresh();
    machine.pass(100.0);
    house.rooms.backup.set_in_step(true);
    house.rooms.backup.set_key(KEY);
    machine.pass(SOON_MS);
    let phase = house
        .rooms
        .backup
        .state
        .with_untracked(|state| state.phase.clone());
    assert_eq!(phase, BackupPhase::Done);
}

pub fn two_browsers(test: impl FnOnce(&Machine, House, &Machine, House)) {
    reactive(|machine, house| {
        let there = machine.another_browser();
        let other = House::new(&there);
        in_step(machine, house);
        in_step(&there, other);
        test(machine, house, &there, other);
    });
}

/// A chat that begins with a question in one browser and is open in the other one, too.
pub fn shared_chat(machine: &Machine, house: House, other: House, question: &str) -> Id {
    house.exchange(machine, question, "Yes");
    machine.pass(SOON_MS);
    other.chats.open_chat(house.chat());
    house.chat()
}

fn head(house: House, chat: Id) -> sash_chat::Head {
    let head = house.storage.with_log(|log| log.head(chat));
    head.flatten().expect("a head")
}

#[test]
fn what_another_browser_writes_appears_and_a_hidden_page_asks_for_nothing() {
    two_browsers(|machine, house, there, other| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        machine.pass(SOON_MS);
        assert_eq!(other.titles(), ["Hi"]);
        other.chats.open_chat(chat);
        assert_eq!(other.texts(), ["Hi", "Hello"]);
        // Into the open chat, while a draft is being written.
        other.write("A draft");
        house.exchange(machine, "And?", "More");
        machine.pass(SOON_MS);
        assert_eq!(other.texts(), ["Hi", "Hello", "And?", "More"]);
        assert_eq!(other.drafts.draft.get_untracked(), "A draft");
        // Nothing goes back and forth.
        let (puts, asked) = (
            machine.folder.puts.get(),
            machine.folder.asked_for_news.get(),
        );
        machine.pass(60_000.0);
        assert_eq!(machine.folder.puts.get(), puts);
        // Each page asks again after some time, in case its connection is gone.
        assert!(machine.folder.asked_for_news.get() <= asked + 4);
        there.hidden.set(true);
        machine.pass(2_000.0);
        house.chats.rename(chat, "While it was hidden");
        machine.pass(SOON_MS);
        assert_eq!(other.titles(), ["Hi"]);
        there.hidden.set(false);
        machine.pass(SOON_MS);
        assert_eq!(other.titles(), ["While it was hidden"]);
    });
}

#[test]
fn of_a_hundred_messages_95_are_elsewhere_within_5_seconds() {
    two_browsers(|machine, house, _, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        let mut dice = Dice(7);
        let mut waits: Vec<u32> = (0..100)
            .map(|n| {
                machine.pass(dice.roll(4_000) as f64);
                let text = format!("Message {n}");
                let (id, seq) = (Id(70_000 + n), 10 + n as u32);
                let message = Message {
                    content: text.clone(),
                    ..Message::new(id, None, seq, Role::User, 0)
                };
                assert!(house.storage.write(|log| log.save_message(chat, &message)));
                let is_there = || {
                    let loaded = other.storage.with_log(|log| log.load(chat)).flatten();
                    loaded.is_some_and(|chat| chat.get(id).is_some())
                };
                let mut waited = 0;
                while !is_there() && waited < 60_000 {
                    machine.pass(250.0);
                    waited += 250;
                }
                waited
            })
            .collect();
        waits.sort_unstable();
        // By the page's own clock: what is collected, handed over, told and fetched, without the network.
        assert!(waits[94] <= 5_000, "{waits:?}");
    });
}

#[test]
fn a_running_answer_grows_elsewhere_and_is_whole_at_its_end() {
    two_browsers(|machine, house, _, other| {
        let answer = machine.stream_answer();
        assert!(house.answers.ask("A question".to_owned()));
        machine.pass(100.0);
        let chat = house.chat();
        answer
            .unbounded_send(sash_harness::text("One two"))
            .expect("a page");
        machine.pass(SOON_MS);
        assert_eq!(other.kept(chat), ["A question", "One two"]);
        for frame in says(&[" three"]) {
            answer.unbounded_send(frame).expect("a page");
        }
        machine.pass(SOON_MS);
        assert_eq!(other.kept(chat), ["A question", "One two three"]);
        assert_eq!(house.kept(chat), other.kept(chat));
    });
}

#[test]
fn fields_merge_one_by_one_and_the_value_that_gives_way_comes_back() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        there.offline.set(true);
        house.chats.rename(chat, "From here");
        ChatList::new(house.kernel).pin_chat(chat, true);
        other.chats.rename(chat, "From there");
        other.steering.set_system("Be brief.");
        machine.sleep(60);
        there.offline.set(false);
        machine.pass(600_000.0);
        for house in [house, other] {
            let head = head(house, chat);
            assert_eq!(head.title(), Some("From here"));
            assert_eq!(head.system_at(head.settings.system), Some("Be brief."));
            assert!(head.pinned.is_some());
            assert_eq!(former_values(&head.others).len(), 1);
        }
        let former = former_values(&head(other, chat).others).remove(0);
        assert_eq!(former.words(), "From there");
        use_former_value(other.steering, other.chats, &former, 1);
        machine.pass(SOON_MS);
        assert_eq!(head(house, chat).title(), Some("From there"));
        assert_eq!(
            former_values(&head(house, chat).others)[0].words(),
            "From here"
        );
    });
}

#[test]
fn receipts_keep_their_system_prompt_when_both_wrote_one() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        there.offline.set(true);
        house.steering.set_system("Be brief.");
        other.steering.set_system("Be kind.");
        house.exchange(machine, "Here", "Brief");
        let (_, kind) = other.exchange(there, "There", "Kind");
        machine.pass(SOON_MS);
        there.offline.set(false);
        machine.pass(600_000.0);
        for house in [house, other] {
            let head = head(house, chat);
            let answer = house.storage.with_log(|log| log.find_message(chat, kind));
            let answer = answer.flatten().expect("the answer");
            let system = answer.receipt.expect("a receipt").system;
            assert_eq!(head.system_at(system), Some("Be kind."));
        }
    });
}

#[test]
fn deleting_and_restoring_reach_the_others_and_a_chat_that_goes_on_stays() {
    two_browsers(|machine, house, there, other| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        machine.pass(SOON_MS);
        house.chats.delete_chat(chat);
        machine.pass(SOON_MS);
        assert!(other.titles().is_empty());
        other.chats.restore_chat(chat);
        machine.pass(SOON_MS);
        assert_eq!(
            (house.titles(), other.titles()),
            (vec!["Hi".to_owned()], vec!["Hi".to_owned()])
        );
        other.chats.open_chat(chat);
        there.offline.set(true);
        other.exchange(there, "Still here", "Yes");
        house.chats.delete_chat(chat);
        machine.pass(SOON_MS);
        there.offline.set(false);
        machine.pass(600_000.0);
        assert_eq!((house.titles().len(), other.titles().len()), (1, 1));
        assert_eq!(house.kept(chat).len(), 4);
    });
}

#[test]
fn what_is_deleted_for_good_goes_everywhere_and_words_that_nobody_deleted_stay() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "A secret");
        there.offline.set(true);
        other.exchange(there, "My own words", "Yes");
        purge(machine, house, chat, &[]);
        machine.pass(SOON_MS);
        let disk = |machine: &Machine, text: &str| machine.disk.contains(text);
        assert!(!disk(machine, "A secret") && disk(there, "A secret"));
        there.offline.set(false);
        machine.pass(600_000.0);
        for machine in [machine, there] {
            assert!(!disk(machine, "A secret") && disk(machine, "My own words"));
        }
        assert!(!machine.folder.contains("A secret"));
    });
}

#[test]
fn a_folder_of_an_earlier_day_brings_back_nothing_that_was_purged() {
    two_browsers(|machine, house, there, _| {
        house.exchange(machine, "A secret", "Yes");
        let first = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "Another secret", "Yes");
        let (second, asked) = (house.chat(), house.chats.path.get_untracked()[0]);
        machine.pass(SOON_MS);
        let earlier = machine.folder.snapshot();
        house.exchange(machine, "No secret", "Yes");
        purge(machine, house, first, &[]);
        purge(machine, house, second, &[asked]);
        machine.sleep(10);
        machine.folder.restore(earlier);
        machine.pass(600_000.0);
        for secret in ["A secret", "Another secret"] {
            assert!(!machine.folder.contains(secret), "{secret}");
            assert!(
                !machine.disk.contains(secret) && !there.disk.contains(secret),
                "{secret}"
            );
        }
        assert!(machine.folder.contains("No secret"));
    });
}

#[test]
fn a_chat_without_room_stays_in_the_folder_and_is_named() {
    two_browsers(|machine, house, there, other| {
        there.disk.leave_room(Some(2_000));
        house.exchange(machine, &"long ".repeat(2_000), "Yes");
        machine.pass(SOON_MS);
        let state = other.rooms.backup.state.get_untracked();
        assert_eq!(state.no_room.len(), 1);
        assert!(other.titles().is_empty());
        assert_eq!(state.phase, BackupPhase::Done);
        there.disk.leave_room(None);
        other.rooms.backup.try_again();
        machine.pass(SOON_MS);
        assert_eq!(other.titles().len(), 1);
        assert!(
            other
                .rooms
                .backup
                .state
                .with_untracked(|state| state.no_room.is_empty())
        );
    });
}

/// Deletes a chat, or messages of it, and empties the trash of them, as the page does.
pub fn purge(machine: &Machine, house: House, chat: Id, messages: &[Id]) {
    let all: Vec<DeletedId> = match messages {
        [] => vec![(chat, None)],
        some => some.iter().map(|message| (chat, Some(*message))).collect(),
    };
    house.storage.with_log(|log| match messages {
        [] => log.delete(chat, 0).expect("room"),
        some => some.iter().for_each(|id| {
            let message = log.find_message(chat, *id).expect("a message");
            log.remove_message(chat, &message, 0).expect("room");
        }),
    });
    any_spawner::Executor::spawn_local(async move {
        let all = house
            .rooms
            .backup
            .purge_deleted(all)
            .await
            .expect("a folder");
        house.library().purge(all).await;
    });
    machine.pass(100.0);
}

/// What one browser has: fields and texts of all chats, those in the trash included, and prompts.
fn contents(house: House) -> BTreeSet<String> {
    let contents = house.storage.with_log(|log| {
        let chats: Vec<Id> = log.chat_keys().keys().copied().collect();
        let mut all = BTreeSet::new();
        for chat in chats {
            let Some(loaded) = log.load(chat) else {
                continue;
            };
            let deleted = log.is_deleted(chat);
            let (fields, former) = (
                head_fields(&loaded.head, FIELDS),
                former_values(&loaded.head.others),
            );
            let former: BTreeSet<String> = former
                .iter()
                .map(|former| format!("{}={}", former.field, former.words()))
                .collect();
            all.insert(format!("{chat} {fields:?} {former:?} {deleted}"));
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

/// A random history: who wrote and purged what.
struct History {
    dice: Dice,
    browsers: Vec<(Machine, House)>,
    chats: Vec<Id>,
    written: BTreeSet<String>,
    purged: BTreeSet<String>,
    words: u64,
    /// The chats, and the prompts and folders, of the folder on an earlier day.
    snapshot: Option<BTreeMap<String, Vec<u8>>>,
    /// Files to import, with the words in them.
    files: Vec<(String, String)>,
    /// Words that stand in two chats.
    copied: BTreeSet<String>,
}

impl History {
    fn word(&mut self) -> String {
        self.words += 1;
        format!("word{:04}x", self.words)
    }

    fn write(&mut self, browser: usize, chat: Id) {
        let word = self.word();
        let (_, house) = self.browsers[browser].clone();
        let id = Id(50_000 + self.words);
        let newest = house.storage.with_log(|log| log.load(chat)).flatten();
        let parent = newest
            .as_ref()
            .and_then(|chat| chat.newest())
            .map(|message| message.id);
        let seq = newest.as_ref().map_or(1, sash_chat::Chat::next_seq);
        let message = Message {
            content: word.clone(),
            ..Message::new(id, parent, seq, Role::User, 0)
        };
        if newest.is_none() {
            let head = sash_chat::Head::new(chat, 5);
            assert!(house.storage.write(|log| log.save_head(&head)));
        }
        assert!(house.storage.write(|log| log.save_message(chat, &message)));
        self.written.insert(word);
    }

    /// Writes another version of a message beside it.
    fn edit(&mut self, browser: usize, chat: Id) {
        let (_, house) = self.browsers[browser].clone();
        let loaded = house.storage.with_log(|log| log.load(chat)).flatten();
        let Some(loaded) = loaded else { return };
        let all: Vec<&Message> = loaded.tree.all_messages().collect();
        let Some(message) = all.get(self.dice.roll(all.len().max(1))) else {
            return;
        };
        let word = self.word();
        let version = Message {
            content: word.clone(),
            ..Message::new(
                Id(50_000 + self.words),
                message.parent,
                loaded.next_seq(),
                message.role,
                0,
            )
        };
        assert!(house.storage.write(|log| log.save_message(chat, &version)));
        self.written.insert(word);
    }

    /// Imports a file, which another browser may have imported before.
    fn import(&mut self, browser: usize) {
        let (machine, house) = self.browsers[browser].clone();
        let known = self.dice.roll(self.files.len() + 1);
        if known == self.files.len() {
            let word = self.word();
            let mut chat = Chat::new(Head::new(Id(90_000 + self.words), 5));
            chat.insert(Message {
                content: word.clone(),
                ..Message::new(Id(50_000 + self.words), None, 1, Role::User, 5)
            });
            self.files
                .push((crate::imports::export(&[chat], &[]), word));
        }
        let (file, word) = self.files[known].clone();
        // An import brings back on purpose what was deleted for good.
        if self.purged.contains(&word) {
            return;
        }
        crate::imports::read(&machine, house, file);
        crate::imports::run(&machine, house);
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
        self.written.insert(word);
    }

    /// Keeps a prompt, writes one anew, or deletes it: nobody wants the text that its writer saw then any more.
    fn change_prompt(&mut self, browser: usize) {
        let (_, house) = self.browsers[browser].clone();
        let all = prompts(house);
        let word = self.word();
        match all.get(self.dice.roll(all.len() + 1)) {
            Some(prompt) if self.dice.roll(4) == 0 => {
                self.written.remove(&prompt.text);
                delete_prompt(house, prompt.id);
            }
            prompt => {
                let id = prompt.map(|prompt| prompt.id);
                keep_prompt(house, id, &format!("Prompt {word}"), &word);
                if let Some(prompt) = prompt {
                    self.written.remove(&prompt.text);
                }
                self.written.insert(word);
            }
        }
    }

    /// Changes what a chat has besides its messages.
    fn change_field(&mut self, browser: usize, chat: Id) {
        let (field, n) = (self.dice.roll(4), self.dice.roll(5));
        let (_, house) = self.browsers[browser].clone();
        let changed = house.storage.write(|log| {
            let mut head = log.head(chat).unwrap_or_else(|| Head::new(chat, 5));
            match field {
                0 => head.folder = Some(Id(1 + n as u64)),
                1 => head.settings.policy = sash_chat::Policy::Messages(n as u32),
                2 => head.archived = head.archived.is_none().then_some(7),
                _ => head.set_system(&format!("System prompt {n}")),
            }
            head.rev += 1;
            log.save_head(&head)
        });
        assert!(changed);
    }

    fn step(&mut self) {
        let browser = self.dice.roll(self.browsers.len());
        let (machine, house) = self.browsers[browser].clone();
        let mine: Vec<Id> = house
            .storage
            .with_log(|log| {
                let chats = log
                    .chat_keys()
                    .iter()
                    .filter(|(_, keys)| keys.has_something());
                chats.map(|(id, _)| *id).collect()
            })
            .unwrap_or_default();
        let chat = match mine.len() {
            0 => None,
            n => Some(mine[self.dice.roll(n)]),
        };
        let action = self.dice.roll(19);
        match (action, chat) {
            (0, _) | (_, None) => {
                let chat = Id(10_000 + self.words);
                self.chats.push(chat);
                self.write(browser, chat);
            }
            (1..=4, Some(chat)) => self.write(browser, chat),
            (5, Some(chat)) => {
                let word = self.word();
                house.chats.rename(chat, &word);
                // A title that its writer replaces is not lost: only what somebody else replaces is kept.
            }
            (6, Some(chat)) => ChatList::new(house.kernel).pin_chat(chat, self.dice.roll(2) == 0),
            (7, Some(chat)) => house.chats.delete_chat(chat),
            (8, Some(chat)) => _ = house.chats.restore_chat(chat),
            (9, Some(chat)) => {
                let loaded = house.storage.with_log(|log| log.load(chat)).flatten();
                let all: Vec<Message> = loaded
                    .iter()
                    .flat_map(|chat| chat.tree.all_messages().cloned())
                    .collect();
                if let Some(message) = all.get(self.dice.roll(all.len().max(1))) {
                    let (id, restores) = (message.id, self.dice.roll(2) == 0);
                    house.storage.with_log(|log| {
                        match restores && log.can_restore_message(chat, id) {
                            true => log.restore_message(chat, id),
                            false if log.is_removed(chat, id) => {}
                            false => log.remove_message(chat, message, 0).expect("room"),
                        }
                    });
                }
            }
            (10, Some(chat)) if !machine.offline.get() => {
                // A person sees what is in the trash before it is emptied.
                machine.pass(60_000.0);
                let loaded = house.storage.with_log(|log| log.load(chat)).flatten();
                let Some(loaded) = loaded else { return };
                let whole = self.dice.roll(2) == 0;
                let all: Vec<Message> = loaded.tree.all_messages().cloned().collect();
                // What was purged before is a place without a text.
                let with_text = all.iter().filter(|message| !message.content.is_empty());
                let gone: Vec<&Message> = match whole {
                    true => with_text.collect(),
                    false => with_text.take(1).collect(),
                };
                let ids: Vec<Id> = match whole {
                    true => Vec::new(),
                    false => gone.iter().map(|message| message.id).collect(),
                };
                if gone.is_empty() {
                    return;
                }
                let texts: Vec<String> =
                    gone.iter().map(|message| message.content.clone()).collect();
                purge(&machine, house, chat, &ids);
                // A chat that another browser went on with is out of the trash, and nothing of it is purged.
                let stays = house.storage.with_log(|log| !log.is_gone(chat));
                if !(whole && stays == Some(true)) {
                    self.purged.extend(texts);
                }
            }
            (13, Some(chat)) => self.edit(browser, chat),
            (18, Some(chat)) => self.change_field(browser, chat),
            (14, _) => self.import(browser),
            (15 | 16, _) => self.change_prompt(browser),
            (11, _) => machine.offline.set(!machine.offline.get()),
            (12, _) => {
                let days = [0, 1, 60][self.dice.roll(3)];
                machine.sleep(days);
            }
            _ => match self.dice.roll(3) {
                0 if self.browsers.len() < 3 => {
                    let copy = machine.copied_browser();
                    let house = House::new(&copy);
                    in_step_later(&copy, house);
                    self.browsers.push((copy, house));
                }
                1 => {
                    self.snapshot = Some(machine.folder.snapshot());
                }
                _ => {
                    if let Some(files) = self.snapshot.take() {
                        machine.folder.restore(files);
                    }
                }
            },
        }
        let pause = [0.0, 500.0, 5_000.0][self.dice.roll(3)];
        machine.pass(pause);
    }
}

/// A copy of a browser's storage has its key and its choice already.
fn in_step_later(machine: &Machine, house: House) {
    house.engine.refresh();
    machine.pass(100.0);
}

fn random_history(seed: u64) {
    reactive(|machine, house| {
        let there = machine.another_browser();
        let other = House::new(&there);
        in_step(machine, house);
        in_step(&there, other);
        let mut history = History {
            dice: Dice(seed),
            browsers: vec![(machine.clone(), house), (there, other)],
            chats: Vec::new(),
            written: BTreeSet::new(),
            purged: BTreeSet::new(),
            words: 0,
            snapshot: None,
            files: Vec::new(),
            copied: BTreeSet::new(),
        };
        for _ in 0..60 {
            history.step();
        }
        for (machine, _) in &history.browsers {
            machine.offline.set(false);
        }
        machine.pass(1_500_000.0);
        let all: Vec<BTreeSet<String>> = history
            .browsers
            .iter()
            .map(|(_, house)| contents(*house))
            .collect();
        for other in &all[1..] {
            let only_here: Vec<_> = all[0].difference(other).collect();
            let only_there: Vec<_> = other.difference(&all[0]).collect();
            assert!(
                only_here.is_empty() && only_there.is_empty(),
                "{seed}: {only_here:?} and {only_there:?}"
            );
        }
        for word in history.written.difference(&history.purged) {
            let is_there = all[0].iter().any(|text| text.contains(word));
            assert!(is_there, "{seed}: {word} is lost");
        }
        for word in history.purged.difference(&history.copied) {
            for (machine, _) in &history.browsers {
                let found = machine.disk.keys_with(word);
                assert!(found.is_empty(), "{seed}: {word} is back in {found:?}");
            }
            assert!(
                !machine.folder.contains(word),
                "{seed}: {word} is in the folder"
            );
        }
    });
}

#[test]
fn random_histories_end_equal_with_every_word_that_was_not_purged() {
    let count = match std::env::var("SASH_TESTS").as_deref() {
        Ok("all") => 100,
        _ => 10,
    };
    for seed in 1..=count {
        random_history(seed);
    }
}

#[test]
fn prompts_and_empty_folders_are_in_the_folder_and_in_every_browser() {
    two_browsers(|machine, house, there, other| {
        let texts = |house: House| {
            let all = prompts(house).into_iter();
            all.map(|prompt| prompt.text).collect::<Vec<_>>()
        };
        let id = keep_prompt(house, None, "Mail", "Write a mail");
        let folder = Folder::new(Id(4), "Empty", 1);
        assert!(house.storage.write(|log| log.save_folder(&folder)));
        machine.pass(SOON_MS);
        assert_eq!(texts(other), ["Write a mail"]);
        let folders = other.storage.with_log(|log| log.list_folders());
        assert_eq!(folders.expect("a log")[0].name, "Empty");
        // Nothing goes back and forth.
        let file = machine.folder.prompts_file();
        machine.pass(60_000.0);
        assert_eq!(machine.folder.prompts_file(), file);
        // Both write it anew while one is away.
        there.offline.set(true);
        keep_prompt(house, Some(id), "Mail", "Write a short mail");
        keep_prompt(other, Some(id), "Mail", "Write a long mail");
        machine.pass(SOON_MS);
        there.offline.set(false);
        machine.pass(600_000.0);
        let mut all = texts(house);
        assert_eq!(texts(other), all);
        all.sort();
        assert_eq!(all, ["Write a long mail", "Write a short mail"]);
        // A deleted one goes everywhere, and no text of it stays in the folder.
        delete_prompt(house, id);
        machine.pass(SOON_MS);
        assert_eq!(texts(other).len(), 1);
        let deleted = all.iter().find(|text| !texts(other).contains(text));
        let file = machine.folder.prompts_file().expect("a file");
        assert!(!file.contains(deleted.expect("one of them").as_str()));
    });
}

#[test]
fn a_merge_base_is_no_part_of_a_chat() {
    assert_eq!(
        Key::parse("sash:b:0000000000000001", KINDS).and_then(Key::chat),
        None
    );
}
