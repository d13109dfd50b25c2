//! The models to choose from, in the order in which the picker offers them.

use super::sorting::is_found;
use sash_wire::ModelInfo;

/// How many models are remembered as used last.
const MAX_RECENT: usize = 12;

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

/// Puts a model first among those used last.
pub(crate) fn note_recent(recent: &mut Vec<String>, model: &str) {
    recent.retain(|name| name != model);
    recent.insert(0, model.to_owned());
    recent.truncate(MAX_RECENT);
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
    fn a_model_is_remembered_once_and_the_list_stays_short() {
        let mut recent = Vec::new();
        for n in 0..20 {
            note_recent(&mut recent, &format!("m{n}"));
        }
        note_recent(&mut recent, "m18");
        assert_eq!(recent.len(), MAX_RECENT);
        assert_eq!(recent[..3], ["m18", "m19", "m17"]);
    }
}
