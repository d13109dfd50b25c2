//! The chats of MCP clients, with their limits. Plain data: the time of each call is passed in.

use sash_chat::{Chat, Head, Id, Message, ModelId, Outcome, Policy, Role};
use std::sync::Arc;
use tokio::sync::Mutex;

/// The limits of the chats that the server keeps for MCP clients.
#[derive(Clone, Copy, Debug)]
pub struct ChatMemoryLimits {
    /// Chats at once.
    pub chats: usize,
    /// Bytes of text of all chats: questions, answers and system prompts.
    pub text_bytes: usize,
    /// Milliseconds after its last use in which a chat is forgotten.
    pub lifetime: u64,
}

impl Default for ChatMemoryLimits {
    fn default() -> Self {
        Self {
            chats: 1000,
            text_bytes: 64 * 1024 * 1024,
            lifetime: 24 * 60 * 60 * 1000,
        }
    }
}

/// A chat, and when it was used. All times are milliseconds since 1970.
#[derive(Clone, Debug)]
pub struct StoredChat {
    /// The messages, and in the head the model, the system prompt and the time of creation.
    pub chat: Arc<Chat>,
    /// When its last answer was complete.
    pub last_activity: u64,
    /// Locked while a question to it is answered: each needs the answer before it.
    pub turn: Arc<Mutex<()>>,
    /// When its last question was asked, answered or not: its lifetime counts from here.
    used_at: u64,
}

impl StoredChat {
    /// The number of questions with an answer.
    #[must_use]
    pub fn exchanges(&self) -> usize {
        self.chat.len() / 2
    }

    fn id(&self) -> Id {
        self.chat.head.id
    }

    fn text_bytes(&self) -> usize {
        let messages = self.chat.messages().map(|message| message.content.len());
        let systems = self.chat.head.systems.iter().map(String::len);
        messages.chain(systems).sum()
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
    /// The turn that the question has in its chat; none in a new one. A chat that is forgotten meanwhile keeps it, because
    /// other questions may wait for it.
    pub turn: Option<Arc<Mutex<()>>>,
}

/// The chats. When a limit is exceeded, those used longest ago are forgotten; a chat that is over the limit alone loses
/// its oldest exchanges.
#[derive(Debug, Default)]
pub struct ChatMemory {
    limits: ChatMemoryLimits,
    /// The one used longest ago first.
    chats: Vec<StoredChat>,
}

impl ChatMemory {
    /// An empty memory with these limits.
    #[must_use]
    pub fn new(limits: ChatMemoryLimits) -> Self {
        let chats = Vec::new();
        Self { limits, chats }
    }

    /// A chat, to look at.
    pub fn get(&mut self, id: Id, now: u64) -> Option<&StoredChat> {
        self.expire(now);
        self.chats.iter().find(|stored| stored.id() == id)
    }

    /// A chat in which a question is asked: its lifetime begins anew.
    pub fn begin(&mut self, id: Id, now: u64) -> Option<Arc<Chat>> {
        let mut stored = self.remove(id, now)?;
        stored.used_at = now;
        let chat = Arc::clone(&stored.chat);
        self.chats.push(stored);
        Some(chat)
    }

    /// Adds an exchange, and makes room for it.
    pub fn append(&mut self, exchange: Exchange, now: u64) -> StoredChat {
        let stored = self.remove(exchange.chat, now);
        let mut stored = stored.unwrap_or_else(|| StoredChat {
            chat: Arc::new(Chat::new(Head::new(exchange.chat, exchange.asked))),
            last_activity: now,
            turn: exchange.turn.clone().unwrap_or_default(),
            used_at: now,
        });
        (stored.last_activity, stored.used_at) = (now, now);
        insert(Arc::make_mut(&mut stored.chat), exchange, now);
        self.chats.push(stored.clone());
        self.make_room();
        stored
    }

    /// Forgets a chat, and returns it.
    pub fn remove(&mut self, id: Id, now: u64) -> Option<StoredChat> {
        self.expire(now);
        let at = self.chats.iter().position(|stored| stored.id() == id)?;
        Some(self.chats.remove(at))
    }

    /// Forgets the chats whose last answer is at least `age` milliseconds old, except those that answer now. Returns how
    /// many went and how many are left.
    pub fn remove_inactive(&mut self, age: u64, now: u64) -> (usize, usize) {
        self.expire(now);
        let before = self.chats.len();
        self.chats.retain(|stored| {
            now.saturating_sub(stored.last_activity) < age || stored.turn.try_lock().is_err()
        });
        (before - self.chats.len(), self.chats.len())
    }

    /// All chats, the one answered last first.
    pub fn list(&mut self, now: u64) -> Vec<StoredChat> {
        self.expire(now);
        let mut all: Vec<_> = self.chats.iter().rev().cloned().collect();
        all.sort_by_key(|stored| std::cmp::Reverse(stored.last_activity));
        all
    }

    fn expire(&mut self, now: u64) {
        let lifetime = self.limits.lifetime;
        self.chats
            .retain(|stored| now.saturating_sub(stored.used_at) < lifetime);
    }

    /// Keeps the limits, and of the chat used last at least its last exchange.
    fn make_room(&mut self) {
        while self.chats.len() > self.limits.chats || self.text_bytes() > self.limits.text_bytes {
            match self.chats.as_mut_slice() {
                [only] if only.chat.len() > 2 => {
                    only.chat = Arc::new(without_oldest_exchange(&only.chat));
                }
                [_] => return,
                _ => drop(self.chats.remove(0)),
            }
        }
    }

    fn text_bytes(&self) -> usize {
        self.chats.iter().map(StoredChat::text_bytes).sum()
    }
}

/// How many exchanges (a question and its answer) go with each question. The system prompt is not one of them.
const EXCHANGES: u32 = 5;

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
