//! Refusals that are not in the recordings, and the order of the checks.

use super::{ask, client, post, quick};
use crate::{Script, ScriptStep, ServedModel, Template};
use serde_json::{Value, json};

#[tokio::test]
async fn of_chat() {
    let stand_in = quick();
    let hi = |more: Value| ask("tiny", "hi", &more);
    let tool = json!({"type": "function", "function": {"name": "f"}});
    let cases: Vec<(Value, u16, &str)> = vec![
        (json!({"messages": []}), 400, "model is required"),
        (json!({"model": "llama3:"}), 400, "invalid model name"),
        (
            json!({"model": 3}),
            400,
            "json: cannot unmarshal number into Go struct field ChatRequest.model of type string",
        ),
        (
            hi(json!({"messages": [{"content": 3}]})),
            400,
            "json: cannot unmarshal number into Go struct field ChatRequest.messages.content of type string",
        ),
        (
            hi(json!({"think": 3})),
            400,
            r#"think must be a boolean or string ("high", "medium", "low", "max", true, or false)"#,
        ),
        (
            hi(json!({"keep_alive": true})),
            400,
            "Unsupported type: 'bool'",
        ),
        (
            hi(json!({"tools": [tool]})),
            400,
            "registry.ollama.ai/library/tiny:latest does not support tools",
        ),
        (
            hi(json!({"options": {"stop": "x"}})),
            500,
            r#"option "stop" must be of type array"#,
        ),
        (
            hi(json!({"options": {"temperature": "x"}})),
            500,
            r#"option "temperature" must be of type float32"#,
        ),
        (
            json!({"model": "gpt-oss:120b-cloud"}),
            403,
            "ollama cloud is disabled: remote model is unavailable",
        ),
        // The first failing check determines the answer.
        (
            json!({"model": "nope", "top_logprobs": 21}),
            400,
            "top_logprobs must be between 0 and 20",
        ),
        (
            json!({"model": "nope", "think": true}),
            404,
            "model 'nope' not found",
        ),
        (
            hi(json!({"think": true, "options": {"num_ctx": "x"}})),
            400,
            r#""tiny" does not support thinking"#,
        ),
    ];
    for (body, status, text) in cases {
        let got = post(&stand_in, "/api/chat", &body).await;
        let value: Value = serde_json::from_str(&got.1).unwrap();
        assert_eq!(
            (got.0, value["error"].as_str().unwrap()),
            (status, text),
            "{body}"
        );
    }
    for fine in [
        json!({"think": false}),
        json!({"options": {"no_such_option": 1, "top_k": 1.5}}),
        json!({"model": "TINY", "STREAM": false, "messages": null}),
    ] {
        let (status, text) = post(&stand_in, "/api/chat", &hi(fine.clone())).await;
        assert_eq!(status, 200, "{text}");
    }
}

#[tokio::test]
async fn of_the_origin_with_headers_for_the_rest() {
    let stand_in = quick();
    let with = async |origin: &str| {
        let url = stand_in.url() + "/api/tags";
        let answer = client()
            .get(url)
            .header("origin", origin)
            .send()
            .await
            .unwrap();
        let allowed = answer.headers().get("access-control-allow-origin").cloned();
        (answer.status().as_u16(), allowed.is_some())
    };
    for origin in ["http://localhost:3000", "https://127.0.0.1", "tauri://x"] {
        assert_eq!(with(origin).await, (200, true), "{origin}");
    }
    for origin in ["null", "http://[::1]:3000", "http://localhost.evil.example"] {
        assert_eq!(with(origin).await, (403, false), "{origin}");
    }
    assert_eq!(with(&stand_in.url()).await, (200, false), "its own");
}

#[tokio::test]
async fn of_a_wrong_method_with_what_is_allowed_as_the_real_one_writes_it() {
    let stand_in = quick();
    for (path, allow) in [
        ("/", "HEAD, GET"),
        ("/api/chat", "POST"),
        ("/api/tags", "HEAD, GET"),
    ] {
        let request = client().delete(stand_in.url() + path);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 405, "{path}");
        assert_eq!(answer.headers()["allow"], allow, "{path}");
        assert_eq!(answer.text().await.unwrap(), "405 method not allowed");
    }
}

#[tokio::test]
async fn of_chat_templates() {
    let stand_in = quick();
    stand_in.set_models(ServedModel::refusing());
    let script = Script::chat(vec![ScriptStep::Refuse {
        template: Template::NoSystem,
    }]);
    let roles = |roles: &[&str]| -> Value {
        let message = |role: &&str| json!({"role": role, "content": "x"});
        roles.iter().map(message).collect()
    };
    for (model, given, status, says) in [
        ("tinyquestion", roles(&["user"]), 200, ""),
        (
            "tinyquestion",
            roles(&["assistant", "user"]),
            400,
            "Unable to generate parser",
        ),
        (
            "tinyalternate",
            roles(&["system", "user", "user"]),
            500,
            "must alternate",
        ),
        (
            "tinynosystem",
            roles(&["system", "user"]),
            500,
            "System role not supported",
        ),
    ] {
        for more in [json!({}), json!({"_debug_render_only": true})] {
            let mut body = ask(model, "x", &more);
            body["messages"] = given.clone();
            let (got, text) = post(&stand_in, "/api/chat", &body).await;
            assert_eq!(got, status, "{body} {text}");
            assert!(text.contains(says), "{text}");
        }
    }
    stand_in.script(script);
    let (status, text) = post(
        &stand_in,
        "/api/chat",
        &ask("tinyquestion", "x", &json!({})),
    )
    .await;
    assert_eq!(status, 500);
    assert!(text.contains("raise_exception"), "{text}");
}
