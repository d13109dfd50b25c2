//! The server's limits and timeouts.

use sash_door::json_shape::JsonShape;
use sash_door::limits::{BodyPace, ConnectionLimits};
use sash_wire::{BodyKind, ChatRequest, Fault, RequestLimits};
use std::time::Duration;

/// The limits. The defaults are those of the security rules.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Concurrent answers.
    pub generations: usize,
    /// Concurrent requests with what was not sent: to count, read, render and embed it. They take no permit to generate: a
    /// prompt never waits for them.
    pub unsent: usize,
    /// The most bytes of a request without a prompt.
    pub body_bytes: usize,
    /// The most bytes of a prompt with its window and images.
    pub prompt_bytes: usize,
    /// The most bytes of all bodies that are received at once to be kept.
    pub kept_bytes: usize,
    /// The most messages of a request, system prompt and prompt included.
    pub messages: usize,
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

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            generations: 4,
            unsent: 8,
            body_bytes: 2 * MIB,
            prompt_bytes: 24 * MIB,
            kept_bytes: 128 * MIB,
            messages: 1000,
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

    /// The most bytes of a body of a kind, unless a call has a rule of its own.
    #[must_use]
    pub fn body_limit(&self, kind: BodyKind) -> usize {
        match kind {
            BodyKind::Prompt | BodyKind::Document => self.prompt_bytes,
            BodyKind::Kept | BodyKind::Other => self.body_bytes,
        }
    }

    /// The most bytes of all prompts and documents that are being received or wait for their turn: as many large
    /// bodies as are answered, and read by rooms, at once.
    #[must_use]
    pub fn pending_large_bytes(&self, read_at_once: usize) -> usize {
        (self.generations + read_at_once) * self.prompt_bytes
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
