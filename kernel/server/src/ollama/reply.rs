//! Parses Ollama's single documents tolerantly: every field may be missing, null, of another type, or
//! duplicated, and unknown fields are ignored.

use super::chat_template::{opens_thinking, think_choices};
use crate::engine::tokenizer::tokenizer_of_gguf;
use sash_chat::Think;
use sash_wire::{LoadedModel, ModelInfo, Rendered};
use serde_json::Value;
use std::collections::BTreeMap;

/// A model of `/api/tags`: the facts that need no request for details, and its digest.
#[must_use]
pub fn listed_model(model: &Value) -> Option<(ModelInfo, String)> {
    let name = [text(model, "name"), text(model, "model")]
        .into_iter()
        .find(|name| !name.is_empty())?;
    let details = model.get("details").unwrap_or(&Value::Null);
    let remote = ["remote_model", "remote_host"]
        .iter()
        .any(|key| !text(model, key).is_empty())
        || is_cloud_name(&name);
    let digest = text(model, "digest");
    let info = ModelInfo {
        digest: Some(digest.clone()).filter(|digest| !digest.is_empty()),
        size: number(model, "size"),
        family: text(details, "family"),
        parameter_size: text(details, "parameter_size"),
        quantization: text(details, "quantization_level"),
        context_length: details.get("context_length").and_then(Value::as_u64),
        capabilities: texts(model, "capabilities"),
        think: Vec::new(),
        parameters: BTreeMap::new(),
        tokenizer: String::new(),
        modified_at: text(model, "modified_at"),
        remote,
        engine: None,
        name,
        ..ModelInfo::default()
    };
    Some((info, digest))
}

/// Whether a name is one of those that Ollama gives to the models of its cloud.
#[must_use]
pub fn is_cloud_name(name: &str) -> bool {
    name.ends_with(":cloud") || name.ends_with("-cloud")
}

/// The details from `/api/show` that `/api/tags` lacks or reports unreliably.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShowDetails {
    /// The model's capabilities.
    pub capabilities: Vec<String>,
    /// The context length it was trained with, in tokens.
    pub context_length: Option<u64>,
    /// Whether it runs in Ollama's cloud.
    pub remote: bool,
    /// The values of `think` that have an effect on it; none without the capability `thinking`.
    pub think: Vec<Think>,
    /// The parameters that its file sets.
    pub parameters: BTreeMap<String, String>,
    /// Its tokenizer ([`ModelInfo::tokenizer`]).
    pub tokenizer: String,
    /// Whether its chat template opens the thinking, so that its answers contain the closing tag alone. False for a
    /// model with the capability `thinking`: Ollama separates its thinking.
    pub opens_thinking: bool,
}

impl ShowDetails {
    /// Parses an answer of `/api/show`.
    #[must_use]
    pub fn read(show: &Value) -> Self {
        let info = show.get("model_info").unwrap_or(&Value::Null);
        let key = format!("{}.context_length", text(info, "general.architecture"));
        let capabilities = texts(show, "capabilities");
        let thinks = capabilities.iter().any(|c| c == "thinking");
        let template = text(show, "template");
        let details = show.get("details").unwrap_or(&Value::Null);
        Self {
            think: match thinks {
                true => think_choices(&template, &text(details, "family")),
                false => Vec::new(),
            },
            parameters: file_parameters(&text(show, "parameters")),
            opens_thinking: !thinks && opens_thinking(&template),
            capabilities,
            context_length: info.get(&key).and_then(Value::as_u64),
            tokenizer: tokenizer_of_gguf(info),
            remote: !text(show, "remote_host").is_empty() || !text(show, "remote_model").is_empty(),
        }
    }
}

/// The most characters of a parameter's value that are passed on; all values together have a multiple of it.
const MAX_VALUE_CHARS: usize = 200;
/// The most lines of parameters that are read.
const MAX_PARAMETERS: usize = 64;

/// The parameters of a model file, one `name value` a line; texts are quoted. A name with several values has a line of
/// each.
fn file_parameters(lines: &str) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for line in lines.lines().take(MAX_PARAMETERS) {
        let Some((name, written)) = line.trim().split_once(char::is_whitespace) else {
            continue;
        };
        let written = written.trim();
        let unquoted = serde_json::from_str::<String>(written);
        let value = unquoted.unwrap_or_else(|_| written.to_owned());
        let value: String = value.chars().take(MAX_VALUE_CHARS).collect();
        all.entry(name.to_owned())
            .and_modify(|values| *values = format!("{values}\n{value}"))
            .or_insert(value);
    }
    all
}

/// The result of `_debug_render_only`; `None` from an Ollama that does not support it.
#[must_use]
pub fn rendered(reply: &Value) -> Option<Rendered> {
    let info = reply.get("_debug_info")?;
    Some(Rendered {
        prompt: Some(text(info, "rendered_template")).filter(|prompt| !prompt.is_empty())?,
        images: usize::try_from(number(info, "image_count")).unwrap_or_default(),
    })
}

/// The models of `/api/ps`.
#[must_use]
pub fn loaded(ps: &Value) -> Vec<LoadedModel> {
    items(ps, "models")
        .map(|model| LoadedModel {
            name: [text(model, "name"), text(model, "model")]
                .into_iter()
                .find(|name| !name.is_empty())
                .unwrap_or_default(),
            context_length: model.get("context_length").and_then(Value::as_u64),
            expires_at: text(model, "expires_at"),
            size: number(model, "size"),
            size_vram: number(model, "size_vram"),
            ..LoadedModel::default()
        })
        .collect()
}

/// The entries of a list, which may be missing or null.
pub fn items<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    let list = value.get(key).and_then(Value::as_array);
    list.map(Vec::as_slice).unwrap_or_default().iter()
}

/// A text, which may be missing or null.
#[must_use]
pub fn text(value: &Value, key: &str) -> String {
    let text = value.get(key).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// The texts of a list, which may be missing or null.
#[must_use]
pub fn texts(value: &Value, key: &str) -> Vec<String> {
    items(value, key)
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

pub(super) fn number(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_may_be_null_and_models_bare() {
        assert_eq!(items(&json!({"models":null}), "models").count(), 0);
        assert_eq!(listed_model(&json!({"size":1})), None);
        let (model, digest) =
            listed_model(&json!({"model":"gpt-oss:120b-cloud","details":null})).unwrap();
        assert!(model.remote);
        assert_eq!((digest.as_str(), model.digest), ("", None));
    }

    #[test]
    fn details_come_from_the_models_architecture() {
        let show = json!({"capabilities":["completion","tools"],
            "model_info":{"general.architecture":"llama","llama.context_length":131072}});
        let details = ShowDetails::read(&show);
        assert_eq!(details.context_length, Some(131_072));
        assert_eq!(details.capabilities, ["completion", "tools"]);
        assert_eq!(
            ShowDetails::read(&json!({"model_info":null})),
            ShowDetails::default()
        );
    }

    #[test]
    fn a_model_thinks_as_its_capability_and_its_template_say() {
        let show = |capabilities: Value, template: &str| {
            ShowDetails::read(
                &json!({"capabilities":capabilities,"template":template,"details":{"family":"x"}}),
            )
        };
        let open = "{{ .Prompt }}<think>\n";
        let plain = show(json!(["completion"]), open);
        assert_eq!(
            (plain.think.as_slice(), plain.opens_thinking),
            (&[][..], true)
        );
        let able = show(json!(["completion", "thinking"]), open);
        assert_eq!(able.think, [Think::On, Think::Off]);
        assert!(!able.opens_thinking, "Ollama separates it");
        let none = show(json!(["completion"]), "{{ .Prompt }}");
        assert!(!none.opens_thinking);
    }

    #[test]
    fn the_parameters_of_a_model_file_are_read_line_by_line() {
        let lines = "temperature                    0.6\nstop                           \"<|im_start|>\"\nstop                           \"a \\\"b\"\n\nodd\n";
        let read = file_parameters(lines);
        let read: Vec<(&str, &str)> = read.iter().map(|(n, v)| (&**n, &**v)).collect();
        assert_eq!(
            read,
            [("stop", "<|im_start|>\na \"b"), ("temperature", "0.6")]
        );
        assert!(file_parameters("").is_empty());
    }

    #[test]
    fn a_rendering_is_known_by_its_field() {
        let reply =
            json!({"done":false,"_debug_info":{"rendered_template":"<|x|>","image_count":2}});
        let (prompt, images) = ("<|x|>".to_owned(), 2);
        assert_eq!(rendered(&reply), Some(Rendered { prompt, images }));
        for reply in [
            json!({"message":{"content":"Hello"},"done":true,"eval_count":1}),
            json!({"_debug_info":null}),
            json!({"_debug_info":{"image_count":1}}),
            json!({"_debug_info":{"rendered_template":""}}),
        ] {
            assert_eq!(rendered(&reply), None, "{reply}");
        }
    }
}
