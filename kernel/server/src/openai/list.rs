//! Parses the list of models, and what `llama-server` adds to it in `/props`, as tolerantly as everything of an engine.
//!
//! Only a `llama-server` says what a model can do. Of any other server's model nothing is known, and everything is offered.

use super::model_status::{ModelStatus, loaded_model};
use crate::engine::tokenizer::tokenizer_of_vocabulary;
use sash_chat::Think;
use sash_wire::{LoadedModel, ModelInfo};
use serde_json::Value;

/// The longest name of a model, in bytes. Some engines name a model by its path.
pub const MAX_MODEL_NAME: usize = 512;

/// Whether a text can be the name of a model.
pub fn is_model_name(name: &str) -> bool {
    let fits = (1..=MAX_MODEL_NAME).contains(&name.len());
    fits && !name.trim().is_empty() && !name.chars().any(char::is_control)
}

/// The entry of a model.
pub fn entry<'a>(list: &'a Value, model: &str) -> Option<&'a Value> {
    entries(list).find(|entry| entry.get("id").and_then(Value::as_str) == Some(model))
}

/// The context length with which a model is served; a `llama-server` in front of one model has it whatever the name.
pub fn context(list: &Value, model: &str) -> Option<u64> {
    let mut all = entries(list);
    let only = all.next().filter(|_| all.next().is_none());
    let entry = entry(list, model).or(only.filter(|_| is_llama_server(list)))?;
    let number = |path: &str| entry.pointer(path).and_then(Value::as_u64);
    number("/max_model_len").or_else(|| number("/meta/n_ctx"))
}

/// Whether the list has no entry.
pub fn is_empty(list: &Value) -> bool {
    entries(list).next().is_none()
}

/// Whether the list is that of a `llama-server` that is a router of several models.
pub fn is_router(list: &Value) -> bool {
    is_llama_server(list) && entries(list).any(|model| ModelStatus::of(model).is_some())
}

/// The models in memory, of a server that says so.
pub fn loaded(list: &Value) -> Vec<LoadedModel> {
    match is_llama_server(list) {
        true => entries(list).filter_map(loaded_model).collect(),
        false => Vec::new(),
    }
}

/// The names of the models that a router is loading.
pub fn loading(list: &Value) -> Vec<String> {
    let loading =
        entries(list).filter(|model| ModelStatus::of(model) == Some(ModelStatus::Loading));
    let names = loading.filter_map(|model| model.get("id").and_then(Value::as_str));
    names.map(str::to_owned).collect()
}

fn entries(list: &Value) -> impl Iterator<Item = &Value> {
    let entries = list.get("data").and_then(Value::as_array);
    entries.map(Vec::as_slice).unwrap_or_default().iter()
}

/// The models of `/v1/models`, those in memory first: a new chat begins with the first. vLLM tells the context length
/// that it serves; `llama-server` the one that the model was trained with, which [`add_props`] corrects.
pub fn models(list: &Value) -> Vec<ModelInfo> {
    let named = entries(list).filter_map(|model| {
        let name = model.get("id").and_then(Value::as_str)?;
        // What a router is still downloading is no model yet.
        let is_there = ModelStatus::of(model) != Some(ModelStatus::Downloading);
        (is_model_name(name) && is_there).then_some((name, model))
    });
    let mut models: Vec<(bool, ModelInfo)> = named
        .map(|(name, model)| {
            let number = |path: &str| model.pointer(path).and_then(Value::as_u64);
            let context = number("/max_model_len").or_else(|| number("/meta/n_ctx"));
            let info = ModelInfo {
                name: name.to_owned(),
                capabilities: capabilities(model),
                size: number("/meta/size").unwrap_or_default(),
                parameter_size: number("/meta/n_params")
                    .map(parameter_size)
                    .unwrap_or_default(),
                context_length: context.or_else(|| number("/meta/n_ctx_train")),
                tokenizer: tokenizer_of_vocabulary(
                    number("/meta/vocab_type"),
                    number("/meta/n_vocab"),
                )
                .to_owned(),
                is_fixed: model.get("can_remove") == Some(&Value::Bool(false)),
                failed_to_load: ModelStatus::of(model) == Some(ModelStatus::Failed),
                ..ModelInfo::default()
            };
            (ModelStatus::of(model) != Some(ModelStatus::Loaded), info)
        })
        .collect();
    models.sort_by_key(|(is_away, _)| *is_away);
    models.into_iter().map(|(_, model)| model).collect()
}

/// What a model of a `llama-server` can do, as far as the list says it: what it takes. Whether its template reads tools
/// is in its `/props`.
fn capabilities(model: &Value) -> Vec<String> {
    let kinds = |path: &str| {
        let kinds = model.pointer(path).and_then(Value::as_array);
        kinds.map(|kinds| kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>())
    };
    let Some(takes) = kinds("/architecture/input_modalities") else {
        return Vec::new();
    };
    let gives = kinds("/architecture/output_modalities");
    let mut capabilities = Vec::new();
    if gives.is_none_or(|gives| gives.contains(&"text")) {
        capabilities.extend(["completion", "tools"]);
    }
    if takes.contains(&"image") {
        capabilities.push("vision");
    }
    capabilities.into_iter().map(str::to_owned).collect()
}

/// Whether a `llama-server` has a model in memory: the only one that it serves, or one of a router that is loaded and not
/// asleep.
pub fn is_loaded_in(list: &Value, model: &str) -> bool {
    let status = entry(list, model).and_then(ModelStatus::of);
    status.is_none_or(|status| status == ModelStatus::Loaded)
}

/// The models whose `/props` can be asked for without loading anything: the only model of a `llama-server`, and of a
/// router those that are loaded, or sleep.
pub fn with_props(list: &Value) -> Vec<String> {
    if !is_llama_server(list) {
        return Vec::new();
    }
    let ready =
        entries(list).filter(|model| ModelStatus::of(model).is_none_or(ModelStatus::is_running));
    let names = ready.filter_map(|model| model.get("id").and_then(Value::as_str));
    names.map(str::to_owned).collect()
}

/// Whether the list is that of a `llama-server`.
pub fn is_llama_server(list: &Value) -> bool {
    let owner = |model: &Value| model.get("owned_by").and_then(Value::as_str) == Some("llamacpp");
    entries(list).any(owner)
}

/// Adds what the `/props` of a `llama-server` say: the context length of a request, and what its chat template reads:
/// tools, and what of thinking.
pub fn add_props(model: &mut ModelInfo, props: &Value) {
    let context = props.pointer("/default_generation_settings/n_ctx");
    let context = context.and_then(Value::as_u64).filter(|tokens| *tokens > 0);
    model.context_length = context.or(model.context_length);
    let template = props.get("chat_template").and_then(Value::as_str);
    model.think = think_choices(template.unwrap_or_default());
    // A template that reads no tools drops them without a word.
    let tools = props.pointer("/chat_template_caps/supports_tools");
    if tools == Some(&Value::Bool(false)) {
        model.capabilities.retain(|can| can != "tools");
    }
    if !model.think.is_empty() && !model.capabilities.is_empty() {
        model.capabilities.push("thinking".to_owned());
    }
}

/// The variables from which a template reads how much to think. `llama-server` sets both to `reasoning_effort`.
const LEVEL_VARIABLES: [&str; 2] = ["reasoning_effort", "reasoning_strength"];
/// The levels of a template that inserts the level without naming any.
const USUAL_LEVELS: [Think; 3] = [Think::Low, Think::Medium, Think::High];

/// The values of thinking that have an effect on a chat template; none where that cannot be seen.
fn think_choices(template: &str) -> Vec<Think> {
    let mut choices = Vec::new();
    if reads(template, "enable_thinking").next().is_some() {
        choices.extend([Think::On, Think::Off]);
    }
    let mut named = Vec::new();
    let mut inserts = false;
    for rest in LEVEL_VARIABLES
        .iter()
        .flat_map(|name| reads(template, name))
    {
        let rest = rest.strip_prefix("| lower").unwrap_or(rest).trim_start();
        let compares = ["==", "in ", "not in "]
            .iter()
            .any(|start| rest.starts_with(start));
        if compares {
            let end = rest.find("%}").unwrap_or(rest.len());
            named.push(rest.get(..end).unwrap_or_default());
        }
        inserts |= !compares && !rest.starts_with("is ");
    }
    let levels = [Think::Low, Think::Medium, Think::High, Think::Max];
    let is_named = |level: &Think| {
        let quoted = ['"', '\''].map(|quote| format!("{quote}{}{quote}", level.name()));
        named
            .iter()
            .any(|text| quoted.iter().any(|name| text.contains(name.as_str())))
    };
    let compared: Vec<Think> = levels.into_iter().filter(is_named).collect();
    match inserts && compared.is_empty() {
        true => choices.extend(USUAL_LEVELS),
        false => choices.extend(compared),
    }
    choices
}

/// What follows each place where a Jinja template reads a variable. It is no reading where the template sets it, and none
/// where something else only has this name: a field, a text, a longer name.
fn reads<'a>(template: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    template.match_indices(name).filter_map(move |(at, _)| {
        let before = template.get(..at)?.chars().next_back();
        let rest = template.get(at + name.len()..)?;
        let is_other = before.is_some_and(|c| is_word(c) || matches!(c, '.' | '"' | '\''))
            || rest.starts_with(is_word);
        let rest = rest.trim_start();
        let sets = rest.starts_with('=') && !rest.starts_with("==");
        (!is_other && !sets).then_some(rest)
    })
}

/// A number of parameters in Ollama's notation, with one decimal digit below a hundred.
fn parameter_size(count: u64) -> String {
    let (unit, letter) = match count {
        1_000_000_000.. => (1_000_000_000, 'B'),
        1_000_000.. => (1_000_000, 'M'),
        1_000.. => (1_000, 'K'),
        _ => return count.to_string(),
    };
    match count / (unit / 10) {
        tenths if tenths < 1000 && tenths % 10 != 0 => {
            format!("{}.{}{letter}", tenths / 10, tenths % 10)
        }
        tenths => format!("{}{letter}", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_server_tells_the_context_in_its_own_way() {
        let vllm = json!({"object":"list","data":[
            {"id":"Qwen/Qwen2.5-7B-Instruct","object":"model","owned_by":"vllm","max_model_len":32768}]});
        let found = models(&vllm);
        assert_eq!(found[0].name, "Qwen/Qwen2.5-7B-Instruct");
        assert_eq!(found[0].context_length, Some(32_768));
        assert!(!is_llama_server(&vllm));
        let llama = json!({"data":[{"id":"/models/tiny.gguf","owned_by":"llamacpp",
            "meta":{"n_ctx_train":131072,"n_params":3212749888_u64,"size":2019377152_u64}}]});
        let mut model = models(&llama).remove(0);
        assert!(is_llama_server(&llama));
        assert_eq!(
            (model.context_length, &*model.parameter_size),
            (Some(131_072), "3.2B")
        );
        let props = json!({"default_generation_settings":{"n_ctx":4096},
            "chat_template":"{% if enable_thinking %}<think>{% endif %}"});
        add_props(&mut model, &props);
        assert_eq!(model.context_length, Some(4096));
        assert_eq!(model.think, [Think::On, Think::Off]);
        add_props(&mut model, &json!({"default_generation_settings":null}));
        assert_eq!((model.context_length, model.think.len()), (Some(4096), 0));
    }

    /// The lists are those of `llama-server` b11434.
    #[test]
    fn a_llama_server_says_what_its_models_can_do() {
        let entry = |name: &str, takes: Value, status: &str| {
            json!({"id":name,"owned_by":"llamacpp","status":{"value":status},
                "architecture":{"input_modalities":takes,"output_modalities":["text"]}})
        };
        let router = json!({"data":[entry("aaa", json!(["text"]), "unloaded"),
            entry("sees", json!(["text", "image"]), "loaded")]});
        let found = models(&router);
        let names: Vec<_> = found.iter().map(|model| &*model.name).collect();
        assert_eq!(names, ["sees", "aaa"], "what is in memory comes first");
        assert!(found[0].sees_images() && !found[1].sees_images());
        assert!(
            found
                .iter()
                .all(|model| model.can_chat() && model.uses_tools())
        );
        assert_eq!(with_props(&router), ["sees"]);
        let mut model = found[0].clone();
        add_props(
            &mut model,
            &json!({"chat_template_caps":{"supports_tools":false}}),
        );
        assert!(!model.uses_tools() && model.sees_images());
        let vllm = json!({"data":[{"id":"m","owned_by":"vllm"}]});
        assert!(models(&vllm)[0].sees_images(), "nothing is known");
        assert!(with_props(&vllm).is_empty());
    }

    /// In the words of templates that come with llama.cpp.
    #[test]
    fn only_what_a_template_reads_of_thinking_is_offered() {
        use Think::{High, Low, Max, Medium, Off, On};
        for (name, template, expected) in [
            (
                "Nemotron Nano v2",
                "{%- set ns = namespace(enable_thinking=true) -%}{%- if ns.enable_thinking is false -%}",
                vec![],
            ),
            (
                "Cohere 2 MoE",
                "{%- set reasoning = (false if reasoning_effort is defined and reasoning_effort | lower == \"none\" else true) -%}",
                vec![],
            ),
            (
                "DeepSeek V4",
                "{%- if enable_thinking is defined -%}{%- set reasoning_effort_max = 'Reasoning Effort: high' -%}{%- if thinking and reasoning_effort is defined and reasoning_effort == 'max' -%}",
                vec![On, Off, Max],
            ),
            (
                "gpt-oss",
                "- \"reasoning_effort\": A string{%- if reasoning_effort is not defined %}{%- set reasoning_effort = \"medium\" %}{%- endif %}{{- \"Reasoning: \" + reasoning_effort + \"\" }}",
                vec![Low, Medium, High],
            ),
            (
                "Muse",
                "{%- set rs = reasoning_strength if reasoning_strength is defined and reasoning_strength else 'high' -%}",
                vec![Low, Medium, High],
            ),
            (
                "Hy3",
                "{%- if not reasoning_effort is defined %}{%- elif reasoning_effort not in ['high', 'low', 'no_think'] %}",
                vec![Low, High],
            ),
            (
                "Laguna",
                "{%- set enable_thinking = enable_thinking | default(true) -%}",
                vec![On, Off],
            ),
        ] {
            assert_eq!(think_choices(template), expected, "{name}");
        }
    }

    #[test]
    fn what_is_no_model_costs_itself_alone() {
        let list = json!({"data":[null,3,{"id":""},{"id":7},{"id":"a\tb"},{"id":"x".repeat(513)},
            {"id":"good","max_model_len":"much","meta":[]}]});
        let found = models(&list);
        assert_eq!(found.len(), 1);
        assert_eq!((&*found[0].name, found[0].context_length), ("good", None));
        for none in [
            json!(null),
            json!({"data":null}),
            json!({"data":{"id":"x"}}),
            json!([]),
        ] {
            assert!(models(&none).is_empty(), "{none}");
        }
    }

    #[test]
    fn parameters_are_counted_in_ollamas_units() {
        for (count, words) in [
            (412, "412"),
            (412_000, "412K"),
            (494_032_768, "494M"),
            (7_615_616_512, "7.6B"),
            (235_000_000_000, "235B"),
        ] {
            assert_eq!(parameter_size(count), words);
        }
    }
}
