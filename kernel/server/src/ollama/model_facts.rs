//! A fact about models, by their name: a request names its model, and the cache of details is by digest.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long an entry is used: another model may be pulled or created under the same name.
const LIFETIME: Duration = Duration::from_secs(300);
/// The cache is cleared when it reaches this many models.
const MAX_MODELS: usize = 1000;

/// Whether something holds of a model, by the model's name at one Ollama.
#[derive(Debug, Default)]
pub struct ModelFacts(Mutex<HashMap<String, (Instant, bool)>>);

impl ModelFacts {
    /// What is known of a model of the Ollama at this address; `None` if it is not known or too old.
    #[must_use]
    pub fn get(&self, address: &str, model: &str) -> Option<bool> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, holds) = known.get(&key(address, model))?;
        (at.elapsed() < LIFETIME).then_some(*holds)
    }

    /// Stores what the details of a model say.
    pub fn insert(&self, address: &str, model: &str, holds: bool) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_MODELS {
            known.clear();
        }
        known.insert(key(address, model), (Instant::now(), holds));
    }
}

fn key(address: &str, model: &str) -> String {
    let name = sash_wire::short_name(model).to_ascii_lowercase();
    format!("{address} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_under_each_spelling_of_its_name_at_its_own_ollama() {
        let cache = ModelFacts::default();
        cache.insert("http://a", "Tiny:latest", true);
        cache.insert("http://b", "tiny", false);
        assert_eq!(cache.get("http://a", "tiny"), Some(true));
        assert_eq!(cache.get("http://b", "tiny:latest"), Some(false));
        assert_eq!(cache.get("http://c", "tiny"), None);
    }
}
