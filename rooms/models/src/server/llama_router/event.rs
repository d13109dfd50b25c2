//! The events of a router: how far a model is downloaded.

use crate::LayerProgress;
use serde_json::Value;

/// The most characters of the name of a file. File systems take no longer one.
const MAX_FILE_NAME: usize = 255;

/// An event of a download.
#[derive(Debug, PartialEq)]
pub enum DownloadEvent {
    /// Files of a model are coming.
    Downloading(Vec<LayerProgress>),
    /// A model was downloaded, or could not be.
    Downloaded(bool),
}

impl DownloadEvent {
    /// The model of an event, and what happens to it; `None` for an event of another kind.
    pub fn read(event: &Value) -> Option<(&str, Self)> {
        let model = event.get("model").and_then(Value::as_str)?;
        let data = event.get("data").unwrap_or(&Value::Null);
        let read = match event.get("event").and_then(Value::as_str)? {
            "download_finished" => Self::Downloaded(true),
            "download_failed" => Self::Downloaded(false),
            "download_progress" => Self::Downloading(files(data)),
            _ => return None,
        };
        Some((model, read))
    }
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
    fn events_say_how_far_a_model_is_downloaded() {
        let file = LayerProgress {
            digest: "model.gguf".to_owned(),
            total: 20,
            completed: 10,
        };
        let map = json!({"https://host/a/model.gguf?x=/y":{"done":10,"total":20}});
        for data in [map.clone(), json!({ "progress": map })] {
            let event = json!({"model":"m","event":"download_progress","data":data});
            let expected = DownloadEvent::Downloading(vec![file.clone()]);
            assert_eq!(DownloadEvent::read(&event), Some(("m", expected)));
        }
        for (event, ok) in [("download_finished", true), ("download_failed", false)] {
            let event = json!({"model":"m","event":event});
            assert_eq!(
                DownloadEvent::read(&event),
                Some(("m", DownloadEvent::Downloaded(ok)))
            );
        }
        for other in [
            json!({}),
            json!({"model":"*","event":"models_reload"}),
            json!({"model":"m","event":"model_status","data":{"status":"loaded"}}),
            json!({"model":7,"event":"download_failed"}),
        ] {
            assert_eq!(DownloadEvent::read(&other), None, "{other}");
        }
    }
}
