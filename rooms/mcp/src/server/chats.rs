//! The chats of MCP clients as all calls share them: the memory, the turns, and the clock.

use super::limits::ChatMemoryLimits;
use super::memory::{ChatMemory, Exchange, StoredChat};
use super::queue::{ChatQueue, ChatTurn};
use super::tool_error::ToolError;
use sash_chat::{Chat, Id};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Questions that wait at once, of all clients. Each may have 2 MiB.
const MAX_WAITING: usize = 32;

/// The chats. They are in memory alone and end with the server.
#[derive(Debug)]
pub struct McpChats {
    memory: Mutex<ChatMemory>,
    queue: ChatQueue,
    waiting: Arc<Semaphore>,
}

impl McpChats {
    /// No chats, within these limits.
    #[must_use]
    pub fn new(limits: ChatMemoryLimits) -> Self {
        Self {
            memory: Mutex::new(ChatMemory::new(limits)),
            queue: ChatQueue::default(),
            waiting: Arc::new(Semaphore::new(MAX_WAITING)),
        }
    }

    /// A place among the questions that wait until a model may answer them.
    ///
    /// # Errors
    /// [`ToolError::TooManyWaiting`]
    pub fn wait(&self) -> Result<OwnedSemaphorePermit, ToolError> {
        let place = Arc::clone(&self.waiting).try_acquire_owned();
        place.map_err(|_| ToolError::TooManyWaiting)
    }

    /// Waits for the turn of a chat, and returns the chat as the answer before left it.
    ///
    /// # Errors
    /// [`ToolError::UnknownChat`], at once or after the wait.
    pub async fn begin(&self, id: Id) -> Result<(ChatTurn, Arc<Chat>), ToolError> {
        self.get(id)?;
        let turn = self.queue.enter(id).await;
        let chat = self.memory().begin(id, now());
        Ok((turn, chat.ok_or(ToolError::UnknownChat)?))
    }

    /// Adds an exchange to its chat.
    pub fn append(&self, exchange: Exchange) -> StoredChat {
        self.memory().append(exchange, now()).clone()
    }

    /// One chat.
    ///
    /// # Errors
    /// [`ToolError::UnknownChat`]
    pub fn get(&self, id: Id) -> Result<StoredChat, ToolError> {
        let mut memory = self.memory();
        memory.get(id, now()).cloned().ok_or(ToolError::UnknownChat)
    }

    /// All chats, the one answered last first.
    pub fn list(&self) -> Vec<StoredChat> {
        self.memory().list(now()).into_iter().cloned().collect()
    }

    /// Forgets a chat, and returns it.
    ///
    /// # Errors
    /// [`ToolError::UnknownChat`], and [`ToolError::ChatBusy`] while it answers.
    pub fn clear(&self, id: Id) -> Result<StoredChat, ToolError> {
        self.get(id)?;
        let _turn = self.queue.try_enter(id).ok_or(ToolError::ChatBusy)?;
        let cleared = self.memory().remove(id, now());
        cleared.ok_or(ToolError::UnknownChat)
    }

    /// Forgets the chats without an answer in the last `age` milliseconds, except those that answer now. Returns how many
    /// went and how many are left.
    pub fn clear_inactive(&self, age: u64) -> (usize, usize) {
        let (mut memory, now) = (self.memory(), now());
        let is_busy = |id| self.queue.try_enter(id).is_none();
        let cleared = memory.remove_inactive(age, now, is_busy);
        (cleared, memory.list(now).len())
    }

    fn memory(&self) -> MutexGuard<'_, ChatMemory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let ms = since.map_or(0, |since| since.as_millis());
    u64::try_from(ms).unwrap_or(u64::MAX)
}
