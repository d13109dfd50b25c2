//! The id of a model: its name, and the engine that has it.

use std::borrow::Cow;

/// Separates engine and name in a key. No engine lists a model whose name has a control character.
const SEPARATOR: char = '\t';

/// A model of one engine. Two engines may have models of the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelId {
    /// The engine's name in the server's configuration; `None` is the first engine.
    pub engine: Option<String>,
    /// The model's name at its engine.
    pub name: String,
}

impl ModelId {
    /// The model of this name at this engine.
    #[must_use]
    pub fn new(engine: Option<&str>, name: &str) -> Self {
        Self {
            engine: engine.map(str::to_owned),
            name: name.to_owned(),
        }
    }

    /// The model of a record that has engine and name in two fields; `None` without a name.
    #[must_use]
    pub fn from_fields(engine: Option<&str>, name: Option<&str>) -> Option<Self> {
        name.map(|name| Self::new(engine, name))
    }

    /// Engine and name, for the two fields of a record.
    #[must_use]
    pub fn into_fields(model: Option<Self>) -> (Option<String>, Option<String>) {
        match model {
            Some(Self { engine, name }) => (engine, Some(name)),
            None => (None, None),
        }
    }

    /// A text that is different for each model of each engine, and the name alone for a model of the first engine.
    /// Settings by model are stored under it.
    #[must_use]
    pub fn key(&self) -> Cow<'_, str> {
        match &self.engine {
            None => Cow::Borrowed(&self.name),
            Some(engine) => Cow::Owned(format!("{engine}{SEPARATOR}{}", self.name)),
        }
    }
}

impl From<&str> for ModelId {
    /// Reads a key.
    fn from(key: &str) -> Self {
        match key.split_once(SEPARATOR) {
            Some((engine, name)) => Self::new(Some(engine), name),
            None => Self::new(None, key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_record_are_read_back_and_an_engine_without_a_name_is_no_model() {
        for model in [
            Some(ModelId::new(None, "small")),
            Some(ModelId::new(Some("box"), "big")),
            None,
        ] {
            let (engine, name) = ModelId::into_fields(model.clone());
            assert_eq!(
                ModelId::from_fields(engine.as_deref(), name.as_deref()),
                model
            );
        }
        assert_eq!(ModelId::from_fields(Some("box"), None), None);
    }

    #[test]
    fn a_key_is_read_back_and_tells_two_engines_apart() {
        let ids = [
            ModelId::new(None, "llama3.2:latest"),
            ModelId::new(Some("box"), "llama3.2:latest"),
            ModelId::new(Some("vllm"), "Qwen/Qwen2.5 7B @ home"),
        ];
        for id in &ids {
            assert_eq!(ModelId::from(&*id.key()), *id);
        }
        assert_eq!(ids[0].key(), "llama3.2:latest");
        assert_ne!(ids[0].key(), ids[1].key());
    }
}
