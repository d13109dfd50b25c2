//! The engines of the server's configuration, as the page knows them: by name, never by address.

use super::EngineReach;
use sash_words::t;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};

/// The API that an engine speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineKind {
    /// Ollama's own.
    #[default]
    Ollama,
    /// The OpenAI chat API, as vLLM, llama-server, SGLang, LM Studio and gateways speak it.
    #[serde(rename = "openai")]
    OpenAi,
}

/// What not every engine can do, beside listing its models and answering prompts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineAction {
    /// Download a model.
    Pull,
    /// Load a model into memory and unload it.
    Load,
    /// Delete a model.
    Delete,
    /// Tell the template, licence and other texts of a model.
    Details,
    /// Show the prompt after the model's chat template.
    Render,
    /// Make vectors of texts with an embedding model.
    Embed,
    /// Count the tokens of a prompt without reading it.
    Count,
    /// End the thinking of an answer that runs.
    EndThinking,
}

impl EngineAction {
    /// What an Ollama can do.
    pub const OLLAMA: [Self; 6] = [
        Self::Pull,
        Self::Load,
        Self::Delete,
        Self::Details,
        Self::Render,
        Self::Embed,
    ];

    /// The action in words, after "cannot".
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Pull => t!(wire.action_pull_models),
            Self::Load => t!(wire.action_load_models),
            Self::Delete => t!(wire.action_delete_models),
            Self::Details => t!(wire.action_show_details),
            Self::Render => t!(wire.action_show_prompt),
            Self::Embed => t!(wire.action_make_vectors),
            Self::Count => t!(wire.action_count_tokens),
            Self::EndThinking => t!(wire.action_end_thinking),
        }
    }
}

/// An engine of the server's configuration.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineInfo {
    /// Its name.
    pub name: String,
    /// The API that it speaks.
    pub kind: EngineKind,
    /// What it can do; the page offers nothing else.
    #[serde_as(as = "VecSkipError<_>")]
    pub can: Vec<EngineAction>,
    /// The parameters that it takes, by Ollama's names; absent where it takes any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<String>>,
    /// How it is reached: what may go there before the person sends anything depends on it.
    #[serde_as(as = "DefaultOnError")]
    pub reach: EngineReach,
    /// A digest of the engine's address: what the person allowed an engine holds for its name *and* this, so that a name
    /// that moved to another address is asked about again. Empty from a server that tells none.
    pub address_digest: String,
}

impl EngineInfo {
    /// Whether the engine takes a parameter.
    #[must_use]
    pub fn accepts(&self, parameter: &str) -> bool {
        let known = self.parameters.as_ref();
        known.is_none_or(|known| known.iter().any(|name| name == parameter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_says_what_it_can_do_and_what_is_new_is_left_out() {
        let text = r#"{"name":"box","kind":"openai","can":["pull","fly"],"parameters":["top_p"]}"#;
        let engine: EngineInfo = serde_json::from_str(text).unwrap();
        assert_eq!(
            (engine.kind, &*engine.can),
            (EngineKind::OpenAi, &[EngineAction::Pull][..])
        );
        assert!(engine.accepts("top_p") && !engine.accepts("num_ctx"));
        assert!(EngineInfo::default().accepts("num_ctx"));
    }
}
