//! How fast models read prompts, from the answers of this page: the only hint at how long a prompt takes where an engine
//! does not tell how far it is.

use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use sash_chat::ModelId;
use sash_wire::Usage;
use std::collections::{BTreeMap, VecDeque};

/// How many answers of a model count.
const ANSWERS: usize = 5;
/// The fewest tokens of a prompt that counts: a short one says more of the engine than of its speed.
const MIN_TOKENS: u64 = 100;
/// The shortest time of a prompt that counts, in milliseconds.
const MIN_TIME_MS: f64 = 50.0;

/// The tokens a millisecond of the last answers of each model, by its key.
#[derive(Clone, Copy)]
pub(super) struct ReadingSpeed(StoredValue<BTreeMap<String, VecDeque<f64>>>);

impl ReadingSpeed {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self(StoredValue::new(BTreeMap::new()))
    }

    /// Records how long a prompt took, if its engine told it. What stood in the engine's cache was not read.
    pub fn record(self, model: &ModelId, usage: &Usage) {
        let (Some(tokens), Some(ms)) = (usage.prompt_tokens, usage.prompt_ms) else {
            return;
        };
        let tokens = tokens.saturating_sub(usage.cached_tokens.unwrap_or_default());
        if tokens < MIN_TOKENS || ms < MIN_TIME_MS {
            return;
        }
        self.0.update_value(|known| {
            let speeds = known.entry(model.key().into_owned()).or_default();
            speeds.push_back(tokens as f64 / ms);
            if speeds.len() > ANSWERS {
                speeds.pop_front();
            }
        });
    }

    /// About how many milliseconds a model takes to read so many tokens, by the median of its last answers.
    pub fn ms_for(self, model: &ModelId, tokens: u64) -> Option<u64> {
        let speed = self.0.with_value(|known| {
            let mut speeds: Vec<f64> = known.get(&*model.key())?.iter().copied().collect();
            speeds.sort_by(f64::total_cmp);
            speeds.get(speeds.len() / 2).copied()
        })?;
        Some((tokens as f64 / speed) as u64)
    }
}
