//! Progress of the models that a router of `llama-server` is loading.

use super::OpenAi;
use reqwest::Method;
use sash_wire::{LineDecoder, LoadingModel};
use serde_json::Value;
use std::time::Duration;

/// How long the events are read that say how far models are loaded.
const EVENTS_TIME: Duration = Duration::from_secs(1);

impl OpenAi {
    /// How far the models are that a router is loading, as far as it says so at once: the events come as the load goes
    /// on, and none of them is kept.
    pub(super) async fn loading(&self, names: Vec<String>) -> Vec<LoadingModel> {
        let mut loading: Vec<LoadingModel> = names
            .into_iter()
            .map(|name| LoadingModel {
                name,
                percent: None,
            })
            .collect();
        if loading.is_empty() {
            return loading;
        }
        // What was read until the time is over is kept.
        let read = self.read_loading(&mut loading);
        tokio::time::timeout(EVENTS_TIME, read).await.ok();
        loading
    }

    /// Reads events until each of the models has one.
    async fn read_loading(&self, loading: &mut [LoadingModel]) {
        let request = self.http.request(Method::GET, "/models/sse");
        let Ok(mut events) = self.http.stream(request, "event-stream").await else {
            return;
        };
        let mut decoder = LineDecoder::default();
        while let Ok(Some(bytes)) = events.chunk().await {
            decoder.push(&bytes);
            while let Ok(Some(line)) = decoder.next_line() {
                let Some(event) = self.event(line) else {
                    continue;
                };
                if let Some((name, percent)) = loading_event(&event) {
                    let mut known = loading.iter_mut();
                    if let Some(model) = known.find(|model| model.name == name) {
                        model.percent = Some(percent);
                    }
                }
            }
            if loading.iter().all(|model| model.percent.is_some()) {
                return;
            }
        }
    }

    /// The event of a line of `/models/sse`.
    #[must_use]
    pub fn event(&self, line: &[u8]) -> Option<Value> {
        let data = line.strip_prefix(b"data:")?;
        self.http.reader().object(data.trim_ascii_start()).ok()
    }
}

/// The model that an event says is loading, and how many percent are done; `None` for an event of another kind.
fn loading_event(event: &Value) -> Option<(&str, u8)> {
    // b11434 calls the progress of loading otherwise than its documentation does.
    let is_loading = matches!(
        event.get("event")?.as_str()?,
        "status_change" | "model_status"
    );
    let progress = event.pointer("/data/progress").filter(|_| is_loading)?;
    Some((event.get("model")?.as_str()?, percent(progress)?))
}

/// How far a model is loaded: its parts come one after the other.
fn percent(progress: &Value) -> Option<u8> {
    let stages = progress.get("stages").and_then(Value::as_array)?;
    let current = progress.get("current")?;
    let before = stages.iter().position(|stage| stage == current)?;
    let part = progress.get("value").and_then(Value::as_f64)?;
    let done = (before as f64 + part.clamp(0.0, 1.0)) / stages.len() as f64;
    Some((done * 100.0) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Those of `llama-server` b11434, as it sends them and as it documents them.
    #[test]
    fn events_say_how_far_a_model_is_loaded() {
        let loading = |event: &str, stages: Value, current: &str, value: f64| {
            let progress = json!({"stages":stages,"current":current,"value":value});
            let event =
                json!({"model":"m","event":event,"data":{"status":"loading","progress":progress}});
            loading_event(&event).map(|(model, percent)| (model.to_owned(), percent))
        };
        let one = json!(["text_model"]);
        let two = json!(["text_model", "mmproj_model"]);
        let at = |percent| Some(("m".to_owned(), percent));
        assert_eq!(
            loading("status_change", one.clone(), "text_model", 0.42),
            at(42)
        );
        assert_eq!(
            loading("model_status", two.clone(), "mmproj_model", 0.5),
            at(75)
        );
        assert_eq!(loading("status_change", two, "text_model", 7.0), at(50));
        assert_eq!(loading("status_change", one, "other", 0.5), None);
        for other in [
            json!({}),
            json!({"model":"*","event":"models_reload"}),
            json!({"model":"m","event":"model_status","data":{"status":"loaded"}}),
        ] {
            assert_eq!(loading_event(&other), None, "{other}");
        }
    }
}
