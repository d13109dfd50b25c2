//! Text that was not sent: which requests carry it, and where it may go.

use crate::common::{House, refused};
use ollama_double::{Config, Flavor, Script, ScriptStep, StandIn};
use sash::program::ProgramConfig;
use sash::program::Rooms;
use sash_door::guard::Token;
use sash_door::stop::StopSignal;
use sash_server::app::App;
use sash_server::engine::{Address, EngineConfig, EngineProtocol};
use sash_server::hooks::Hooks;
use sash_server::unsent::PassedText;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

const TOKEN: &str = "a-token-of-some-length";

/// The body of a request with a draft to a server function that may carry one.
fn with_draft(path: &str, mark: &str) -> Value {
    match path {
        "/api/v1/embed" => json!({"model":"tinyembed","texts":["half a"],"draft":mark}),
        "/api/v1/count" | "/api/v1/read" | "/api/v1/render" => {
            json!({"model":"tiny","prompt":"half a","draft":mark})
        }
        other => panic!("a request to {other} with a draft is not written here"),
    }
}

/// The status of a request with a draft that the rule let pass: an Ollama counts no tokens.
fn passed(path: &str) -> u16 {
    match path {
        "/api/v1/count" => 501,
        _ => 200,
    }
}

/// The paths of the server functions that may carry a draft.
fn carriers() -> Vec<&'static str> {
    let settings = ProgramConfig::default();
    let (_, stopped) = StopSignal::new();
    let app = App::new(&settings.server, stopped, Hooks::default()).unwrap();
    let calls = Rooms::open(&settings).unwrap();
    let calls = calls.calls(Arc::new(app), &settings, settings.server.listen);
    let carriers = calls.rules.iter();
    let carriers = carriers.filter(|(_, rules)| rules.text == PassedText::PerhapsDraft);
    carriers.map(|(path, _)| *path).collect()
}

async fn send(house: &House, path: &str, body: &Value, header: Option<&str>) -> reqwest::Response {
    let mut request = house.http.post(house.url(path)).json(body);
    if let Some(header) = header {
        request = request.header(header, "203.0.113.7");
    }
    request.send().await.unwrap()
}

/// The requests that carried text of the person to the engine.
fn texts_at(engine: &StandIn) -> usize {
    let paths = ["/api/chat", "/api/embed", "/v1/chat/completions"];
    paths
        .iter()
        .map(|path| engine.requests_to(path).len())
        .sum()
}

#[tokio::test]
async fn on_one_machine_a_draft_goes_to_the_engine_of_that_machine() {
    let house = House::new().await;
    // What is read ahead loads no model.
    house.frames().await;
    for path in carriers() {
        let answer = send(&house, path, &with_draft(path, "unasked"), None).await;
        assert_eq!(answer.status(), passed(path), "{path}");
    }
    let answered = carriers().into_iter().filter(|path| passed(path) == 200);
    assert_eq!(texts_at(&house.ollama), answered.count() + 1);
}

#[tokio::test]
async fn behind_a_proxy_a_draft_is_refused_unless_the_person_lets_the_engine_have_it() {
    let house = House::new().await;
    for path in carriers() {
        for header in [
            "Forwarded",
            "X-Forwarded-For",
            "X-Forwarded-Host",
            "X-Real-IP",
        ] {
            let answer = send(&house, path, &with_draft(path, "unasked"), Some(header)).await;
            assert_eq!(refused(answer).await, (403, "draft_refused".to_owned()));
        }
        assert_eq!(texts_at(&house.ollama), 0, "{path}");
    }
    for path in carriers() {
        let body = with_draft(path, "allowed");
        let answer = send(&house, path, &body, Some("X-Forwarded-For")).await;
        assert_eq!(answer.status(), passed(path), "{path}");
    }
}

#[tokio::test]
async fn a_server_that_listens_for_others_keeps_drafts_to_itself() {
    let house = House::with(|settings| {
        settings.server.listen = "0.0.0.0:0".parse().unwrap();
        settings.server.token = Some(Token::from_flag(TOKEN).unwrap());
    })
    .await;
    let at = format!("http://127.0.0.1:{}", house.at().port());
    for path in carriers() {
        let request = house.http.post(format!("{at}{path}"));
        let request = request.json(&with_draft(path, "unasked"));
        let answer = request.bearer_auth(TOKEN).send().await.unwrap();
        assert_eq!(refused(answer).await, (403, "draft_refused".to_owned()));
    }
    assert_eq!(texts_at(&house.ollama), 0);
}

#[tokio::test]
async fn an_engine_at_another_address_is_not_even_dialled_with_a_draft() {
    // An address for documentation: a connection to it would never open.
    let house = House::with(|settings| {
        settings.server.engine = EngineConfig::ollama(Address::parse("192.0.2.1:11434").unwrap());
    })
    .await;
    for path in carriers() {
        let answer = send(&house, path, &with_draft(path, "unasked"), None).await;
        assert_eq!(refused(answer).await, (403, "draft_refused".to_owned()));
    }
}

#[tokio::test]
async fn a_model_of_a_cloud_gets_no_draft_whatever_the_person_chose() {
    let house = House::new().await;
    for path in carriers() {
        for mark in ["unasked", "allowed"] {
            let mut body = with_draft(path, mark);
            body["model"] = json!("large:cloud");
            let answer = send(&house, path, &body, None).await;
            assert_eq!(refused(answer).await, (403, "draft_refused".to_owned()));
        }
    }
    assert_eq!(texts_at(&house.ollama), 0);
}

#[tokio::test]
async fn a_mark_that_is_none_is_refused_and_not_left_out() {
    let house = House::new().await;
    for path in carriers().into_iter().chain(["/api/v1/response"]) {
        for mark in [
            json!("yes"),
            json!(""),
            json!("Unasked"),
            json!(true),
            json!(false),
            json!(0),
            json!(1.5),
            json!([]),
            json!(["unasked"]),
            json!({}),
            json!({"unasked":null}),
            json!({"allowed":{}}),
        ] {
            let mut body = match path {
                "/api/v1/response" => json!({"model":"tiny","prompt":"half a"}),
                path => with_draft(path, "unasked"),
            };
            body["draft"] = mark.clone();
            let answer = send(&house, path, &body, None).await;
            // What is no prompt is refused by its parser, which names no field.
            let code = match path {
                "/api/v1/embed" => "invalid_request",
                _ => "invalid_field",
            };
            let expected = (400, code.to_owned());
            assert_eq!(refused(answer).await, expected, "{path} {mark}");
        }
    }
    assert_eq!(texts_at(&house.ollama), 0);
    let mut body = with_draft("/api/v1/embed", "unasked");
    body["draft"] = Value::Null;
    let answer = send(&house, "/api/v1/embed", &body, None).await;
    assert_eq!(answer.status(), 200, "null is absent");
}

/// An engine at an address where another one was: it starts once the port is free.
async fn takes_port(config: Config, port: u16) -> StandIn {
    for _ in 0..200 {
        let config = Config {
            port,
            ..config.clone()
        };
        if let Ok(engine) = StandIn::start(config) {
            return engine;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("port {port} stays taken")
}

/// A gateway that took the port of a `llama-server` got one draft before it was looked at.
#[tokio::test]
async fn what_took_the_port_of_a_llama_server_gets_no_draft() {
    let llama = StandIn::start(Config::openai(Flavor::LlamaServer)).unwrap();
    let at = llama.address();
    let house = House::with(|settings| {
        settings.server.engine = EngineConfig {
            name: "box".to_owned(),
            address: Address::local(at),
            protocol: EngineProtocol::OpenAi(None),
        };
    })
    .await;
    let listed = house.post("models", json!({})).await;
    let listed: Value = listed.json().await.unwrap();
    let model = listed["models"][0]["name"].clone();
    let paths = ["/api/v1/count", "/api/v1/render", "/api/v1/read"];
    let body = json!({"model":model,"prompt":"half a","draft":"unasked"});
    for path in paths {
        let answer = send(&house, path, &body, None).await;
        assert_eq!(answer.status(), 200, "{path}");
    }
    drop(llama);
    let gateway = takes_port(Config::openai(Flavor::Vllm), at.port()).await;
    for path in paths {
        let answer = send(&house, path, &body, None).await;
        assert_ne!(answer.status(), 200, "{path}");
        let texts = gateway.requests();
        let texts = texts.iter().filter(|seen| seen.method == "POST").count();
        assert_eq!(texts, 0, "{path}");
    }
    // Nor what was sent before, to another engine.
    let sent = json!({"model":model,"prompt":"."});
    let answer = send(&house, "/api/v1/read", &sent, None).await;
    assert_eq!(refused(answer).await, (403, "draft_refused".to_owned()));
}

#[tokio::test]
async fn what_took_the_port_of_an_ollama_gets_no_draft() {
    for path in carriers() {
        let house = House::new().await;
        house.frames().await;
        let answer = send(&house, path, &with_draft(path, "unasked"), None).await;
        assert_eq!(answer.status(), passed(path), "{path}");
        let House {
            sash, ollama, http, ..
        } = house;
        let port = ollama.address().port();
        drop(ollama);
        let ollama = takes_port(Config::openai(Flavor::Vllm), port).await;
        let house = House { sash, ollama, http };
        let answer = send(&house, path, &with_draft(path, "unasked"), None).await;
        assert!(!answer.status().is_success(), "{path}");
        let texts = house.ollama.requests();
        let texts = texts.iter().filter(|seen| seen.method == "POST").count();
        assert_eq!(texts, 0, "{path}");
    }
}

/// What a name was once said to be held for minutes.
#[tokio::test]
async fn a_model_of_a_cloud_that_took_the_name_of_another_gets_no_draft() {
    let house = House::new().await;
    house.frames().await;
    let paths = ["/api/v1/read", "/api/v1/render"];
    for path in paths {
        let answer = send(&house, path, &with_draft(path, "unasked"), None).await;
        assert_eq!(answer.status(), 200, "{path}");
    }
    let before = texts_at(&house.ollama);
    let answers = |path: &str, body: Value| {
        let status = ScriptStep::Status {
            status: 200,
            content_type: "application/json".to_owned(),
            headers: HashMap::new(),
            body: body.to_string(),
        };
        house.ollama.script(Script::of(path, vec![status]).always());
    };
    answers("/api/show", json!({"remote_host":"https://ollama.com"}));
    for model in [
        json!({"name":"tiny:latest","digest":"0123"}),
        json!({"name":"tiny","digest":"4567","remote_host":"https://ollama.com"}),
    ] {
        answers("/api/tags", json!({"models":[model]}));
        for path in paths {
            for mark in ["unasked", "allowed"] {
                let answer = send(&house, path, &with_draft(path, mark), None).await;
                assert_eq!(refused(answer).await, (403, "draft_refused".to_owned()));
            }
        }
    }
    assert_eq!(texts_at(&house.ollama), before);
}

#[tokio::test]
async fn the_page_learns_how_each_engine_is_reached_and_how_the_server_was() {
    let [llama, vllm] = [Flavor::LlamaServer, Flavor::Vllm]
        .map(|flavor| StandIn::start(Config::openai(flavor)).unwrap());
    let engine = |name: &str, stand_in: &StandIn| EngineConfig {
        name: name.to_owned(),
        address: Address::local(stand_in.address()),
        protocol: EngineProtocol::OpenAi(None),
    };
    let engines = vec![engine("llama", &llama), engine("vllm", &vllm)];
    let house = House::with(|settings| settings.server.more_engines = engines).await;
    let mut state = Value::Null;
    for name in ["llama", "vllm", "ollama"] {
        let answer = house.post("state", json!({"engine":name})).await;
        state = answer.json().await.unwrap();
    }
    let reach: Vec<_> = state["engines"].as_array().unwrap().iter().collect();
    let reach: Vec<_> = reach.iter().map(|engine| &engine["reach"]).collect();
    assert_eq!(reach, ["local", "local", "unknown"]);
    let digests: Vec<_> = state["engines"].as_array().unwrap().iter().collect();
    let digests = digests
        .iter()
        .map(|it| it["address_digest"].as_str().unwrap());
    let digests: std::collections::HashSet<_> = digests.collect();
    assert_eq!(digests.len(), 3);
    assert!(digests.iter().all(|digest| digest.len() == 16));
    assert_eq!(state["from_this_machine"], true);
    let path = "/api/v1/state";
    let answer = send(&house, path, &json!({}), Some("X-Forwarded-For")).await;
    let state: Value = answer.json().await.unwrap();
    assert_eq!(state["from_this_machine"], Value::Null);
}
