//! Vectors of texts: what reaches Ollama, what comes back, and what is refused.

use crate::common::{House, call, refused};
use ollama_double::{Config, Flavor, Script, ScriptStep, StandIn};
use recall::EmbedRequest;
use sash_server::engine::{Address, EngineConfig, EngineProtocol};
use sash_wire::Embedded;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

fn request(texts: &[&str]) -> Value {
    json!({"model":"tinyembed","texts":texts})
}

async fn embedded(house: &House, texts: &[&str]) -> Embedded {
    let answer = house.post("embed", request(texts)).await;
    assert_eq!(answer.status(), 200);
    answer.json().await.unwrap()
}

/// A step that answers with this status and error.
fn refusal(status: u16, body: Value) -> ScriptStep {
    ScriptStep::Status {
        status,
        content_type: "application/json; charset=utf-8".into(),
        headers: Default::default(),
        body: body.to_string(),
    }
}

#[tokio::test]
async fn each_text_has_a_vector_and_ollama_is_asked_once() {
    let house = House::new().await;
    let texts = ["red wine", "wine that is red", "a road map"];
    let found = embedded(&house, &texts).await;
    let near = |one: usize, other: usize| -> f32 {
        let pairs = found.vectors[one].iter().zip(&found.vectors[other]);
        pairs.map(|(a, b)| a * b).sum()
    };
    assert_eq!(found.vectors.len(), 3);
    assert!(near(0, 1) > 0.5 && near(0, 2) < near(0, 1) / 2.0);
    assert!(found.tokens.unwrap() > 0);
    let seen = house.ollama.requests_to("/api/embed");
    assert_eq!(seen.len(), 1);
    let expected = json!({"model":"tinyembed","input":texts,"truncate":true});
    assert_eq!(seen[0].body, expected);
    assert_eq!(house.generations(), 0, "nothing was generated");
}

#[tokio::test]
async fn what_is_too_much_or_empty_is_refused_before_ollama_is_asked() {
    let house = House::new().await;
    let long = "x".repeat(EmbedRequest::MAX_TEXT_BYTES + 1);
    let many = vec!["x"; EmbedRequest::MAX_TEXTS + 1];
    for (texts, code) in [
        (&[][..], "missing_field"),
        (&["a", " \n"], "invalid_field"),
        (&[&*long], "invalid_field"),
        (&many, "invalid_field"),
    ] {
        let answer = house.post("embed", request(texts)).await;
        assert_eq!(refused(answer).await, (400, code.to_owned()));
    }
    assert!(house.ollama.requests_to("/api/embed").is_empty());
    let most = vec!["x"; EmbedRequest::MAX_TEXTS];
    assert_eq!(embedded(&house, &most).await.vectors.len(), most.len());
}

#[tokio::test]
async fn a_model_that_makes_none_or_is_gone_and_a_wrong_reply_are_faults() {
    let house = House::new().await;
    for (model, expected) in [
        ("tiny", (400, "unsupported")),
        ("gone", (404, "model_not_found")),
        ("bad name", (400, "invalid_model_name")),
    ] {
        let answer = house
            .post("embed", json!({"model":model,"texts":["a"]}))
            .await;
        let (status, code) = refused(answer).await;
        assert_eq!((status, &*code), expected, "{model}");
    }
    for body in [
        json!({"embeddings":[]}),
        json!({"embeddings":[[1.0]]}),
        json!({}),
    ] {
        house
            .ollama
            .script(Script::of("/api/embed", vec![refusal(200, body)]));
        let answer = house.post("embed", request(&["a", "b"])).await;
        assert_eq!(refused(answer).await, (502, "unexpected_reply".to_owned()));
    }
}

#[tokio::test]
async fn an_engine_of_the_openai_api_does_not_offer_it_and_is_not_asked() {
    let mut config = Config::tests();
    config.openai = Some(Flavor::Vllm);
    let other = StandIn::start(config).unwrap();
    let address = Address::local(other.address());
    let house = House::with(|settings| {
        settings.server.more_engines = vec![EngineConfig {
            name: "vllm".into(),
            protocol: EngineProtocol::OpenAi(None),
            ..EngineConfig::ollama(address)
        }];
    })
    .await;
    let asked = json!({"engine":"vllm","model":"tinyembed","texts":["a"]});
    let (status, code) = refused(house.post("embed", asked).await).await;
    assert_eq!((status, &*code), (501, "not_offered"));
    assert!(
        other
            .requests()
            .iter()
            .all(|seen| !seen.path.contains("embed"))
    );
}

#[tokio::test]
async fn vectors_take_no_permit_to_generate_and_leaving_ends_them() {
    let house = House::with(|settings| {
        settings.server.limits.generations = 1;
        settings.server.limits.unsent = 1;
    })
    .await;
    let stall = Script::of("/api/embed", vec![ScriptStep::Stall]);
    house.ollama.script(stall);
    let mut page = TcpStream::connect(house.at()).await.unwrap();
    let body = request(&["a"]).to_string();
    page.write_all(call(house.at(), "embed", &body).as_bytes())
        .await
        .unwrap();
    while house.ollama.requests_to("/api/embed").is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(
        house.frames().await.last().map(|frame| frame.is_last()),
        Some(true)
    );
    let (status, code) = refused(house.post("embed", request(&["b"])).await).await;
    assert_eq!((status, &*code), (429, "too_many_answers"));
    drop(page);
    assert!(
        house
            .ollama
            .wait_for_disconnects(1, Duration::from_secs(5))
            .await
    );
    let answer = house.post("embed", request(&["b"])).await;
    assert_eq!(answer.status(), 200, "the permit is free again");
}
