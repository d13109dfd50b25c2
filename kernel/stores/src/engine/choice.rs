//! The models to choose from, in the order in which the picker offers them.

use sash_wire::ModelInfo;

/// The models that have all words of a search: those used last first, the others in their order.
/// `recent` holds keys of models.
#[must_use]
pub fn models_to_choose(models: &[ModelInfo], recent: &[String], search: &str) -> Vec<ModelInfo> {
    let found = models.iter().filter(|model| is_found(model, search));
    let mut found: Vec<ModelInfo> = found.cloned().collect();
    let place = |model: &ModelInfo| {
        let id = model.id();
        let at = recent.iter().position(|key| *key == id.key());
        at.unwrap_or(usize::MAX)
    };
    found.sort_by_key(place);
    found
}

/// Whether a model has all words of a search in its name or in what is said of it.
pub fn is_found(model: &ModelInfo, search: &str) -> bool {
    let said = [
        &model.name,
        &model.family,
        &model.parameter_size,
        &model.quantization,
        &model.capabilities.join(" "),
    ];
    let said = said.map(|text| text.to_ascii_lowercase()).join(" ");
    search
        .to_ascii_lowercase()
        .split_whitespace()
        .all(|word| said.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str, capabilities: &[&str]) -> ModelInfo {
        ModelInfo {
            name: name.to_owned(),
            capabilities: capabilities.iter().map(|&c| c.to_owned()).collect(),
            ..ModelInfo::default()
        }
    }

    fn names(recent: &[&str], search: &str) -> Vec<String> {
        let models = [
            model("llama3.2:latest", &["completion", "tools"]),
            model("qwen3:4b", &["completion", "thinking"]),
            model("gemma3:4b", &["completion", "vision"]),
        ];
        let recent: Vec<String> = recent.iter().map(|&name| name.to_owned()).collect();
        let found = models_to_choose(&models, &recent, search);
        found.into_iter().map(|model| model.name).collect()
    }

    #[test]
    fn the_models_used_last_come_first_and_the_others_keep_their_order() {
        assert_eq!(
            names(&["gemma3:4b", "gone:latest"], ""),
            ["gemma3:4b", "llama3.2:latest", "qwen3:4b"]
        );
    }

    #[test]
    fn a_search_finds_names_and_what_a_model_can_do() {
        assert_eq!(names(&[], "4B"), ["qwen3:4b", "gemma3:4b"]);
        assert_eq!(names(&[], "vision"), ["gemma3:4b"]);
        assert_eq!(names(&[], "mistral"), Vec::<String>::new());
    }

    #[test]
    fn every_word_of_a_search_must_be_said_of_the_model() {
        let llama = ModelInfo {
            parameter_size: "3.2B".to_owned(),
            ..model("llama3.2:3b", &["completion", "tools"])
        };
        for search in ["", " ", "LLAMA", "3b tools", "3.2B llama"] {
            assert!(is_found(&llama, search), "{search}");
        }
        for search in ["qwen", "llama vision"] {
            assert!(!is_found(&llama, search), "{search}");
        }
    }
}
