//! The events of a router: how far a model is loaded or downloaded.

use sash_calls::LayerProgress;
use serde_json::Value;

/// The most characters of the name of a file. File systems take no longer one.
const MAX_FILE_NAME: usize = 255;

/// An event of a router.
#[derive(Debug, PartialEq)]
pub enum RouterEvent {
    /// A model is loading; so many percent are done.
    Loading(u8),
    /// Files of a model are coming.
    Downloading(Vec<LayerProgress>),
    /// A model was downloaded, or could not be.
    Downloaded(bool),
}

impl RouterEvent {
    /// The model of an event, and what happens to it; `None` for an event of another kind.
    pub fn read(event: &Value) -> Option<(&str, Self)> {
        let model = event.get("model").and_then(Value::as_str)?;
        let data = event.get("data").unwrap_or(&Value::Null);
        let read = match event.get("event").and_then(Value::as_str)? {
            "download_finished" => Self::Downloaded(true),
            "download_failed" => Self::Downloaded(false),
            "download_progress" => Self::Downloading(files(data)),
            // b11434 calls the progress of loading otherwise than its documentation does.
            "status_change" | "model_status" => Self::Loading(percent(data.get("progress")?)?),
            _ => return None,
        };
        Some((model, read))
    }
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

/// The files of a download, by the last part of their addresses.
fn files(data: &Value) -> Vec<LayerProgress> {
    let files = data.get("progress").unwrap_or(data).as_object();
    let file = |(url, progress): (&String, &Value)| {
        let count = |key: &str| progress.get(key).and_then(Value::as_u64);
        let total = count("total")?;
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or(path);
        Some(LayerProgress {
            digest: name.chars().take(MAX_FILE_NAME).collect(),
            total,
            completed: count("done").unwrap_or_default().min(total),
        })
    };
    files.into_iter().flatten().filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Those of `llama-server` b11434, as it sends them and as it documents them.
    #[test]
    fn events_say_how_far_a_model_is_loaded_or_downloaded() {
        let loading = |event: &str, stages: Value, current: &str, value: f64| {
            let progress = json!({"stages":stages,"current":current,"value":value});
            let event =
                json!({"model":"m","event":event,"data":{"status":"loading","progress":progress}});
            RouterEvent::read(&event).map(|(model, event)| (model.to_owned(), event))
        };
        let one = json!(["text_model"]);
        let two = json!(["text_model", "mmproj_model"]);
        let at = |percent| Some(("m".to_owned(), RouterEvent::Loading(percent)));
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
        let file = LayerProgress {
            digest: "model.gguf".to_owned(),
            total: 20,
            completed: 10,
        };
        let map = json!({"https://host/a/model.gguf?x=/y":{"done":10,"total":20}});
        for data in [map.clone(), json!({ "progress": map })] {
            let event = json!({"model":"m","event":"download_progress","data":data});
            let expected = RouterEvent::Downloading(vec![file.clone()]);
            assert_eq!(RouterEvent::read(&event), Some(("m", expected)));
        }
        for (event, ok) in [("download_finished", true), ("download_failed", false)] {
            let event = json!({"model":"m","event":event});
            assert_eq!(
                RouterEvent::read(&event),
                Some(("m", RouterEvent::Downloaded(ok)))
            );
        }
        for other in [
            json!({}),
            json!({"model":"*","event":"models_reload"}),
            json!({"model":"m","event":"model_status","data":{"status":"loaded"}}),
            json!({"model":7,"event":"download_failed"}),
        ] {
            assert_eq!(RouterEvent::read(&other), None, "{other}");
        }
    }
}
