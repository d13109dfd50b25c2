//! Parses the list of models, and what `llama-server` adds to it in `/props`, as tolerantly as everything of an engine.

use super::MAX_MODEL_NAME;
use crate::server::engine::tokenizer::tokenizer_of_vocabulary;
use sash_chat::Think;
use sash_wire::ModelInfo;
use serde_json::Value;

/// Whether a text can be the name of a model.
pub fn is_model_name(name: &str) -> bool {
    let fits = (1..=MAX_MODEL_NAME).contains(&name.len());
    fits && !name.trim().is_empty() && !name.chars().any(char::is_control)
}

fn entries(list: &Value) -> impl Iterator<Item = &Value> {
    let entries = list.get("data").and_then(Value::as_array);
    entries.map(Vec::as_slice).unwrap_or_default().iter()
}

/// The models of `/v1/models`. vLLM tells the context length that it serves; `llama-server` the one that the model was
/// trained with, which [`add_props`] corrects.
pub fn models(list: &Value) -> Vec<ModelInfo> {
    let named = entries(list).filter_map(|model| {
        let name = model.get("id").and_then(Value::as_str)?;
        is_model_name(name).then_some((name, model))
    });
    named
        .map(|(name, model)| {
            let number = |path: &str| model.pointer(path).and_then(Value::as_u64);
            let context = number("/max_model_len").or_else(|| number("/meta/n_ctx"));
            ModelInfo {
                name: name.to_owned(),
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
                ..ModelInfo::default()
            }
        })
        .collect()
}

/// Whether the list is that of a `llama-server`.
pub fn is_llama_server(list: &Value) -> bool {
    let owner = |model: &Value| model.get("owned_by").and_then(Value::as_str) == Some("llamacpp");
    entries(list).any(owner)
}

/// Adds what the `/props` of a `llama-server` say: the context length of a request, and what its chat template reads of
/// thinking.
pub fn add_props(model: &mut ModelInfo, props: &Value) {
    let context = props.pointer("/default_generation_settings/n_ctx");
    let context = context.and_then(Value::as_u64).filter(|tokens| *tokens > 0);
    model.context_length = context.or(model.context_length);
    let template = props.get("chat_template").and_then(Value::as_str);
    model.think = think_choices(template.unwrap_or_default());
}

/// The values of thinking that a chat template reads; none where that cannot be seen.
fn think_choices(template: &str) -> Vec<Think> {
    let mut choices = Vec::new();
    if template.contains("enable_thinking") {
        choices.extend([Think::On, Think::Off]);
    }
    if template.contains("reasoning_effort") {
        choices.extend([Think::Low, Think::Medium, Think::High]);
    }
    choices
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
