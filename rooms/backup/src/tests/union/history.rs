//! Random histories of two and three browsers that merge each other's copies in any order, twice, of earlier days, killed in
//! the middle and without room. They end with every word that anyone wrote and nobody deleted for good, once, in each of them.

use super::frail::{Copies, Dice, Found, FrailLog, change_head_of, messages, records, reopened};
use super::{NOW, browser};
use crate::clock::field_values;
use crate::form::SHELF;
use crate::record::CopyState;
use crate::union::apply_gone;
use sash_chat::{
    Folder, Head, Id, Image, ImageFormat, ImageHash, Message, ModelId, Outcome, Policy, Receipt,
    Role, Summary,
};
use sash_records::backup::HeadFields;
use sash_records::prompts::{PromptLog, SavedPrompt};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An answer that is running, and how it ends.
struct Running {
    chat: Id,
    whole: Message,
    pieces: u32,
}

struct Browser {
    log: FrailLog,
    running: Vec<Running>,
}

struct World {
    dice: Dice,
    copies: Copies,
    browsers: Vec<Browser>,
    /// Chats, messages and texts are numbered from one on.
    next: u64,
    chats: Vec<Id>,
    /// What anyone wrote.
    written: BTreeMap<(Id, Id), Found>,
    told: Vec<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let count = 2 + dice.roll(2) as u64;
        let browser = |n| Browser {
            log: browser(0xb0 + n),
            running: Vec::new(),
        };
        Self {
            dice,
            copies: Copies::default(),
            browsers: (1..=count).map(browser).collect(),
            next: 0,
            chats: Vec::new(),
            written: BTreeMap::new(),
            told: Vec::new(),
        }
    }

    fn next(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn tell(&mut self, what: impl Into<String>) {
        self.told.push(what.into());
    }

    /// The chats that a browser has and that are in the trash there, or not.
    fn chats_of(&self, who: usize, in_trash: bool) -> Vec<Id> {
        let keys = self.browsers[who].log.chat_keys().iter();
        let there = keys.filter(|(_, keys)| keys.has_something() && keys.deleted == in_trash);
        there.map(|(chat, _)| *chat).collect()
    }

    fn act(&mut self, who: usize) {
        match self.dice.roll(30) {
            0..=5 => self.ask(who),
            6 => self.begin(who),
            7 => self.end(who),
            8 => self.remove(who),
            9 => self.restore(who),
            10 => self.purge(who),
            11 => self.delete_chat(who),
            12 => self.restore_chat(who),
            13 => self.purge_chat(who),
            14..=16 => self.change_head(who),
            17 => self.pack(who),
            18 => self.change_shelf(who),
            19..=22 => self.put(who),
            _ => self.merge(who),
        }
    }

    /// A chat to write in, at times a new one.
    fn open_chat(&mut self, who: usize) -> Id {
        let known = self.chats_of(who, false);
        match self.dice.pick(&known).filter(|_| !self.dice.is(8)) {
            Some(chat) => chat,
            None => {
                let chat = Id(self.next());
                self.chats.push(chat);
                let log = &mut self.browsers[who].log;
                log.save_head(&Head::new(chat, NOW)).unwrap();
                chat
            }
        }
    }

    /// A new message with a text of its own, behind another one or at the beginning.
    fn message(&mut self, who: usize, chat: Id, parent: Option<Id>, role: Role) -> Message {
        let n = self.next();
        let log = &mut self.browsers[who].log;
        let loaded = log.load(chat).unwrap();
        let head = &loaded.head;
        let receipt = Receipt {
            system: head.settings.system,
            summary: head.settings.summary,
            ..Receipt::default()
        };
        let message = Message {
            content: format!("Text {n}. {}", "And more of it. ".repeat(n as usize % 7)),
            receipt: (role == Role::Assistant).then_some(receipt),
            ..Message::new(Id(n), parent, loaded.tree.next_seq(), role, n)
        };
        let is_answer = |_: &&str| role == Role::Assistant;
        let system = head.system_at(head.settings.system).filter(is_answer);
        let summary = head.summary_numbered(head.settings.summary);
        let summary = summary.map(|summary| summary.text.as_str());
        let found = Found {
            text: message.content.clone(),
            images: 0,
            in_trash: false,
            system: system.map(str::to_owned),
            summary: summary.filter(is_answer).map(str::to_owned),
        };
        self.written.insert((chat, message.id), found);
        message
    }

    fn save(&mut self, who: usize, chat: Id, message: &Message) {
        let log = &mut self.browsers[who].log;
        log.save_message(chat, message).unwrap();
    }

    /// A question and its answer, behind the last message or anywhere, at times with calls of tools between them.
    fn ask(&mut self, who: usize) {
        let chat = self.open_chat(who);
        let loaded = self.browsers[who].log.load(chat).unwrap();
        let all: Vec<Id> = loaded.messages().map(|message| message.id).collect();
        let parent = match self.dice.is(3) {
            true => self.dice.pick(&all),
            false => loaded.leaf(),
        };
        let mut question = self.message(who, chat, parent, Role::User);
        if self.dice.is(4) {
            question.images = vec![Image {
                hash: ImageHash([question.id.0 as u8; 32]),
                format: ImageFormat::Png,
                size: 9,
                width: 3,
                height: 2,
                preview: String::new(),
            }];
            self.written
                .entry((chat, question.id))
                .and_modify(|found| found.images = 1);
        }
        self.tell(format!("{who} asks {} in {chat}", question.id));
        self.save(who, chat, &question);
        let mut last = question.id;
        if self.dice.is(4) {
            let mut call = self.message(who, chat, Some(last), Role::Assistant);
            call.tool_calls = Some(json!([{"function": {"name": "add"}}]));
            self.save(who, chat, &call);
            let mut result = self.message(who, chat, Some(call.id), Role::Tool);
            result.tool_name = Some("add".to_owned());
            self.save(who, chat, &result);
            last = result.id;
        }
        let mut answer = self.message(who, chat, Some(last), Role::Assistant);
        if self.dice.is(5) {
            answer.outcome = Outcome::Interrupted;
        }
        self.save(who, chat, &answer);
    }

    fn begin(&mut self, who: usize) {
        let chat = self.open_chat(who);
        let leaf = self.browsers[who].log.load(chat).unwrap().leaf();
        let whole = self.message(who, chat, leaf, Role::Assistant);
        self.tell(format!("{who} begins {} in {chat}", whole.id));
        let begun = Message {
            content: String::new(),
            ..whole.clone()
        };
        let Browser { log, running } = &mut self.browsers[who];
        log.begin_tail(chat, &begun, None).unwrap();
        log.append_tail(chat, whole.id, 1, &whole.content[..4])
            .unwrap();
        running.push(Running {
            chat,
            whole,
            pieces: 1,
        });
    }

    /// Goes on with an answer, or ends it. One that was deleted for good is over.
    fn end(&mut self, who: usize) {
        let goes_on = self.dice.is(3);
        let Browser { log, running } = &mut self.browsers[who];
        let Some(mut answer) = running.pop() else {
            return;
        };
        let Running {
            chat,
            whole,
            pieces,
        } = &mut answer;
        if !log.has_tail(*chat) || log.find_message(*chat, whole.id).is_none() {
            return;
        }
        if goes_on && *pieces == 1 {
            log.append_tail(*chat, whole.id, 2, &whole.content[4..6])
                .unwrap();
            *pieces = 2;
            running.insert(0, answer);
            return;
        }
        let what = format!("{who} ends {} in {chat}", whole.id);
        log.save_message(*chat, whole).unwrap();
        self.tell(what);
    }

    /// A message that is not in the trash, nor running here.
    fn remove(&mut self, who: usize) {
        let chats = self.chats_of(who, false);
        let Some(chat) = self.dice.pick(&chats) else {
            return;
        };
        let Browser { log, running } = &mut self.browsers[who];
        let loaded = log.load(chat).unwrap();
        let is_running = |id| running.iter().any(|known| known.whole.id == id);
        let all = loaded.messages().map(|message| message.id);
        let all: Vec<Id> = all.filter(|id| !is_running(*id)).collect();
        if let Some(id) = self.dice.pick(&all) {
            let message = loaded.get(id).unwrap();
            log.remove_message(chat, message, NOW).unwrap();
            self.tell(format!("{who} removes {id} in {chat}"));
        }
    }

    /// A message of the trash, in any chat.
    fn in_trash(&mut self, who: usize) -> Option<(Id, Id)> {
        let chats = self.chats_of(who, false);
        let log = &mut self.browsers[who].log;
        let of = |chat| log.removed_messages(chat).0.into_iter();
        let all = chats.into_iter().flat_map(of);
        let all: Vec<(Id, Id)> = all.map(|found| (found.chat, found.message.id)).collect();
        self.dice.pick(&all)
    }

    fn restore(&mut self, who: usize) {
        if let Some((chat, id)) = self.in_trash(who) {
            self.browsers[who].log.restore_message(chat, id);
            self.tell(format!("{who} restores {id} in {chat}"));
        }
    }

    fn purge(&mut self, who: usize) {
        if let Some((chat, id)) = self.in_trash(who) {
            let log = &mut self.browsers[who].log;
            let mut state = CopyState::read(log, chat);
            state.to_purge.push(id);
            state.save(log, chat).unwrap();
            log.purge_messages(chat, &[id], NOW).unwrap();
            self.tell(format!("{who} purges {id} in {chat}"));
        }
    }

    fn delete_chat(&mut self, who: usize) {
        let chats = self.chats_of(who, false);
        if let Some(chat) = self.dice.pick(&chats) {
            self.browsers[who].log.delete(chat, NOW).unwrap();
            self.tell(format!("{who} deletes {chat}"));
        }
    }

    fn restore_chat(&mut self, who: usize) {
        let chats = self.chats_of(who, true);
        if let Some(chat) = self.dice.pick(&chats) {
            self.browsers[who].log.restore(chat);
            self.tell(format!("{who} restores {chat}"));
        }
    }

    fn purge_chat(&mut self, who: usize) {
        let chats = self.chats_of(who, true);
        let Some(chat) = self.dice.pick(&chats) else {
            return;
        };
        let Browser { log, running } = &mut self.browsers[who];
        running.retain(|answer| answer.chat != chat);
        let mut state = CopyState::read(log, chat);
        let ids: Vec<Id> = messages(log, chat).into_keys().collect();
        let what = format!("{who} purges {chat} with {ids:?}");
        state.to_purge.extend(ids);
        state.purges_chat = true;
        state.save(log, chat).unwrap();
        log.purge(chat, NOW);
        self.tell(what);
    }

    fn change_head(&mut self, who: usize) {
        let chats = self.chats_of(who, false);
        let Some(chat) = self.dice.pick(&chats) else {
            return;
        };
        let n = self.next();
        let what = self.dice.roll(9);
        let on = self.dice.is(2);
        let log = &mut self.browsers[who].log;
        let ids: Vec<Id> = messages(log, chat).into_keys().collect();
        let message = self.dice.pick(&ids);
        if log.head(chat).is_none() {
            return;
        }
        change_head_of(log, chat, |head| match (what, message) {
            (0, _) => head.title = on.then(|| format!("Title {n}")),
            (1, _) => head.set_model(on.then(|| ModelId::new(Some("box"), &format!("model {n}")))),
            (2, _) => head.set_system(&if on {
                format!("System {n}")
            } else {
                String::new()
            }),
            (3, _) => head.settings.policy = Policy::Messages(n as u32),
            (4, _) => {
                head.settings
                    .parameters
                    .insert("top_k".to_owned(), n.into());
            }
            (5, _) => head.archived = on.then_some(n),
            (6, Some(id)) => head.pin(id, on),
            (7, Some(id)) => head.mute(id, on),
            (8, Some(id)) => head.add_summary(Summary {
                number: 0,
                text: format!("Summary {n}"),
                from: id,
                through: id,
                count: 1,
                model: None,
                prompt_tokens: None,
                answer_tokens: None,
                created: n,
                edited: false,
                cut_off: false,
            }),
            _ => {}
        });
        self.tell(format!("{who} changes {what} of {chat}"));
    }

    fn pack(&mut self, who: usize) {
        let chats = self.chats_of(who, false);
        if let Some(chat) = self.dice.pick(&chats) {
            // A chat in which an answer is running stays as it is.
            let packed = self.browsers[who].log.pack(chat).is_ok();
            self.tell(format!("{who} packs {chat}: {packed}"));
        }
    }

    fn change_shelf(&mut self, who: usize) {
        let n = self.next();
        let (what, id) = (self.dice.roll(5), Id(1 + self.dice.roll(3) as u64));
        let log = &mut self.browsers[who].log;
        let deleted = (what == 0).then_some(n);
        if what < 3 {
            let former = log.saved_prompt(id);
            let rev = former.map_or(0, |former| former.rev + 1);
            let prompt = SavedPrompt::new(id, &format!("Prompt {n}"), &format!("Words {n}"));
            let prompt = SavedPrompt {
                deleted,
                rev,
                ..prompt
            };
            log.save_prompt(&prompt).unwrap();
        } else {
            let former = log.folder(id);
            let rev = former.map_or(0, |former| former.rev + 1);
            let mut folder = Folder::new(id, &format!("Folder {n}"), n as i64);
            folder.system = (what == 4).then(|| format!("For all {n}"));
            log.save_folder(&Folder { rev, ..folder }).unwrap();
        }
    }

    fn put(&mut self, who: usize) {
        let all: Vec<Id> = self.chats.iter().copied().chain([SHELF]).collect();
        let chat = self.dice.pick(&all).unwrap();
        self.tell(format!("{who} hands {chat} over"));
        self.copies.put(&mut self.browsers[who].log, chat);
    }

    /// Merges a copy of another browser: the last one or an earlier one, once or twice, at times killed or without room.
    fn merge(&mut self, who: usize) {
        let own = self.browsers[who].log.install().unwrap();
        let others: Vec<_> = self.copies.all.keys().copied().collect();
        let others: Vec<_> = others.into_iter().filter(|of| of.browser != own).collect();
        let Some(of) = self.dice.pick(&others) else {
            return;
        };
        let all = &self.copies.all[&of];
        let at = match self.dice.is(4) {
            true => self.dice.roll(all.len()),
            false => all.len() - 1,
        };
        let copy = all[at].clone();
        let gone = self.copies.gone_of(of.chat);
        let (way, n) = (self.dice.roll(8), self.dice.roll(20));
        self.told
            .push(format!("{who} merges {of} {at}, way {way} {n}"));
        let log = &mut self.browsers[who].log;
        if !n.is_multiple_of(3) {
            apply_gone(log, of.chat, &gone, NOW, &mut Vec::new()).unwrap();
        }
        match way {
            0 => {
                log.store().left.set(Some(n));
                self.copies.merge(log, &copy).unwrap();
                *log = reopened(log);
            }
            1 => {
                log.store().takes.set(Some(n));
                // It has room if it needs fewer.
                self.copies.merge(log, &copy).ok();
                log.store().takes.set(None);
            }
            2 => _ = self.copies.merge(log, &copy.abandoned()).unwrap(),
            3 => {
                self.copies.merge(log, &copy).unwrap();
                self.copies.merge(log, &copy).unwrap();
            }
            _ => _ = self.copies.merge(log, &copy).unwrap(),
        }
        assert_eq!(log.waiting(), 0);
    }

    /// Ends all answers, and has all browsers follow each other until they come to rest.
    fn come_to_rest(&mut self) {
        for who in 0..self.browsers.len() {
            while !self.browsers[who].running.is_empty() {
                self.end(who);
            }
        }
        let all: Vec<Id> = self.chats.iter().copied().chain([SHELF]).collect();
        let mut logs: Vec<&mut FrailLog> = self.browsers.iter_mut().map(|it| &mut it.log).collect();
        self.copies.follow_all(&mut logs, &all);
    }

    fn check(&mut self) {
        let is_gone = |chat: Id, id: Id| self.copies.gone_of(chat).ids.contains(&id);
        let mut expected: BTreeMap<Id, BTreeMap<Id, Found>> = BTreeMap::new();
        for ((chat, id), found) in &self.written {
            if !is_gone(*chat, *id) {
                let there = expected.entry(*chat).or_default();
                there.insert(*id, found.clone());
            }
        }
        let mut all_fields: Vec<BTreeMap<Id, HeadFields>> = Vec::new();
        for (who, browser) in self.browsers.iter_mut().enumerate() {
            let log = &mut browser.log;
            let mut shelf = field_values(log, SHELF).unwrap();
            // Of what was deleted before it came there is nothing.
            shelf.retain(|_, value| value.get("deleted").is_none());
            let mut fields = BTreeMap::from([(SHELF, shelf)]);
            for chat in &self.chats {
                let mut found = messages(log, *chat);
                found.values_mut().for_each(|found| found.in_trash = false);
                let expected = expected.get(chat).cloned().unwrap_or_default();
                let other = |(id, there): &(&Id, &Found)| found.get(*id) != Some(*there);
                let lacks: Vec<_> = expected.iter().filter(other).collect();
                let more: Vec<_> = found
                    .keys()
                    .filter(|id| !expected.contains_key(*id))
                    .collect();
                assert!(
                    lacks.is_empty() && more.is_empty(),
                    "chat {chat} of {who}: {lacks:?} {more:?}"
                );
                if !expected.is_empty() {
                    fields.insert(*chat, field_values(log, *chat).unwrap());
                }
            }
            all_fields.push(fields);
        }
        for (who, of_all) in all_fields.iter().enumerate() {
            for (chat, fields) in of_all {
                let first = &all_fields[0][chat];
                let names = first.keys().chain(fields.keys());
                let mut names = names.filter(|name| first.get(*name) != fields.get(*name));
                let other = names
                    .next()
                    .map(|name| (name, first.get(name), fields.get(name)));
                assert_eq!(other, None, "chat {chat} of {who}");
            }
        }
    }

    /// Reading anything again changes nothing: the last copies nothing at all, those of earlier days no message.
    fn read_all_again(&mut self) {
        for Browser { log, .. } in &mut self.browsers {
            let own = log.install().unwrap();
            let before = records(log);
            for (of, all) in self.copies.all.iter().filter(|(of, _)| of.browser != own) {
                self.copies.merge(log, all.last().unwrap()).unwrap();
                assert_eq!(records(log), before, "{of}");
            }
            let ids = |log: &mut FrailLog, chats: &[Id]| -> Vec<BTreeSet<Id>> {
                let of = chats.iter().map(|chat| messages(log, *chat));
                of.map(|found| found.into_keys().collect()).collect()
            };
            let before = ids(log, &self.chats);
            for (of, all) in self.copies.all.iter().filter(|(of, _)| of.browser != own) {
                for copy in all {
                    self.copies.merge(log, copy).unwrap();
                }
                assert_eq!(ids(log, &self.chats), before, "{of}");
            }
        }
    }
}

/// Plays a history. Returns how many messages were written, and how many of them were deleted for good. An error says what
/// happened.
fn play(seed: u64) -> Result<(usize, usize), String> {
    let mut world = World::new(seed);
    let steps = 60 + world.dice.roll(200);
    let played = catch_unwind(AssertUnwindSafe(|| {
        for _ in 0..steps {
            let who = world.dice.roll(world.browsers.len());
            world.act(who);
        }
        world.come_to_rest();
        world.check();
        world.read_all_again();
    }));
    if let Err(why) = played {
        let why = why.downcast_ref::<String>();
        let told = world.told.join("; ");
        return Err(format!("history {seed}: {why:?}; {told}"));
    }
    let gone = world.copies.gone.values().map(|gone| gone.ids.len()).sum();
    Ok((world.written.len(), gone))
}

/// All of them with `SASH_TESTS=all`.
#[test]
fn random_histories_end_with_every_word_once_in_each_browser_and_none_that_was_deleted_for_good() {
    let is_all = std::env::var_os("SASH_TESTS").is_some_and(|all| all == "all");
    let count = if is_all { 1_000 } else { 10 };
    let (mut written, mut gone, mut failed) = (0, 0, Vec::new());
    for seed in 0..count {
        match play(seed) {
            Ok(played) => (written, gone) = (written + played.0, gone + played.1),
            Err(why) => failed.push(why),
        }
    }
    assert!(failed.is_empty(), "{} fail: {failed:#?}", failed.len());
    // Enough happens in them.
    let count = usize::try_from(count).unwrap();
    assert!(
        written > 60 * count && gone > 10 * count,
        "{written} {gone}"
    );
}
