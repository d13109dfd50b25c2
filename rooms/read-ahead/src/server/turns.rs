//! Turns at the engines: a prompt comes before everything that is read ahead.

use crate::ReadEnd;
use sash_server::engine::Engine;
use sash_server::hooks::{PromptWatch, WatchedPrompt};
use sash_wire::ChatRequest;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// The prompts that are being answered, and what is being read ahead, at all engines.
#[derive(Clone, Debug)]
pub struct ReadTurns {
    engines: Arc<Mutex<EngineReads>>,
    /// The most models that are read ahead at once.
    limit: usize,
    /// The time limit of a read.
    pub time: Duration,
}

#[derive(Debug, Default)]
struct EngineReads {
    /// How many prompts each engine is answering, by its name.
    prompts: HashMap<String, usize>,
    /// The sender that ends each read, and says why, by engine and model.
    readers: HashMap<(String, String), oneshot::Sender<ReadEnd>>,
}

/// A prompt that is being answered. While it lives, its engine reads nothing ahead.
#[derive(Debug)]
pub struct AnsweredPrompt {
    engines: Arc<Mutex<EngineReads>>,
    engine: String,
}

/// The turn of a reader. Dropping it ends it.
#[derive(Debug)]
pub struct ReadTurn {
    engines: Arc<Mutex<EngineReads>>,
    given_way: oneshot::Receiver<ReadEnd>,
}

impl ReadTurns {
    /// At most so many models are read ahead at once, each for so long.
    #[must_use]
    pub fn new(limit: usize, time: Duration) -> Self {
        Self {
            engines: Arc::default(),
            limit,
            time,
        }
    }

    /// Begins a prompt: what its engine reads ahead ends at once, whatever model reads it, because models of one engine
    /// share the machine.
    #[must_use]
    pub fn begin_prompt(&self, engine: &str) -> AnsweredPrompt {
        let mut engines = lock(&self.engines);
        *engines.prompts.entry(engine.to_owned()).or_default() += 1;
        let of_engine = engines.readers.extract_if(|(of, _), _| of == engine);
        of_engine.for_each(|(_, reader)| end(reader, ReadEnd::Prompt));
        AnsweredPrompt {
            engines: Arc::clone(&self.engines),
            engine: engine.to_owned(),
        }
    }

    /// Begins to read with a model. What the same model reads ends: the page that was used last comes first.
    ///
    /// # Errors
    /// Why nothing is read now.
    pub fn begin_read(&self, engine: &str, model: &str) -> Result<ReadTurn, ReadEnd> {
        let mut engines = lock(&self.engines);
        if engines.prompts.contains_key(engine) {
            return Err(ReadEnd::Prompt);
        }
        let key = (engine.to_owned(), model.to_owned());
        match engines.readers.remove(&key) {
            Some(former) => end(former, ReadEnd::Superseded),
            None if engines.readers.len() >= self.limit => return Err(ReadEnd::Busy),
            None => {}
        }
        let (sender, given_way) = oneshot::channel();
        engines.readers.insert(key, sender);
        Ok(ReadTurn {
            engines: Arc::clone(&self.engines),
            given_way,
        })
    }
}

impl PromptWatch for ReadTurns {
    fn begin(self: Arc<Self>, engine: &Arc<dyn Engine>, _: &ChatRequest) -> Box<dyn WatchedPrompt> {
        Box::new(self.begin_prompt(&engine.info().name))
    }
}

impl WatchedPrompt for AnsweredPrompt {}

impl ReadTurn {
    /// Waits until something else comes first, and says what.
    pub async fn given_way(&mut self) -> ReadEnd {
        let end = (&mut self.given_way).await;
        end.unwrap_or(ReadEnd::Superseded)
    }
}

impl Drop for ReadTurn {
    fn drop(&mut self) {
        self.given_way.close();
        let mut engines = lock(&self.engines);
        engines.readers.retain(|_, reader| !reader.is_closed());
    }
}

impl Drop for AnsweredPrompt {
    fn drop(&mut self) {
        let mut engines = lock(&self.engines);
        if let Some(prompts) = engines.prompts.get_mut(&self.engine) {
            *prompts -= 1;
        }
        engines.prompts.retain(|_, prompts| *prompts > 0);
    }
}

/// Ends a reader. One that has ended by itself does not hear it.
fn end(reader: oneshot::Sender<ReadEnd>, why: ReadEnd) {
    if reader.send(why).is_err() {
        tracing::trace!("a reader had ended");
    }
}

fn lock(engines: &Mutex<EngineReads>) -> MutexGuard<'_, EngineReads> {
    engines.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    fn ended(mut turn: ReadTurn) -> Option<ReadEnd> {
        turn.given_way().now_or_never()
    }

    #[test]
    fn a_prompt_ends_what_its_engine_reads_and_keeps_it_from_reading() {
        let turns = ReadTurns::new(4, Duration::ZERO);
        let read = |engine, model| turns.begin_read(engine, model);
        let [one, two, other] =
            [("a", "m"), ("a", "n"), ("b", "m")].map(|(e, m)| read(e, m).unwrap());
        let prompts = [turns.begin_prompt("a"), turns.begin_prompt("a")];
        assert_eq!(ended(one), Some(ReadEnd::Prompt));
        assert_eq!(ended(two), Some(ReadEnd::Prompt));
        assert_eq!(ended(other), None);
        let [first, second] = prompts;
        drop(first);
        assert_eq!(read("a", "m").unwrap_err(), ReadEnd::Prompt);
        drop(second);
        assert!(read("a", "m").is_ok());
    }

    #[test]
    fn the_last_reader_of_a_model_comes_first_and_there_are_few_at_once() {
        let turns = ReadTurns::new(2, Duration::ZERO);
        let first = turns.begin_read("a", "m").unwrap();
        let second = turns.begin_read("a", "m").unwrap();
        assert_eq!(ended(first), Some(ReadEnd::Superseded));
        let other = turns.begin_read("a", "n").unwrap();
        assert_eq!(turns.begin_read("a", "o").unwrap_err(), ReadEnd::Busy);
        drop(other);
        assert!(turns.begin_read("a", "o").is_ok());
        assert_eq!(
            ended(second),
            None,
            "the end of the first one left it alone"
        );
    }
}
