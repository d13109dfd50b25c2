//! A page's stream of an answer in the table.

use super::answers::KeptAnswers;
use super::entry::{Found, Joined, Serial};
use bytes::Bytes;
use futures::Stream;
use sash_chat::AnswerId;
use sash_wire::Frame;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// A place among the readers of an answer. Dropping it frees the place.
pub struct AnswerReader {
    answers: Arc<KeptAnswers>,
    id: AnswerId,
    serial: Serial,
    changed: watch::Receiver<()>,
    /// How often a silent stream gets an empty line.
    keep_alive: Duration,
    /// When the page last received bytes.
    sent: Instant,
    is_over: bool,
}

impl AnswerReader {
    /// The reader that joined.
    pub fn new(
        answers: Arc<KeptAnswers>,
        id: AnswerId,
        joined: Joined,
        keep_alive: Duration,
    ) -> Self {
        Self {
            answers,
            id,
            serial: joined.reader,
            changed: joined.changed,
            keep_alive,
            sent: Instant::now(),
            is_over: false,
        }
    }

    /// The lines for the page.
    pub fn into_stream(self) -> impl Stream<Item = Bytes> + Send + 'static {
        futures::stream::unfold(self, |mut reader| async {
            let lines = reader.next().await?;
            reader.sent = Instant::now();
            Some((lines, reader))
        })
    }

    async fn next(&mut self) -> Option<Bytes> {
        let silence = self.sent + self.keep_alive;
        while !self.is_over {
            self.changed.borrow_and_update();
            let now = Instant::now();
            let found = self.answers.table().read(self.id, self.serial, now);
            match found {
                Found::Lines(lines) => return Some(lines.into()),
                Found::End => break,
                Found::Gone(error) => {
                    self.is_over = true;
                    return Some(Frame::Error { error }.to_line().into());
                }
                Found::Nothing => {}
            }
            tokio::select! {
                // An error means that the answer is gone, which reading it says.
                _ = self.changed.changed() => {}
                () = sleep_until(silence) => return Some(Bytes::from_static(b"\n")),
            }
        }
        None
    }
}

impl Drop for AnswerReader {
    fn drop(&mut self) {
        let mut table = self.answers.table();
        table.leave(self.id, self.serial, Instant::now());
    }
}
