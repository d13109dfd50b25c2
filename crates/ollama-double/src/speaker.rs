//! One generation: evaluates the prompt, sends tokens at a fixed rate, and ends with the counts.

use super::completions::ThoughtControl;
use super::line::{Delta, LastLine, Metrics};
use super::models::Path;
use super::prompt_reading::PromptReading;
use super::records::Generation;
use super::render::padded;
use super::run::{Run, StreamClosed};
use super::runner::Slot;
use super::stream::StreamPiece;
use super::voice::{self, AnswerToken};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};
use tokio::sync::OwnedMutexGuard;

/// A generation that holds the slot.
pub struct Speaker {
    /// Its input.
    pub run: Run,
    /// The slot.
    pub slot: Option<OwnedMutexGuard<Slot>>,
    /// Counts the generation as long as the slot is held.
    pub counted: Option<Generation>,
    words: Box<dyn Iterator<Item = AnswerToken> + Send + Sync>,
    /// Prompt tokens that were in the cache.
    cached: u64,
    /// Number of tokens sent.
    pub said: u64,
    prompt_time: Duration,
    first: Option<Instant>,
    due: Instant,
    /// The last word and its repetitions, for the loop guard.
    same: (String, u32),
    text: String,
    /// The text sent so far, without thinking.
    spoken: String,
}

impl Speaker {
    /// Waits for the slot and evaluates the prompt.
    pub async fn start(run: Run, counted: impl FnOnce() -> Generation) -> Self {
        let slot = run.lease.slot().await;
        slot.said.store(0, SeqCst);
        let counted = counted();
        let began = Instant::now();
        // A task of its own: whoever leaves ends it between two batches, and what was read stays in the slot.
        let reading = PromptReading {
            ids: run.prompt.ids.clone(),
            rate: run.prompt_rate,
            batch: run.batch.max(1),
            tells_progress: run.call.progress,
            record: run.record.clone(),
            to: run.to.clone(),
        };
        let read = tokio::spawn(reading.read(slot, counted)).await;
        // It fails only when the runtime ends.
        let (slot, counted, cached) = match read {
            Ok((slot, counted, cached)) => (Some(slot), Some(counted), cached),
            Err(_) => (None, None, 0),
        };
        let words = voice::words(&run);
        Self {
            words,
            slot,
            counted,
            cached,
            said: 0,
            prompt_time: began.elapsed(),
            first: None,
            due: Instant::now(),
            same: (String::new(), 0),
            text: String::new(),
            spoken: String::new(),
            run,
        }
    }

    /// Sends a piece.
    pub async fn send(&self, piece: StreamPiece) -> Result<(), StreamClosed> {
        self.run.to.send(piece).await.map_err(|_| StreamClosed)
    }

    /// Sends one token when it is due.
    pub async fn say(&mut self, token: AnswerToken, rate: f64) -> Result<(), StreamClosed> {
        let is_ended = |control: &Arc<ThoughtControl>| control.is_ended();
        if token.thinking && self.run.thought.as_ref().is_some_and(is_ended) {
            return Ok(());
        }
        if rate > 0.0 {
            let now = Instant::now();
            // After a pause the schedule starts anew; lost time is not caught up.
            if self.due + Duration::from_millis(100) < now {
                self.due = now;
            }
            self.due += Duration::from_secs_f64(1.0 / rate);
            tokio::time::sleep_until(self.due.into()).await;
        } else {
            tokio::task::yield_now().await;
        }
        self.first.get_or_insert_with(Instant::now);
        self.said += 1;
        if let Some(slot) = &self.slot {
            slot.said.store(self.said, SeqCst);
        }
        let logprobs = if self.run.call.logprobs {
            vec![logprob(&token.text, self.run.call.top_logprobs)]
        } else {
            Vec::new()
        };
        let mut delta = Delta {
            logprobs,
            ..Delta::default()
        };
        if !token.thinking {
            self.spoken.push_str(&token.text);
        }
        if token.thinking {
            delta.thinking = token.text;
        } else {
            delta.content = token.text;
        }
        self.send(StreamPiece::Delta(delta)).await
    }

    /// Sends the model's own answer, all of it or its first `most` tokens.
    pub async fn answer(&mut self, most: Option<u64>) -> Result<(), StreamClosed> {
        let window = padded(self.run.lease.num_ctx);
        let prompt = self.run.prompt.ids.len() as u64;
        let limit = match (self.run.options.num_predict, self.run.model.path) {
            _ if self.run.ignores_limits => self.run.lease.num_ctx * 10,
            (0, Path::Native) => 1,
            (n, _) if n > 0 => n.unsigned_abs(),
            _ => self.run.lease.num_ctx * 10,
        };
        let mut here = 0;
        while most.is_none_or(|most| here < most) {
            let full = !self.run.call.shift && prompt + self.said >= window;
            if self.said >= limit || full {
                self.done(Delta::default(), "length").await?;
                return Err(StreamClosed);
            }
            let Some(token) = self.words.next() else {
                let last = voice::tool_calls(&self.run);
                self.done(last, "stop").await?;
                return Err(StreamClosed);
            };
            if self.run.model.path == Path::Rendered && self.is_loop(&token.text) {
                // Ollama's loop guard ends the answer without a last line or an error.
                return Err(StreamClosed);
            }
            self.text.push_str(&token.text);
            let stops = &self.run.options.stop;
            if stops.iter().any(|stop| self.text.contains(stop.as_str())) {
                self.done(Delta::default(), "stop").await?;
                return Err(StreamClosed);
            }
            self.say(token, self.run.rate).await?;
            here += 1;
        }
        Ok(())
    }

    /// Whether this token is the 31st equal one in a row.
    fn is_loop(&mut self, text: &str) -> bool {
        let text = text.trim();
        if self.same.0 == text {
            self.same.1 += 1;
        } else {
            self.same = (text.to_owned(), 1);
        }
        self.same.1 > 31
    }

    /// Sends the last line, with the real counts.
    pub async fn done(&self, last: Delta, reason: &str) -> Result<(), StreamClosed> {
        let done = LastLine {
            last,
            reason: reason.to_owned(),
            context: self.run.context.then(|| self.run.prompt.ids.clone()),
            metrics: self.metrics(),
        };
        self.send(StreamPiece::Done(Box::new(done))).await
    }

    /// Stores in the slot the prompt and the answer, complete or not, so that the next prompt of a growing
    /// chat is read from the cache. Thinking is not sent again, so the cached part ends where it begins.
    fn remember(&mut self) {
        let prompt = &self.run.prompt;
        if let Some(slot) = self.slot.as_mut().filter(|_| !self.spoken.is_empty()) {
            let all = format!("{}{}", prompt.text, self.spoken);
            slot.cache = self.run.model.tokenizer.prompt(&all);
        }
    }

    /// The counts so far.
    pub fn metrics(&self) -> Metrics {
        let eval = self.first.map_or(Duration::ZERO, |first| first.elapsed());
        Metrics {
            total_duration: nanos(self.run.arrived.elapsed()),
            load_duration: nanos(self.run.lease.load_time),
            prompt_eval_count: self.run.prompt.ids.len() as u64,
            cached: self.cached,
            prompt_eval_duration: nanos(self.prompt_time).max(1000) / 1000 * 1000,
            eval_count: self.said,
            eval_duration: if self.said == 0 {
                0
            } else {
                nanos(eval).max(1000) / 1000 * 1000
            },
        }
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        self.remember();
    }
}

fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

fn logprob(token: &str, others: usize) -> Value {
    let one =
        |text: &str, value: f64| json!({"token": text, "logprob": value, "bytes": text.as_bytes()});
    let mut main = one(token, -1.25);
    if others > 0 {
        let top: Vec<Value> = std::iter::once(one(token, -1.25))
            .chain((1..others).map(|n| one(voice::word(n as u64), -2.5)))
            .collect();
        main["top_logprobs"] = Value::Array(top);
    }
    main
}
