//! Reads a prompt into the slot, batch by batch, as engines do: they look for a closed connection only between two
//! batches, and what they have read by then stays in the cache.

use super::records::{Generation, RecordHandle};
use super::runner::Slot;
use super::stream::{ReadProgress, StreamPiece};
use super::tokens;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedMutexGuard, mpsc};

/// A prompt that is to be read.
pub struct PromptReading {
    /// Its tokens.
    pub ids: Vec<u32>,
    /// Tokens per second; 0 means no delay.
    pub rate: f64,
    /// Tokens of a batch.
    pub batch: usize,
    /// Whether to tell how far it is.
    pub tells_progress: bool,
    /// The request's record.
    pub record: RecordHandle,
    /// Where the answer goes; closed when nobody waits for it.
    pub to: mpsc::Sender<StreamPiece>,
}

impl PromptReading {
    /// Reads what the slot does not hold, until the end or until nobody waits. Returns the slot, the count of running
    /// generations, and the tokens that were in the cache.
    pub async fn read(
        self,
        mut slot: OwnedMutexGuard<Slot>,
        counted: Generation,
    ) -> (OwnedMutexGuard<Slot>, Generation, u64) {
        // The last token is always evaluated, because the first token of the answer depends on it.
        let most = self.ids.len().saturating_sub(1);
        let cached = tokens::common(&slot.cache, &self.ids).min(most);
        let mut read = cached;
        self.record.write(|record| {
            record.evaluated = Some(0);
            record.cached = Some(cached as u64);
        });
        let began = Instant::now();
        self.tell(cached, read, began).await;
        while read < self.ids.len() && !self.to.is_closed() {
            let batch = self.batch.min(self.ids.len() - read);
            if self.rate > 0.0 {
                #[allow(clippy::cast_precision_loss, reason = "a count of tokens")]
                let time = batch as f64 / self.rate;
                tokio::time::sleep(Duration::from_secs_f64(time)).await;
            }
            read += batch;
            slot.cache = self.ids[..read].to_vec();
            self.record
                .write(|record| record.evaluated = Some((read - cached) as u64));
            self.tell(cached, read, began).await;
        }
        (slot, counted, cached as u64)
    }

    /// Tells how far it is. Who has left is found out before the next batch.
    async fn tell(&self, cached: usize, processed: usize, began: Instant) {
        if self.tells_progress {
            let progress = ReadProgress {
                total: self.ids.len(),
                cached,
                processed,
                time: began.elapsed(),
            };
            self.to.send(StreamPiece::Progress(progress)).await.ok();
        }
    }
}
