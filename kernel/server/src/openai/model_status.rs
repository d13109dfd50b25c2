//! The state of the models of a `llama-server`, as it says it: the only model of one, and the state of each model of a router.

use sash_wire::LoadedModel;
use serde_json::Value;

/// Where a model of a router is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelStatus {
    /// In no memory.
    Unloaded,
    /// In no memory, because its last load failed.
    Failed,
    /// On its way into memory.
    Loading,
    /// In memory.
    Loaded,
    /// Ready, but its memory is free until somebody asks it.
    Sleeping,
    /// Not there yet, or just downloaded and not listed yet.
    Downloading,
}

impl ModelStatus {
    /// The state of an entry of the list; `None` for an entry of any server but a router.
    pub fn of(model: &Value) -> Option<Self> {
        let value = model.pointer("/status/value").and_then(Value::as_str)?;
        Some(match value {
            "loading" => Self::Loading,
            "loaded" => Self::Loaded,
            "sleeping" => Self::Sleeping,
            "downloading" | "downloaded" => Self::Downloading,
            _ if model.pointer("/status/failed") == Some(&Value::Bool(true)) => Self::Failed,
            _ => Self::Unloaded,
        })
    }

    /// Whether requests about the model are answered without loading it.
    pub fn is_running(self) -> bool {
        matches!(self, Self::Loaded | Self::Sleeping)
    }
}

/// A model in memory, by its entry in the list. It says how large the model is, and not how much memory it takes.
pub fn loaded_model(model: &Value) -> Option<LoadedModel> {
    let is_asleep = match ModelStatus::of(model) {
        Some(status) if !status.is_running() => return None,
        status => status == Some(ModelStatus::Sleeping),
    };
    Some(LoadedModel {
        name: model.get("id").and_then(Value::as_str)?.to_owned(),
        context_length: model.pointer("/meta/n_ctx").and_then(Value::as_u64),
        is_asleep,
        ..LoadedModel::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_state_of_a_model_is_what_its_router_says() {
        let of = |status: Value| ModelStatus::of(&json!({ "status": status }));
        for (value, expected) in [
            ("unloaded", ModelStatus::Unloaded),
            ("loading", ModelStatus::Loading),
            ("loaded", ModelStatus::Loaded),
            ("sleeping", ModelStatus::Sleeping),
            ("downloading", ModelStatus::Downloading),
            ("downloaded", ModelStatus::Downloading),
            ("something new", ModelStatus::Unloaded),
        ] {
            assert_eq!(of(json!({ "value": value })), Some(expected), "{value}");
        }
        let failed = json!({"value":"unloaded","failed":true,"exit_code":1});
        assert_eq!(of(failed), Some(ModelStatus::Failed));
        assert_eq!(of(Value::Null), None);
    }
}
