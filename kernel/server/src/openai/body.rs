//! Builds the body of `POST /v1/chat/completions` from a request of the page.

use super::messages::messages;
use sash_wire::{ChatRequest, Fault};
use serde_json::{Map, Value, json};

/// The parameters that have a name in this API, by Ollama's names. The last three are extensions that vLLM, SGLang and
/// `llama-server` take; others ignore or refuse them.
pub const PARAMETERS: [&str; 10] = [
    "temperature",
    "top_p",
    "seed",
    "num_predict",
    "stop",
    "frequency_penalty",
    "presence_penalty",
    "top_k",
    "min_p",
    "repeat_penalty",
];

/// The body: the messages in order, streamed, with the counts of tokens at the end.
///
/// # Errors
/// [`Fault::InvalidField`] for a parameter that this API does not have: the answer would not be the one that was
/// asked for.
pub fn chat(request: &ChatRequest, engine: &str) -> Result<Value, Fault> {
    let not_taken = |field: &str| Fault::InvalidField {
        field: field.to_owned(),
        reason: format!("the engine “{engine}” does not take it"),
    };
    if request.keep_alive.is_some() {
        return Err(not_taken("keep_alive"));
    }
    let mut body = Map::new();
    let mut set = |name: &str, value: Value| body.insert(name.to_owned(), value);
    set("model", json!(request.model));
    set("messages", messages(&request.messages()));
    if request.continue_final_message {
        // vLLM's and SGLang's names. `llama-server` carries on an answer that stands last without them, too.
        set("continue_final_message", json!(true));
        set("add_generation_prompt", json!(false));
    }
    set("stream", json!(true));
    set("stream_options", json!({"include_usage": true}));
    let options = request.options.iter().flatten();
    for (name, value) in options.filter(|(_, value)| !value.is_null()) {
        let number = value.as_f64().unwrap_or_default();
        match name.as_str() {
            // Below zero Ollama leaves the length to the model and the seed to chance.
            "num_predict" | "seed" if number < 0.0 => {}
            // No token at all is never asked for, as of Ollama.
            "num_predict" if number == 0.0 => _ = set("max_tokens", json!(1)),
            "num_predict" => _ = set("max_tokens", value.clone()),
            // Older versions of vLLM know only -1 for "all".
            "top_k" if number <= 0.0 => _ = set("top_k", json!(-1)),
            // `llama-server` has Ollama's name, the others have the second one; each ignores the other's.
            "repeat_penalty" => {
                set("repeat_penalty", value.clone());
                set("repetition_penalty", value.clone());
            }
            name if PARAMETERS.contains(&name) => _ = set(name, value.clone()),
            name => return Err(not_taken(&format!("options.{name}"))),
        }
    }
    match &request.think {
        Some(on @ Value::Bool(_)) => {
            set("chat_template_kwargs", json!({"enable_thinking": on}));
        }
        Some(level) if !level.is_null() => {
            set("reasoning_effort", level.clone());
            set("chat_template_kwargs", json!({"reasoning_effort": level}));
        }
        _ => {}
    }
    if !request.tools.is_empty() {
        set("tools", json!(request.tools));
    }
    match &request.format {
        Some(schema @ Value::Object(_)) => {
            let schema = json!({"name": "answer", "schema": schema});
            set(
                "response_format",
                json!({"type": "json_schema", "json_schema": schema}),
            );
        }
        Some(named) if named == "json" => {
            set("response_format", json!({"type": "json_object"}));
        }
        _ => {}
    }
    Ok(Value::Object(body))
}

/// Adds what only a `llama-server` knows, and others may refuse: it tells how far it has read the prompt, and lets the
/// thinking be ended.
pub fn add_extensions_of_llama_server(body: &mut Value) {
    body["return_progress"] = json!(true);
    body["reasoning_control"] = json!(true);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(request: Value) -> Value {
        chat(&serde_json::from_value(request).unwrap(), "vllm").unwrap()
    }

    #[test]
    fn a_plain_prompt_is_streamed_with_its_counts() {
        assert_eq!(
            body(
                json!({"model":"m","prompt":"p","system":"s","context":[{"role":"assistant","content":"a"}]})
            ),
            json!({"model":"m","messages":[
                    {"role":"system","content":"s"},
                    {"role":"assistant","content":"a"},
                    {"role":"user","content":"p"}],
                "stream":true,"stream_options":{"include_usage":true}})
        );
    }

    #[test]
    fn parameters_go_by_the_names_of_this_api() {
        let given = json!({"temperature":0.2,"top_p":0.9,"seed":7,"stop":["END"],"num_predict":100,
            "frequency_penalty":0.1,"presence_penalty":0.2,"top_k":40,"min_p":0.05,"repeat_penalty":1.1});
        let body = body(json!({"model":"m","prompt":"p","options":given}));
        for (name, value) in [
            ("temperature", json!(0.2)),
            ("top_p", json!(0.9)),
            ("seed", json!(7)),
            ("stop", json!(["END"])),
            ("max_tokens", json!(100)),
            ("frequency_penalty", json!(0.1)),
            ("presence_penalty", json!(0.2)),
            ("top_k", json!(40)),
            ("min_p", json!(0.05)),
            ("repeat_penalty", json!(1.1)),
            ("repetition_penalty", json!(1.1)),
        ] {
            assert_eq!(body[name], value, "{name}");
        }
        assert_eq!(body.get("num_predict"), None);
    }

    #[test]
    fn what_means_the_default_in_ollama_is_the_default_here() {
        let body = body(
            json!({"model":"m","prompt":"p","options":{"num_predict":-1,"seed":-1,"top_k":0,"stop":null}}),
        );
        assert_eq!(body["top_k"], -1);
        for absent in [
            "max_tokens",
            "seed",
            "stop",
            "response_format",
            "chat_template_kwargs",
        ] {
            assert_eq!(body.get(absent), None, "{absent}");
        }
        let none =
            super::tests::body(json!({"model":"m","prompt":"p","options":{"num_predict":0}}));
        assert_eq!(none["max_tokens"], 1);
    }

    #[test]
    fn what_this_api_does_not_have_is_refused_by_name() {
        for (besides, field) in [
            (json!({"keep_alive":"10m"}), "keep_alive"),
            (json!({"options":{"num_ctx":8192}}), "options.num_ctx"),
            (json!({"options":{"mirostat":2}}), "options.mirostat"),
        ] {
            let mut request = json!({"model":"m","prompt":"p"});
            request
                .as_object_mut()
                .unwrap()
                .extend(besides.as_object().unwrap().clone());
            match chat(&serde_json::from_value(request).unwrap(), "vllm") {
                Err(Fault::InvalidField {
                    field: named,
                    reason,
                }) => {
                    assert_eq!(named, field);
                    assert!(reason.contains("vllm"), "{reason}");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn thinking_and_format_have_their_fields() {
        let with = |besides: Value| {
            let mut request = json!({"model":"m","prompt":"p"});
            request
                .as_object_mut()
                .unwrap()
                .extend(besides.as_object().unwrap().clone());
            body(request)
        };
        let off = with(json!({"think":false}));
        assert_eq!(
            off["chat_template_kwargs"],
            json!({"enable_thinking":false})
        );
        let high = with(json!({"think":"high"}));
        assert_eq!(high["reasoning_effort"], "high");
        assert_eq!(
            high["chat_template_kwargs"],
            json!({"reasoning_effort":"high"})
        );
        assert_eq!(
            with(json!({"format":"json"}))["response_format"],
            json!({"type":"json_object"})
        );
        let schema = json!({"type":"object","properties":{"b":{},"a":{}}});
        let format = with(json!({"format":schema}));
        assert_eq!(
            format["response_format"]["json_schema"]["schema"].to_string(),
            schema.to_string()
        );
    }
}
