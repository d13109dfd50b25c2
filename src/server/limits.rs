//! The server's limits and timeouts.

use sash_door::json_shape::JsonShape;
use sash_door::limits::{BodyPace, ConnectionLimits};
use sash_wire::{BodyKind, ChatRequest, Fault, RequestLimits};
use std::path::PathBuf;
use std::time::Duration;

/// The limits. The defaults are those of the security rules.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Concurrent answers.
    pub generations: usize,
    /// Concurrent pulls.
    pub pulls: usize,
    /// Concurrent requests with what was not sent: to count, read, render and embed it. They take no permit to generate: a
    /// prompt never waits for them.
    pub unsent: usize,
    /// Models that read a prompt ahead at once. They take no permit to generate either.
    pub reads: usize,
    /// Time limit for reading a prompt ahead, or some 512 tokens of it where it is asked for part by part.
    pub read_time: Duration,
    /// The most bytes of a request without a prompt.
    pub body_bytes: usize,
    /// The most bytes of a prompt with its window and images.
    pub prompt_bytes: usize,
    /// The most bytes of a chat for the backup.
    pub backup_bytes: usize,
    /// The most messages of a request, system prompt and prompt included.
    pub messages: usize,
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
    /// How slowly a body may arrive.
    pub body_pace: BodyPace,
    /// Bodies that are received at once.
    pub bodies: usize,
    /// The deepest nesting of JSON in a body.
    pub json_depth: usize,
    /// The most bytes of text in one answer.
    pub answer_bytes: usize,
    /// How long Ollama may be silent.
    pub patience: StreamTimeouts,
    /// The limits of connections.
    pub connections: ConnectionLimits,
}

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

/// The limits of answers that outlive their page.
#[derive(Clone, Copy, Debug)]
pub struct LingerLimits {
    /// How long an answer goes on without a reader; zero if none is kept.
    pub linger: Duration,
    /// How long the frames of an answer that ended are kept.
    pub ended_time: Duration,
    /// How long an answer without a reader keeps its permit from a prompt that waits for one.
    pub unread_time: Duration,
    /// How long an engine may be silent to a prompt before unread answers of the same model give way to it.
    pub turn_time: Duration,
    /// What a running answer takes besides its frames, in bytes: its connection to the engine with the buffers, and its
    /// task.
    pub running_bytes: usize,
    /// The most bytes of all answers.
    pub bytes: usize,
    /// The most bytes of one client's answers.
    pub bytes_each: usize,
}

impl Default for LingerLimits {
    fn default() -> Self {
        Self {
            linger: Duration::from_secs(600),
            ended_time: Duration::from_secs(120),
            unread_time: Duration::from_secs(15),
            turn_time: Duration::from_secs(5),
            // Measured at the program with thousands of idle ones.
            running_bytes: 34 * 1024,
            bytes: 64 * 1024 * 1024,
            bytes_each: 16 * 1024 * 1024,
        }
    }
}

/// How long a stream may be silent.
#[derive(Clone, Copy, Debug)]
pub struct StreamTimeouts {
    /// How long to wait for Ollama's headers before the page gets its status 200.
    pub head: Duration,
    /// Time limit from the request to the first byte: queue, loading, reading the prompt.
    pub first_byte: Duration,
    /// Time limit between two bytes.
    pub silence: Duration,
    /// How often a silent stream gets an empty line.
    pub keep_alive: Duration,
}

/// The limits of syntax highlighting.
#[derive(Clone, Debug)]
pub struct Highlighting {
    /// Blocks at once. Each uses a processor core.
    pub at_once: usize,
    /// How long a block waits for a turn before it is refused.
    pub wait: Duration,
    /// The largest block in bytes; a larger one is not highlighted.
    pub bytes: usize,
    /// The longest line in bytes; a longer one is not highlighted. This bounds a single step, because nothing
    /// can stop a regex within a line.
    pub line: usize,
    /// Time limit for a block. The rest stays plain.
    pub time: Duration,
    /// The most bytes of memory of the process that highlights a block.
    pub memory_bytes: usize,
    /// The program to run: this one, or in tests the tested one. `None` if its path is unknown.
    pub program: Option<PathBuf>,
}

/// The limits of reading documents.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// Documents at once. Each uses a processor core, and its memory.
    pub at_once: usize,
    /// How long a document waits for a turn before it is refused.
    pub wait: Duration,
    /// Time limit for a document.
    pub time: Duration,
    /// The most bytes of memory of the process that reads a document.
    pub memory_bytes: usize,
    /// The most bytes of text of a document; what is beyond is left out, which the answer says.
    pub text_bytes: usize,
    /// The program to run: this one, or in tests the tested one. `None` if its path is unknown.
    pub program: Option<PathBuf>,
}

/// The limits of the tool that calculates.
#[derive(Clone, Debug)]
pub struct Calculation {
    /// Expressions at once.
    pub at_once: usize,
    /// How long an expression waits for a turn before it is refused.
    pub wait: Duration,
    /// Time limit for an expression.
    pub time: Duration,
    /// The most bytes of memory of the process that evaluates an expression.
    pub memory_bytes: usize,
    /// The program to run: this one, or in tests the tested one. `None` if its path is unknown.
    pub program: Option<PathBuf>,
}

impl Default for Calculation {
    fn default() -> Self {
        Self {
            at_once: 2,
            wait: Duration::from_secs(10),
            time: Duration::from_secs(2),
            memory_bytes: 512 * 1024 * 1024,
            program: std::env::current_exe().ok(),
        }
    }
}

impl Default for Extraction {
    fn default() -> Self {
        Self {
            at_once: 2,
            wait: Duration::from_secs(5),
            time: Duration::from_secs(20),
            memory_bytes: 1024 * 1024 * 1024,
            text_bytes: 2_000_000,
            program: std::env::current_exe().ok(),
        }
    }
}

impl Default for Highlighting {
    fn default() -> Self {
        Self {
            at_once: 2,
            wait: Duration::from_secs(2),
            bytes: 50 * 1024,
            line: 1000,
            // Compiling TypeScript's grammar alone takes half a second, more on a busy machine.
            time: Duration::from_secs(3),
            // TypeScript's grammar takes 100 MB.
            memory_bytes: 512 * 1024 * 1024,
            program: std::env::current_exe().ok(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            generations: 4,
            pulls: 3,
            unsent: 8,
            reads: 4,
            read_time: Duration::from_secs(30),
            body_bytes: 2 * MIB,
            prompt_bytes: 24 * MIB,
            // Twice the longest chat: in JSON each of its quotes takes two bytes.
            backup_bytes: 64 * MIB,
            messages: 1000,
            highlighting: Highlighting::default(),
            extraction: Extraction::default(),
            calculation: Calculation::default(),
            linger: LingerLimits::default(),
            mcp_chats: ChatMemoryLimits::default(),
            body_pace: BodyPace::default(),
            bodies: 64,
            json_depth: 64,
            answer_bytes: 16 * MIB,
            patience: StreamTimeouts {
                head: Duration::from_secs(10),
                first_byte: Duration::from_secs(300),
                silence: Duration::from_secs(120),
                keep_alive: Duration::from_secs(15),
            },
            connections: ConnectionLimits::default(),
        }
    }
}

impl Limits {
    /// Sets the number of concurrent answers. Each needs a connection, and so do other requests of its page;
    /// behind a proxy all of them may come from one address.
    pub fn set_generations(&mut self, generations: usize) {
        self.generations = generations;
        self.connections.each = self.connections.each.max(4 * generations);
        self.connections.at_once = self.connections.at_once.max(16 * generations);
        self.bodies = self.bodies.max(2 * generations);
    }

    /// The limits on the JSON of a body. Its values have room for the fields of each message, and for schemas: a value
    /// takes a hundred times as much memory as it takes in the body, where it can be two bytes.
    #[must_use]
    pub fn json_shape(&self) -> JsonShape {
        JsonShape::new(self.json_depth, 20_000 + 20 * self.messages)
    }

    /// The most bytes of a body.
    #[must_use]
    pub fn body_limit(&self, kind: BodyKind) -> usize {
        match kind {
            BodyKind::Prompt | BodyKind::Document => self.prompt_bytes,
            BodyKind::Backup => self.backup_bytes,
            BodyKind::Other => self.body_bytes,
        }
    }

    /// The most bytes of all prompts and documents that are being received or wait for their turn: as many large
    /// bodies as are answered and read at once.
    #[must_use]
    pub fn pending_large_bytes(&self) -> usize {
        (self.generations + self.extraction.at_once) * self.prompt_bytes
    }

    /// The most bytes of all requests with what was not sent: of those that are being received, and of those that run.
    #[must_use]
    pub fn unsent_bytes(&self) -> usize {
        2 * self.prompt_bytes
    }

    /// The limits that the page is told, so that it can warn before it sends.
    #[must_use]
    pub fn of_requests(&self) -> RequestLimits {
        RequestLimits {
            messages: self.messages,
            bytes: self.prompt_bytes,
        }
    }

    /// Refuses a request with more messages than allowed. A request is never trimmed, so that the page shows
    /// exactly what is sent.
    ///
    /// # Errors
    /// [`Fault::TooManyMessages`] with both numbers.
    pub fn check(&self, request: &ChatRequest) -> Result<(), Fault> {
        let (messages, limit) = (request.count(), self.messages);
        if messages > limit {
            return Err(Fault::TooManyMessages { messages, limit });
        }
        Ok(())
    }
}
