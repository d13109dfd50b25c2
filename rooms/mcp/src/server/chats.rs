//! The chats of MCP clients as all calls share them: the memory, the turns, and the clock.

use super::memory::{ChatMemory, ChatMemoryLimits, StoredChat};
use super::tool_error::ToolError;
use sash_chat::{Chat, Id};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

/// Questions that wait at once, of all clients. Each may have 2 MiB.
const MAX_WAITING: usize = 32;

/// The chats. They are in memory alone and end with the server.
#[derive(Debug)]
pub struct McpChats {
    memory: Mutex<ChatMemory>,
    waiting: Arc<Semaphore>,
}

impl McpChats {
    /// No chats, within these limits.
    #[must_use]
    pub fn new(limits: ChatMemoryLimits) -> Self {
        Self {
            memory: Mutex::new(ChatMemory::new(limits)),
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
    pub async fn begin(&self, id: Id) -> Result<(OwnedMutexGuard<()>, Arc<Chat>), ToolError> {
        let turn = self.get(id)?.turn;
        let turn = turn.lock_owned().await;
        let chat = self.memory().begin(id, now());
        Ok((turn, chat.ok_or(ToolError::UnknownChat)?))
    }

    /// One chat.
    ///
    /// # Errors
    /// [`ToolError::UnknownChat`]
    pub fn get(&self, id: Id) -> Result<StoredChat, ToolError> {
        let mut memory = self.memory();
        memory.get(id, now()).cloned().ok_or(ToolError::UnknownChat)
    }

    /// Forgets a chat, and returns it.
    ///
    /// # Errors
    /// [`ToolError::UnknownChat`], and [`ToolError::ChatBusy`] while it answers.
    pub fn clear(&self, id: Id) -> Result<StoredChat, ToolError> {
        let turn = self.get(id)?.turn;
        let _turn = turn.try_lock().map_err(|_| ToolError::ChatBusy)?;
        let cleared = self.memory().remove(id, now());
        cleared.ok_or(ToolError::UnknownChat)
    }

    /// The memory. Nothing waits while it is locked.
    pub fn memory(&self) -> MutexGuard<'_, ChatMemory> {
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
