//! The limits of the chats of MCP clients.

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
