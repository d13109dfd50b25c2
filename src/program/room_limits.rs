//! The limits of the rooms of the server.

use attachments::Extraction;
use highlight::Highlighting;
use linger::LingerLimits;
use mcp::ChatMemoryLimits;
use std::time::Duration;
use tools::Calculation;

/// The limits of each room.
#[derive(Clone, Debug)]
pub struct RoomLimits {
    /// Concurrent pulls.
    pub pulls: usize,
    /// Models that read a prompt ahead at once. They take no permit to generate.
    pub reads: usize,
    /// Time limit for reading a prompt ahead, or some 512 tokens of it where it is asked for part by part.
    pub read_time: Duration,
    /// The limits of syntax highlighting.
    pub highlighting: Highlighting,
    /// The limits of reading documents.
    pub extraction: Extraction,
    /// The limits of the tool that calculates.
    pub calculation: Calculation,
    /// The limits of answers that outlive their page.
    pub linger: LingerLimits,
    /// The limits of the chats of MCP clients.
    pub mcp_chats: ChatMemoryLimits,
}

impl Default for RoomLimits {
    fn default() -> Self {
        Self {
            pulls: 3,
            reads: 4,
            read_time: Duration::from_secs(30),
            highlighting: Highlighting::default(),
            extraction: Extraction::default(),
            calculation: Calculation::default(),
            linger: LingerLimits::default(),
            mcp_chats: ChatMemoryLimits::default(),
        }
    }
}
