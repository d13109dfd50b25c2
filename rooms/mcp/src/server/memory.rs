//! The chats of MCP clients, with their limits. Plain data: the time of each call is passed in.

use super::limits::ChatMemoryLimits;
use sash_chat::{Chat, Head, Id, Message, ModelId, Outcome, Policy, Role};
use std::collections::HashMap;
use std::sync::Arc;

/// How many exchanges (a question and its answer) go with each question. The system prompt is not one of them.
pub const EXCHANGES: u32 = 5;

/// A chat, and when it was used. All times are milliseconds since 1970.
#[derive(Clone, Debug)]
pub struct StoredChat {
    /// The messages, and in the head the model, the system prompt and the time of creation.
    pub chat: Arc<Chat>,
    /// When its last answer was complete.
    pub last_activity: u64,
    /// When its last question was asked, answered or not: its lifetime counts from here.
    used_at: u64,
    /// The number of that use among the uses of all chats: the order in which chats make room.
    used: u64,
}

impl StoredChat {
    /// The number of questions with an answer.
    #[must_use]
    pub fn exchanges(&self) -> usize {
        self.chat.len() / 2
    }
}

/// A question, its answer, and what the chat keeps of how it was asked.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The chat; one that is not stored begins with this exchange.
    pub chat: Id,
    /// When the question was asked.
    pub asked: u64,
    /// The question.
    pub question: String,
    /// The answer, without the thinking: that is neither kept nor sent again.
    pub answer: String,
    /// How the answer ended.
    pub outcome: Outcome,
    /// The model that answered.
    pub model: ModelId,
    /// The system prompt that went along.
    pub system: Option<String>,
}

/// The chats by id. When a limit is exceeded, the chats used longest ago are forgotten; a chat that is over the limit
/// alone loses its oldest exchanges.
#[derive(Debug, Default)]
pub struct ChatMemory {
    limits: ChatMemoryLimits,
    chats: HashMap<Id, StoredChat>,
    text_bytes: usize,
    uses: u64,
}

impl ChatMemory {
    /// An empty memory with these limits.
    #[must_use]
    pub fn new(limits: ChatMemoryLimits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// A chat, to look at.
    pub fn get(&mut self, id: Id, now: u64) -> Option<&StoredChat> {
        self.expire(now);
        self.chats.get(&id)
    }

    /// A chat in which a question is asked: its lifetime begins anew.
    pub fn begin(&mut self, id: Id, now: u64) -> Option<Arc<Chat>> {
        self.expire(now);
        self.uses += 1;
        let stored = self.chats.get_mut(&id)?;
        (stored.used_at, stored.used) = (now, self.uses);
        Some(Arc::clone(&stored.chat))
    }

    /// Adds an exchange, and makes room for it.
    pub fn append(&mut self, exchange: Exchange, now: u64) -> &StoredChat {
        self.expire(now);
        let id = exchange.chat;
        self.uses += 1;
        let stored = self.chats.entry(id).or_insert_with(|| StoredChat {
            chat: Arc::new(Chat::new(Head::new(id, exchange.asked))),
            last_activity: now,
            used_at: now,
            used: 0,
        });
        self.text_bytes -= text_bytes(&stored.chat);
        (stored.last_activity, stored.used_at, stored.used) = (now, now, self.uses);
        insert(Arc::make_mut(&mut stored.chat), exchange, now);
        self.text_bytes += text_bytes(&stored.chat);
        self.make_room(id);
        &self.chats[&id]
    }

    /// Forgets a chat, and returns it.
    pub fn remove(&mut self, id: Id, now: u64) -> Option<StoredChat> {
        self.expire(now);
        self.forget(id)
    }

    /// Forgets the chats whose last answer is at least `age` milliseconds old, except those that `is_busy` names. Returns
    /// their number.
    pub fn remove_inactive(&mut self, age: u64, now: u64, is_busy: impl Fn(Id) -> bool) -> usize {
        self.expire(now);
        let is_old = |stored: &StoredChat| now.saturating_sub(stored.last_activity) >= age;
        let old = self
            .chats
            .iter()
            .filter(|(id, stored)| is_old(stored) && !is_busy(**id));
        let old: Vec<Id> = old.map(|(id, _)| *id).collect();
        old.into_iter().filter_map(|id| self.forget(id)).count()
    }

    /// All chats, the one answered last first.
    pub fn list(&mut self, now: u64) -> Vec<&StoredChat> {
        self.expire(now);
        let mut all: Vec<_> = self.chats.values().collect();
        all.sort_by_key(|stored| std::cmp::Reverse((stored.last_activity, stored.used)));
        all
    }

    fn expire(&mut self, now: u64) {
        let lifetime = self.limits.lifetime;
        let is_over = |stored: &StoredChat| now.saturating_sub(stored.used_at) >= lifetime;
        let over = self.chats.iter().filter(|(_, stored)| is_over(stored));
        let over: Vec<Id> = over.map(|(id, _)| *id).collect();
        for id in over {
            self.forget(id);
        }
    }

    fn forget(&mut self, id: Id) -> Option<StoredChat> {
        let stored = self.chats.remove(&id)?;
        self.text_bytes -= text_bytes(&stored.chat);
        Some(stored)
    }

    /// Keeps the limits, and of the chat `id` at least its last exchange.
    fn make_room(&mut self, id: Id) {
        while self.chats.len() > self.limits.chats || self.text_bytes > self.limits.text_bytes {
            let others = self.chats.iter().filter(|(other, _)| **other != id);
            let oldest = others.min_by_key(|(_, stored)| stored.used);
            if let Some(oldest) = oldest.map(|(oldest, _)| *oldest) {
                self.forget(oldest);
                continue;
            }
            let Some(stored) = self.chats.get_mut(&id).filter(|s| s.chat.len() > 2) else {
                return;
            };
            self.text_bytes -= text_bytes(&stored.chat);
            stored.chat = Arc::new(without_oldest_exchange(&stored.chat));
            self.text_bytes += text_bytes(&stored.chat);
        }
    }
}

/// The bytes of text in a chat.
fn text_bytes(chat: &Chat) -> usize {
    let messages = chat.messages().map(|message| message.content.len());
    messages
        .chain(chat.head.systems.iter().map(String::len))
        .sum()
}

/// Sets what the head of a chat says of its next question: the window, the model, and the system prompt if one is given.
pub fn steer(head: &mut Head, model: ModelId, system: Option<&str>) {
    head.settings.policy = Policy::Exchanges(EXCHANGES);
    head.set_model(Some(model));
    if let Some(system) = system {
        // Without receipts no index refers to an older system prompt.
        head.systems.clear();
        head.set_system(system);
    }
}

fn insert(chat: &mut Chat, exchange: Exchange, now: u64) {
    let name = exchange.model.name.clone();
    steer(&mut chat.head, exchange.model, exchange.system.as_deref());
    let seq = chat.next_seq();
    let before = chat.newest().map(|message| message.id);
    let (question, answer) = (Id(seq.into()), Id(u64::from(seq) + 1));
    chat.insert(Message {
        content: exchange.question,
        ..Message::new(question, before, seq, Role::User, exchange.asked)
    });
    chat.insert(Message {
        content: exchange.answer,
        outcome: exchange.outcome,
        model: Some(name),
        ..Message::new(answer, Some(question), seq + 1, Role::Assistant, now)
    });
}

fn without_oldest_exchange(chat: &Chat) -> Chat {
    let mut rest = Chat::new(chat.head.clone());
    for message in chat.messages().skip(2) {
        rest.insert(message.clone());
    }
    rest
}

#[cfg(test)]
mod tests;
