//! The task of one answer: reads the engine's stream into the table, whether or not a page reads it, and removes what
//! it kept when its time is over. It is the one place where something outlives its request.

use super::answers::KeptAnswers;
use super::entry::{Joined, Serial};
use super::table::{AnswerTable, Awaited};
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
        self.until(AnswerTable::expire).await;
    }

    async fn write(&mut self, opening: impl Future<Output = Result<Relay, Fault>>, opened: Opened) {
        let relay = tokio::select! {
            biased;
            fault = self.until(AnswerTable::interrupted) => Err(fault.unwrap_or(Fault::AnswerStopped)),
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
                fault = self.until(AnswerTable::interrupted) => match fault {
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
            self.until(AnswerTable::has_room).await;
        }
    }

    fn push(&self, lines: &[u8]) {
        let mut table = self.answers.table();
        table.push(self.id, self.serial, lines, Instant::now());
    }

    /// Asks the table after each change, and at the time that it names, until what is asked for has come.
    async fn until<T>(
        &mut self,
        ask: fn(&mut AnswerTable, AnswerId, Serial, Instant) -> Awaited<T>,
    ) -> T {
        loop {
            self.changed.borrow_and_update();
            let now = Instant::now();
            let awaited = ask(&mut self.answers.table(), self.id, self.serial, now);
            let again = match awaited {
                Awaited::Break(value) => return value,
                Awaited::Continue(again) => again,
            };
            let changed = self.changed.changed();
            // An error means that the answer is gone, which the table says next.
            match again {
                Some(again) => _ = timeout_at(again, changed).await,
                None => _ = changed.await,
            }
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
