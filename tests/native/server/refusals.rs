//! Failures before the first frame: each has its own status and a body in our format.

use crate::common::{House, code, ending, lines, refused};
use ollama_double::{Config, Script, ScriptStep, ServedModel, StandIn, Template};
use sash_server::engine::{Address, EngineConfig};
use sash_wire::Frame;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn ask() -> Value {
    json!({"model":"tiny","prompt":"hello"})
}

fn content(text: &str) -> ScriptStep {
    ScriptStep::line(
        &json!({"model":"tiny","message":{"role":"assistant","content":text},"done":false})
            .to_string(),
    )
}

fn status(status: u16, content_type: &str, body: &str) -> ScriptStep {
    ScriptStep::Status {
        status,
        content_type: content_type.into(),
        headers: Default::default(),
        body: body.into(),
    }
}

/// The status and code of the response when Ollama fails at once.
async fn refusal(step: ScriptStep) -> (u16, String) {
    let house = House::playing(vec![step]).await;
    refused(house.ask(ask()).await).await
}

#[tokio::test]
async fn row_1_ollama_not_running() {
    let house = House::with(|s| {
        s.server.engine = EngineConfig::ollama(Address::parse("127.0.0.1:1").unwrap())
    })
    .await;
    let started = Instant::now();
    assert_eq!(
        refused(house.ask(ask()).await).await,
        (502, "ollama_unreachable".into())
    );
    let answer = house.post("models", json!({})).await;
    assert_eq!(refused(answer).await, (502, "ollama_unreachable".into()));
    let state: Value = house.post("state", json!({})).await.json().await.unwrap();
    assert_eq!(state["reachable"], false);
    assert_eq!(state["address"], "http://127.0.0.1:1");
    assert_eq!(code(&state["fault"]), "ollama_unreachable");
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn row_2_an_address_that_swallows_everything() {
    // An address reserved for documentation: it is refused or unreachable at once, or the
    // connection attempt hangs for five seconds.
    let house = House::with(|s| {
        s.server.engine = EngineConfig::ollama(Address::parse("192.0.2.1").unwrap())
    })
    .await;
    let started = Instant::now();
    let state: Value = house.post("state", json!({})).await.json().await.unwrap();
    assert_eq!(state["reachable"], false);
    assert!(started.elapsed() < Duration::from_secs(7));
}

#[tokio::test]
async fn row_3_accepts_and_never_answers() {
    let house = House::with(|s| s.server.limits.patience.first_byte = Duration::from_secs(1)).await;
    house.ollama.script(Script::chat(vec![ScriptStep::Stall]));
    assert_eq!(
        refused(house.ask(ask()).await).await,
        (504, "ollama_silent".into())
    );
    assert!(
        house
            .ollama
            .wait_for_disconnects(1, Duration::from_secs(1))
            .await
    );
}

#[tokio::test]
async fn row_15_what_is_no_ollama() {
    for (step, says) in [
        (
            status(502, "text/html; charset=utf-8", "<h1>Bad gateway</h1>"),
            "text/html, 502",
        ),
        (
            status(200, "text/html", "<h1>Welcome</h1>"),
            "text/html, 200",
        ),
        (status(200, "text/plain", "hello"), "text/plain, 200"),
        (status(200, "", "hello"), "no content type, 200"),
        (
            status(404, "text/plain", "404 page not found"),
            "text/plain, 404",
        ),
        (
            status(500, "application/json", "{}"),
            "application/json, 500",
        ),
    ] {
        let house = House::playing(vec![step]).await;
        let answer = house.ask(ask()).await;
        assert_eq!(answer.status(), 502);
        let body: Value = answer.json().await.unwrap();
        assert_eq!(code(&body["error"]), "unexpected_reply");
        assert!(
            body["error"]["message"].as_str().unwrap().contains(says),
            "{body}"
        );
    }
}

#[tokio::test]
async fn the_error_page_of_a_proxy_is_one_sentence_without_markup() {
    let page = "<html>\n<head><title>504 Gateway Time-out</title></head><body bgcolor=\"white\"><center><h1>504</h1></center></body></html>";
    let house = House::playing(vec![status(504, "text/html", page)]).await;
    let body: Value = house.ask(ask()).await.json().await.unwrap();
    let sentence = body["error"]["message"].as_str().unwrap();
    assert!(sentence.contains("504 Gateway Time-out"), "{sentence}");
    assert!(
        sentence.starts_with("A proxy in front of Ollama"),
        "{sentence}"
    );
    assert!(!body.to_string().contains('<'), "{body}");
}

#[tokio::test]
async fn what_the_caller_got_wrong_is_refused_with_400_and_its_cause() {
    let house = House::new().await;
    for (more, cause) in [
        (json!({"options":{"num_ctx":"many"}}), "num_ctx"),
        (json!({"format":"xml"}), "format"),
        (json!({"images":["not base64!"]}), "base64"),
        (json!({"keep_alive":"abc"}), "duration"),
    ] {
        let mut body = ask();
        for (key, value) in more.as_object().unwrap() {
            body[key] = value.clone();
        }
        let answer = house.ask(body.clone()).await;
        assert_eq!(answer.status(), 400, "{body}");
        let body: Value = answer.json().await.unwrap();
        let sentence = body["error"]["message"].as_str().unwrap();
        assert!(sentence.contains(cause), "{sentence}");
        assert!(!sentence.contains("model failed"), "{sentence}");
    }
}

#[tokio::test]
async fn a_template_that_refuses_is_named_for_what_it_minds() {
    let house = House::new().await;
    house.ollama.set_models(ServedModel::refusing());
    let roles = |roles: &[&str]| -> Value {
        let message = |role: &&str| json!({"role": role, "content": "x"});
        roles.iter().map(message).collect()
    };
    let three = roles(&["assistant", "user", "assistant"]);
    for (model, context, system, expected) in [
        ("tinyquestion", &three, None, "question_first"),
        ("tinyalternate", &three, None, "question_first"),
        ("tinyalternate", &three, Some("s"), "question_first"),
        ("tinynosystem", &three, None, "question_first"),
        ("tinynosystem", &roles(&[]), Some("s"), "no_system_prompt"),
        ("tinynosystem", &three, Some("s"), "no_system_prompt"),
        ("tinyalternate", &roles(&["user"]), None, "template_refused"),
    ] {
        let body = json!({"model":model,"prompt":"p","context":context,"system":system});
        for call in ["response", "render"] {
            let answer = house.post(call, body.clone()).await;
            assert_eq!(answer.status(), 400, "{call} {body}");
            let answer: Value = answer.json().await.unwrap();
            assert_eq!(code(&answer["error"]), expected, "{call} {body}");
            let text = answer.to_string();
            assert!(
                !text.contains("raise_exception"),
                "no page of Jinja: {text}"
            );
        }
    }
    // With the question included, or without the system prompt, these models answer.
    let four = roles(&["user", "assistant", "user", "assistant"]);
    for model in ["tinyquestion", "tinyalternate", "tinynosystem"] {
        let answer = house.ask(json!({"model":model,"prompt":"p","context":four}));
        assert_eq!(answer.await.status(), 200, "{model}");
    }
}

#[tokio::test]
async fn a_refusal_of_a_template_after_a_slow_load_is_the_last_frame() {
    let house = House::with(|s| s.server.limits.patience.head = Duration::from_millis(50)).await;
    let template = Template::Alternating;
    house.ollama.script(Script::chat(vec![
        ScriptStep::Wait { ms: 200 },
        ScriptStep::Refuse { template },
    ]));
    let context = json!([{"role":"assistant","content":"a"}]);
    let answer = house.ask(json!({"model":"tiny","prompt":"p","context":context}));
    let frames: Vec<Frame> = lines(answer.await).await;
    assert_eq!(ending(&frames), "question_first");
}

#[tokio::test]
async fn row_18_what_a_model_cannot_do_and_models_that_are_not_there() {
    let house = House::new().await;
    for (body, expected) in [
        (
            json!({"model":"nope","prompt":"p"}),
            (404, "model_not_found"),
        ),
        (
            json!({"model":"tinyembed","prompt":"p"}),
            (400, "unsupported"),
        ),
        (
            json!({"model":"tiny","prompt":"p","think":true}),
            (400, "unsupported"),
        ),
        (
            json!({"model":"tiny","prompt":"p","think":"ultra"}),
            (400, "invalid_field"),
        ),
        (
            json!({"model":"tiny","prompt":"p","images":["aGk="]}),
            (400, "unsupported"),
        ),
        (
            json!({"model":"tinynotmpl","prompt":"p","images":["aGk="]}),
            (400, "unsupported"),
        ),
    ] {
        let expected = (expected.0, expected.1.to_owned());
        assert_eq!(
            refused(house.ask(body.clone()).await).await,
            expected,
            "{body}"
        );
    }
}

#[tokio::test]
async fn row_20_a_busy_ollama_says_when_to_try_again_and_is_asked_once() {
    let busy = |status| ScriptStep::Error {
        text: "server busy, please try again.  maximum pending requests exceeded".into(),
        status: Some(status),
    };
    for code in [503, 429] {
        let house = House::playing(vec![busy(code)]).await;
        let answer = house.ask(ask()).await;
        assert!(answer.headers().contains_key("retry-after"));
        assert_eq!(refused(answer).await, (503, "ollama_busy".into()));
        assert_eq!(house.chats().len(), 1);
    }
}

#[tokio::test]
async fn an_empty_403_is_ollamas_host_check() {
    assert_eq!(
        refusal(status(403, "", "")).await,
        (502, "ollama_refused".into())
    );
}

#[tokio::test]
async fn row_24_a_redirect_is_not_followed() {
    let other = StandIn::start(Config::tests()).unwrap();
    let house = House::playing(vec![ScriptStep::Status {
        status: 302,
        content_type: "text/html".into(),
        headers: [("location".to_owned(), format!("{}/api/chat", other.url()))].into(),
        body: String::new(),
    }])
    .await;
    assert_eq!(
        refused(house.ask(ask()).await).await,
        (502, "unexpected_reply".into())
    );
    assert_eq!(other.requests().len(), 0);
}

#[tokio::test]
async fn row_25_compressed_replies_are_refused() {
    for status in [200, 500] {
        let step = ScriptStep::Status {
            status,
            content_type: "application/x-ndjson".into(),
            headers: [("content-encoding".to_owned(), "gzip".to_owned())].into(),
            body: "not really".into(),
        };
        assert_eq!(refusal(step).await, (502, "unexpected_reply".into()));
    }
}

#[tokio::test]
async fn more_answers_than_allowed_are_refused_and_one_more_fits_when_one_has_ended() {
    let house = House::with(|s| s.server.limits.generations = 2).await;
    house
        .ollama
        .script(Script::chat(vec![content("one"), ScriptStep::Stall]).always());
    let first = house.ask(ask()).await;
    let second = house.ask(json!({"model":"tinyctx","prompt":"p"})).await;
    assert_eq!(
        (first.status().as_u16(), second.status().as_u16()),
        (200, 200)
    );
    let third = house.ask(ask()).await;
    assert!(third.headers().contains_key("retry-after"));
    assert_eq!(refused(third).await, (429, "too_many_answers".into()));
    drop(first);
    assert!(
        house
            .ollama
            .wait_for_disconnects(1, Duration::from_secs(2))
            .await
    );
    assert_eq!(house.ask(ask()).await.status(), 200);
}

#[tokio::test]
async fn row_19_a_load_that_fails() {
    let failure = |text: &str| ScriptStep::Error {
        text: text.into(),
        status: Some(500),
    };
    for text in [
        "llama-server process has terminated: exit status 1: error loading model: x\ny",
        "timed out waiting for llama runner to start",
    ] {
        assert_eq!(refusal(failure(text)).await, (502, "load_failed".into()));
    }
}
