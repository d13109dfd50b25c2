//! How much of everything the server takes, and how long it waits.

use sash_wire::{ChatRequest, Fault, RequestLimits};
use std::path::PathBuf;
use std::time::Duration;

/// How much of everything. The defaults are those of the security rules.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Answers written at once.
    pub generations: usize,
    /// Pulls at once.
    pub pulls: usize,
    /// Bytes of a request that carries no prompt.
    pub body_bytes: usize,
    /// Bytes of a prompt with its window and images.
    pub prompt_bytes: usize,
    /// Messages of a prompt with its window, system prompt and prompt included.
    pub messages: usize,
    /// Colours of code.
    pub highlighting: Highlighting,
    /// How long a request's body may take, in all.
    pub body_time: Duration,
    /// How long a body may take before it must have come at [`Self::body_rate`].
    pub body_grace: Duration,
    /// Bytes a second at which a body must come, on the average.
    pub body_rate: usize,
    /// Bodies being received at once.
    pub bodies: usize,
    /// Levels of JSON within one another in a body.
    pub json_depth: usize,
    /// Bytes of text in one answer.
    pub answer_bytes: usize,
    /// How long Ollama may be quiet.
    pub patience: Patience,
    /// Connections at once.
    pub connections: usize,
    /// Connections at once from one address, where strangers can connect; and requests at once of one
    /// client behind a trusted proxy.
    pub connections_each: usize,
    /// How long a request's header may take.
    pub header_time: Duration,
    /// How long a client may refuse to read.
    pub write_time: Duration,
    /// How long running streams get when the server stops.
    pub stop_time: Duration,
}

/// How long a stream may be quiet.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long Ollama's headers are awaited before the page is answered 200.
    pub head: Duration,
    /// From the request to the first byte: queue, loading, reading the prompt.
    pub first_byte: Duration,
    /// Between two bytes.
    pub silence: Duration,
    /// How often the page gets an empty line in a quiet stream.
    pub keep_alive: Duration,
}

/// How much code is coloured.
#[derive(Clone, Debug)]
pub struct Highlighting {
    /// Blocks at once. Each takes a processor while it lasts.
    pub at_once: usize,
    /// How long a block waits for its turn before it is refused.
    pub wait: Duration,
    /// Bytes of a block; a larger one has no colours.
    pub bytes: usize,
    /// Bytes of a line; a longer one has no colours. It is what bounds a single step: nothing can stop a regex
    /// in the middle of a line.
    pub line: usize,
    /// How long a block may take. What is not done then stays plain.
    pub time: Duration,
    /// The program that does it: this one, or in tests the one that is tested. `None` if there is no telling.
    pub program: Option<PathBuf>,
}

impl Default for Highlighting {
    fn default() -> Self {
        Self {
            at_once: 2,
            wait: Duration::from_secs(2),
            bytes: 50 * 1024,
            line: 1000,
            // The grammar of TypeScript alone takes half a second to compile, more on a busy machine.
            time: Duration::from_secs(3),
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
            body_bytes: 2 * MIB,
            prompt_bytes: 24 * MIB,
            messages: 1000,
            highlighting: Highlighting::default(),
            body_time: Duration::from_secs(30),
            body_grace: Duration::from_secs(5),
            body_rate: 8 * 1024,
            bodies: 64,
            json_depth: 64,
            answer_bytes: 16 * MIB,
            patience: Patience {
                head: Duration::from_secs(10),
                first_byte: Duration::from_secs(300),
                silence: Duration::from_secs(120),
                keep_alive: Duration::from_secs(15),
            },
            connections: 256,
            connections_each: 16,
            header_time: Duration::from_secs(10),
            write_time: Duration::from_secs(60),
            stop_time: Duration::from_secs(4),
        }
    }
}

impl Limits {
    /// Sets how many answers are written at once. Each needs a connection, and so does what its page asks
    /// meanwhile; behind a proxy all of them may come from one address.
    pub fn set_generations(&mut self, generations: usize) {
        self.generations = generations;
        self.connections_each = self.connections_each.max(4 * generations);
        self.connections = self.connections.max(16 * generations);
        self.bodies = self.bodies.max(2 * generations);
    }

    /// JSON values in a body: room for the fields of each message, and for schemas. A value takes a hundred
    /// times the room in memory that it takes in the body, where it can be two bytes.
    #[must_use]
    pub fn json_values(&self) -> usize {
        20_000 + 20 * self.messages
    }

    /// What the page is told, so that it can warn before it sends.
    #[must_use]
    pub fn of_requests(&self) -> RequestLimits {
        RequestLimits {
            messages: self.messages,
            bytes: self.prompt_bytes,
        }
    }

    /// Refuses a request with more messages than allowed. It is never trimmed: what the page shows as
    /// sent is what is sent.
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
