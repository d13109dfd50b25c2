//! The models of a `llama-server` that is a router of several: where they are, and the events that tell of them.

use super::locks::hold;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Mutex;
use tokio::sync::broadcast;

/// How many events a reader may be behind.
const BACKLOG: usize = 1024;

/// Where a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelPlace {
    /// In no memory.
    Unloaded,
    /// On its way into memory.
    Loading,
    /// In memory.
    Loaded,
    /// Not there yet.
    Downloading,
}

impl ModelPlace {
    /// Its name in the list.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unloaded => "unloaded",
            Self::Loading => "loading",
            Self::Loaded => "loaded",
            Self::Downloading => "downloading",
        }
    }
}

/// The states of a router's models, and its events.
pub struct ModelRouter {
    places: Mutex<HashMap<String, ModelPlace>>,
    events: broadcast::Sender<String>,
}

impl Default for ModelRouter {
    fn default() -> Self {
        Self {
            places: Mutex::default(),
            events: broadcast::Sender::new(BACKLOG),
        }
    }
}

impl ModelRouter {
    /// Where a model is.
    pub fn place(&self, model: &str) -> ModelPlace {
        let places = hold(&self.places);
        places.get(model).copied().unwrap_or(ModelPlace::Unloaded)
    }

    /// Unloads all models.
    pub fn reset(&self) {
        hold(&self.places).clear();
    }

    /// Puts a model somewhere.
    pub fn put(&self, model: &str, place: ModelPlace) {
        hold(&self.places).insert(model.to_owned(), place);
    }

    /// Sends an event about a model.
    pub fn tell(&self, model: &str, event: &str, data: &Value) {
        let event = json!({"model": model, "event": event, "data": data});
        // Without a reader nobody hears it.
        self.events.send(format!("data: {event}\n\n")).ok();
    }

    /// Sends an event that says where a model is.
    pub fn tell_place(&self, model: &str, event: &str) {
        let place = self.place(model).name();
        self.tell(model, event, &json!({ "status": place }));
    }

    /// The models that are somewhere.
    pub fn at(&self, wanted: ModelPlace) -> Vec<String> {
        let places = hold(&self.places);
        let there = places.iter().filter(|(_, place)| **place == wanted);
        there.map(|(name, _)| name.clone()).collect()
    }

    /// The events from now on.
    pub fn events(&self) -> broadcast::Receiver<String> {
        self.events.subscribe()
    }
}
