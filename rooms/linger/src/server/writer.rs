//! The task of one answer: reads the engine's stream into the table, whether or not a page reads it, and removes what
//! it kept when its time is over. It is the one place where something outlives its request.

use super::answers::KeptAnswers;
use super::entry::{Joined, Serial, Verdict};
use sash_chat::AnswerId;
use sash_server::relay::Relay;
use sash_wire::{Fault, Frame};
use std::sync::Arc;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, timeout_at};

/// The empty line that keeps a silent stream alive. Every reader's stream makes its own.
const KEEP_ALIVE: &[u8] = b"\n";

/// The right to write one answer. When it is dropped the answer has ended.
pub struct AnswerWriter {
    answers: Arc<KeptAnswers>,
    id: AnswerId,
    serial: Serial,
    changed: watch::Receiver<()>,
}

/// Says that the engine answers, or the fault that occurred instead.
type Opened = oneshot::Sender<Result<(), Fault>>;

impl AnswerWriter {
    /// The writer of an answer that was begun.
    pub fn new(answers: Arc<KeptAnswers>, id: AnswerId, joined: &Joined) -> Self {
        Self {
            answers,
            id,
            serial: joined.answer,
            changed: joined.changed.clone(),
        }
    }

    /// Writes the answer from the stream that `opening` opens, and removes it when its time is over.
    pub async fn run(
        mut self,
        opening: impl Future<Output = Result<Relay, Fault>>,
        opened: Opened,
    ) {
        // In a box: for minutes after the answer only the rest of this task is in memory.
        Box::pin(self.write(opening, opened)).await;
        self.answers
            .table()
            .end(self.id, self.serial, Instant::now());
        self.expire().await;
    }

    async fn write(&mut self, opening: impl Future<Output = Result<Relay, Fault>>, opened: Opened) {
        let relay = tokio::select! {
            biased;
            fault = self.interrupted() => Err(fault.unwrap_or(Fault::AnswerStopped)),
            relay = opening => relay,
        };
        let mut relay = match relay {
            Ok(relay) => relay,
            Err(error) => {
                let frame = Frame::Error {
                    error: error.clone(),
                };
                self.push(frame.to_line().as_bytes());
                return tell(opened, Err(error));
            }
        };
        tell(opened, Ok(()));
        loop {
            let lines = tokio::select! {
                biased;
                fault = self.interrupted() => match fault {
                    Some(fault) => {
                        let last = relay.interrupt(fault);
                        return self.push(&last);
                    }
                    None => return,
                },
                lines = relay.next() => lines,
            };
            match lines {
                Some(lines) if *lines == *KEEP_ALIVE => {}
                Some(lines) => self.push(&lines),
                None => return,
            }
            if !self.has_room().await {
                return;
            }
        }
    }

    fn push(&self, lines: &[u8]) {
        let mut table = self.answers.table();
        table.push(self.id, self.serial, lines, Instant::now());
    }

    fn verdict(&mut self) -> Verdict {
        self.changed.borrow_and_update();
        let mut table = self.answers.table();
        table.verdict(self.id, self.serial, Instant::now())
    }

    /// Waits until the answer has to end: with a fault for its last frame, or without one where nobody can read it.
    async fn interrupted(&mut self) -> Option<Fault> {
        loop {
            let until = match self.verdict() {
                Verdict::Interrupt(fault) => return Some(fault),
                Verdict::Gone => return None,
                Verdict::Continue(until) => until,
                Verdict::Wait => None,
            };
            self.wait(until).await;
        }
    }

    /// Waits until the readers are near enough. Returns false if the answer has ended meanwhile.
    async fn has_room(&mut self) -> bool {
        loop {
            match self.verdict() {
                Verdict::Wait => self.wait(None).await,
                Verdict::Gone => return false,
                Verdict::Continue(_) | Verdict::Interrupt(_) => return true,
            }
        }
    }

    /// Waits for a change, until then at most.
    async fn wait(&mut self, until: Option<Instant>) {
        let changed = self.changed.changed();
        // An error means that the answer is gone, which the next verdict says.
        match until {
            Some(until) => _ = timeout_at(until, changed).await,
            None => _ = changed.await,
        }
    }

    /// Waits until the answer may be removed, and removes it.
    async fn expire(&mut self) {
        loop {
            self.changed.borrow_and_update();
            let now = Instant::now();
            let verdict = self.answers.table().expire(self.id, self.serial, now);
            let Verdict::Continue(until) = verdict else {
                return;
            };
            self.wait(until).await;
        }
    }
}

impl Drop for AnswerWriter {
    fn drop(&mut self) {
        // For a task that was aborted or panicked; otherwise it has ended before.
        let mut table = self.answers.table();
        table.end(self.id, self.serial, Instant::now());
    }
}

/// Answers the request, whose page may be gone.
fn tell(opened: Opened, result: Result<(), Fault>) {
    if opened.send(result).is_err() {
        tracing::debug!("the page left before the engine answered");
    }
}
