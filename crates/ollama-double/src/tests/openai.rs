//! The OpenAI chat API: the wire of `llama-server` and of vLLM.

use super::{ask, client, get, post};
use crate::{Config, Flavor, StandIn};
use serde_json::{Value, json};

const CHAT: &str = "/v1/chat/completions";

fn serving(flavor: Flavor) -> StandIn {
    let config = Config::openai(flavor);
    StandIn::start(Config {
        rate: 0.0,
        ..config
    })
    .unwrap()
}

/// The events of a streamed answer, `[DONE]` as a string.
async fn events(stand_in: &StandIn, body: &Value) -> Vec<Value> {
    let (status, text) = post(stand_in, CHAT, body).await;
    assert_eq!(status, 200, "{text}");
    let events = text.split_terminator("\n\n");
    let data = |event: &str| event.strip_prefix("data: ").unwrap().to_owned();
    let read = |data: String| serde_json::from_str(&data).unwrap_or_else(|_| json!(data));
    events.map(|event| read(data(event))).collect()
}

#[tokio::test]
async fn an_answer_is_a_stream_of_events_with_its_counts_before_the_end() {
    for flavor in [Flavor::LlamaServer, Flavor::Vllm] {
        let stand_in = serving(flavor);
        let more = json!({"stream": true, "stream_options": {"include_usage": true}});
        let all = events(&stand_in, &ask("tiny-think.gguf", "hi", &more)).await;
        let [role, thinking, .., finish, counts, done] = &all[..] else {
            panic!("{all:?}");
        };
        assert_eq!(role["choices"][0]["delta"]["role"], "assistant");
        assert_eq!(thinking["choices"][0]["delta"]["reasoning_content"], "Let");
        assert_eq!(finish["choices"][0]["finish_reason"], "stop");
        assert_eq!(
            (&counts["choices"], &counts["usage"]["completion_tokens"]),
            (&json!([]), &json!(9))
        );
        assert_eq!(
            counts.get("timings").is_some(),
            flavor == Flavor::LlamaServer
        );
        assert_eq!(done, "[DONE]");
        let without = events(
            &stand_in,
            &ask("tiny-think.gguf", "hi", &json!({"stream": true})),
        )
        .await;
        assert!(without.iter().all(|event| event.get("usage").is_none()));
    }
}

#[tokio::test]
async fn a_llama_server_tells_how_far_the_prompt_is_read_if_it_is_asked_to() {
    let llama = serving(Flavor::LlamaServer);
    let long = "long ".repeat(600);
    let progress = |all: &[Value]| {
        let told = all.iter().filter_map(|event| event.get("prompt_progress"));
        let numbers = |told: &Value| {
            [&told["total"], &told["cache"], &told["processed"]].map(|n| n.as_u64().unwrap())
        };
        told.map(numbers).collect::<Vec<_>>()
    };
    let more = json!({"stream": true, "return_progress": true});
    let told = progress(&events(&llama, &ask("tiny-think.gguf", &long, &more)).await);
    let total = told[0][0];
    assert!(total > 512, "{told:?}");
    assert_eq!(told[0], [total, 0, 0], "the first at once");
    assert_eq!(told[1], [total, 0, 512]);
    assert_eq!(told.last(), Some(&[total, 0, total]));
    let again = progress(&events(&llama, &ask("tiny-think.gguf", &long, &more)).await);
    assert_eq!(
        again,
        [[total, total - 1, total - 1], [total, total - 1, total]]
    );
    let without = json!({"stream": true});
    assert!(progress(&events(&llama, &ask("tiny-think.gguf", &long, &without)).await).is_empty());
    let vllm = serving(Flavor::Vllm);
    assert!(progress(&events(&vllm, &ask("tiny-think.gguf", &long, &more)).await).is_empty());
}

/// In the words of `llama-server` b11434.
#[tokio::test]
async fn a_llama_server_ends_the_thinking_only_of_a_completion_that_runs() {
    let llama = serving(Flavor::LlamaServer);
    let control = "/v1/chat/completions/control";
    for (body, status, said) in [
        (json!({}), 400, "missing completion id"),
        (
            json!({"id":"x","action":"stop"}),
            400,
            "unknown control action",
        ),
        (
            json!({"id":"x","action":"reasoning_end"}),
            200,
            "no active completion for this id",
        ),
    ] {
        let (found, text) = post(&llama, control, &body).await;
        assert!(
            found == status && text.contains(said),
            "{body}: {found} {text}"
        );
    }
    let vllm = serving(Flavor::Vllm);
    assert_eq!(post(&vllm, control, &json!({})).await.0, 404);
}

#[tokio::test]
async fn an_answer_that_is_not_streamed_is_one_document() {
    let stand_in = serving(Flavor::Vllm);
    let off = json!({"chat_template_kwargs": {"enable_thinking": false}, "max_tokens": 3});
    let (status, text) = post(&stand_in, CHAT, &ask("tiny-think.gguf", "hi", &off)).await;
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (status, &answer["object"]),
        (200, &json!("chat.completion"))
    );
    let choice = &answer["choices"][0];
    assert_eq!(
        choice["message"],
        json!({"role": "assistant", "content": "The answer is"})
    );
    assert_eq!(
        (
            &choice["finish_reason"],
            &answer["usage"]["completion_tokens"]
        ),
        (&json!("length"), &json!(3))
    );
}

#[tokio::test]
async fn each_refuses_in_its_own_words() {
    let long = "long ".repeat(2000);
    let (llama, vllm) = (serving(Flavor::LlamaServer), serving(Flavor::Vllm));
    let (status, text) = post(&llama, CHAT, &ask("any name", &long, &json!({}))).await;
    let error: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (status, &error["error"]["type"]),
        (400, &json!("exceed_context_size_error"))
    );
    assert_eq!(error["error"]["n_ctx"], 4096);
    let (status, text) = post(&vllm, CHAT, &ask("org/Tiny-Instruct", &long, &json!({}))).await;
    assert!(
        status == 400 && text.contains("maximum context length is 4096 tokens"),
        "{text}"
    );
    let (status, text) = post(&vllm, CHAT, &ask("any name", "hi", &json!({}))).await;
    assert!(
        status == 404 && text.contains("`any name` does not exist"),
        "{text}"
    );
    for path in ["/api/tags", "/nowhere"] {
        let answer = client().get(vllm.url() + path).send().await.unwrap();
        assert_eq!(answer.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn the_key_is_wanted_by_all_but_the_check_of_health() {
    let key = Some("sk-1".to_owned());
    let config = Config::openai(Flavor::Vllm);
    let stand_in = StandIn::start(Config { key, ..config }).unwrap();
    for (path, key, status) in [
        ("/v1/models", None, 401),
        ("/v1/models", Some("sk-2"), 401),
        ("/v1/models", Some("sk-1"), 200),
        ("/health", None, 200),
    ] {
        let mut request = client().get(stand_in.url() + path);
        if let Some(key) = key {
            request = request.bearer_auth(key);
        }
        assert_eq!(
            request.send().await.unwrap().status(),
            status,
            "{path} {key:?}"
        );
    }
}

#[tokio::test]
async fn models_say_what_each_server_says_of_them() {
    let (llama, vllm) = (serving(Flavor::LlamaServer), serving(Flavor::Vllm));
    let list = get(&llama, "/v1/models").await;
    assert_eq!(
        (
            list["data"].as_array().unwrap().len(),
            &list["data"][0]["owned_by"]
        ),
        (1, &json!("llamacpp"))
    );
    assert_eq!(
        get(&llama, "/props").await["default_generation_settings"]["n_ctx"],
        4096
    );
    let list = get(&vllm, "/v1/models").await;
    assert_eq!(list["data"][0]["max_model_len"], 4096);
}
