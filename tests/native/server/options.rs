//! The options of a prompt, as each engine is sent them.

use crate::common::{House, refused};
use ollama_double::{Config, Flavor, StandIn};
use sash_server::engine::{Address, EngineConfig, EngineProtocol};
use serde_json::{Value, json};

const CHAT: &str = "/v1/chat/completions";

/// What an engine is sent of one option.
#[derive(Debug, PartialEq)]
enum Sent {
    /// This field with this value.
    Field(&'static str, Value),
    /// Nothing: the engine's default.
    Absent,
    /// The request is refused, with the name of the option.
    Refused,
}

#[tokio::test]
async fn each_engine_is_sent_what_an_option_means_however_it_is_written() {
    use Sent::{Absent, Field, Refused};
    let vllm = StandIn::start(Config::openai(Flavor::Vllm)).unwrap();
    let house = House::with(|settings| {
        settings.server.more_engines = vec![EngineConfig {
            name: "vllm".to_owned(),
            address: Address::local(vllm.address()),
            protocol: EngineProtocol::OpenAi(None),
        }];
    })
    .await;
    let whole = |number: i64| json!(number);
    for (option, written, ollama, openai) in [
        (
            "num_predict",
            "9",
            Field("num_predict", whole(9)),
            Field("max_tokens", whole(9)),
        ),
        (
            "num_predict",
            "9.0",
            Field("num_predict", whole(9)),
            Field("max_tokens", whole(9)),
        ),
        (
            "num_predict",
            "1e1",
            Field("num_predict", whole(10)),
            Field("max_tokens", whole(10)),
        ),
        ("num_predict", "-1", Field("num_predict", whole(-1)), Absent),
        (
            "num_predict",
            "-1.0",
            Field("num_predict", whole(-1)),
            Absent,
        ),
        (
            "num_predict",
            "0",
            Field("num_predict", whole(1)),
            Field("max_tokens", whole(1)),
        ),
        (
            "num_predict",
            "-0.0",
            Field("num_predict", whole(1)),
            Field("max_tokens", whole(1)),
        ),
        ("num_predict", "0.5", Refused, Refused),
        ("num_predict", "1e300", Refused, Refused),
        ("num_predict", "18446744073709551615", Refused, Refused),
        ("num_predict", "\"9\"", Refused, Refused),
        (
            "num_predict",
            "null",
            Field("num_predict", json!(null)),
            Absent,
        ),
        (
            "top_k",
            "40.0",
            Field("top_k", whole(40)),
            Field("top_k", whole(40)),
        ),
        (
            "top_k",
            "0.0",
            Field("top_k", whole(0)),
            Field("top_k", whole(-1)),
        ),
        (
            "top_k",
            "-3",
            Field("top_k", whole(-3)),
            Field("top_k", whole(-1)),
        ),
        ("top_k", "1.5", Refused, Refused),
        (
            "seed",
            "7.0",
            Field("seed", whole(7)),
            Field("seed", whole(7)),
        ),
        ("seed", "-1.0", Field("seed", whole(-1)), Absent),
        ("seed", "\"7\"", Refused, Refused),
        ("num_ctx", "8192.0", Field("num_ctx", whole(8192)), Refused),
        ("num_ctx", "\"8192\"", Refused, Refused),
        (
            "temperature",
            "1",
            Field("temperature", whole(1)),
            Field("temperature", whole(1)),
        ),
        (
            "temperature",
            "0.5",
            Field("temperature", json!(0.5)),
            Field("temperature", json!(0.5)),
        ),
        ("temperature", "\"1\"", Refused, Refused),
        (
            "stop",
            "[\"a\"]",
            Field("stop", json!(["a"])),
            Field("stop", json!(["a"])),
        ),
        ("stop", "\"a\"", Refused, Refused),
    ] {
        for (engine, model, expected) in [
            ("ollama", "tiny", ollama),
            ("vllm", "org/Tiny-Instruct", openai),
        ] {
            let body = format!(
                r#"{{"model":"{model}","prompt":"hello","engine":"{engine}","options":{{"{option}":{written}}}}}"#
            );
            let request = house.http.post(house.url("/api/v1/response")).body(body);
            let request = request.header("content-type", "application/json");
            let answer = request.send().await.unwrap();
            let about = format!("{engine} {option} {written}");
            if expected == Refused {
                let field = format!("options.{option}");
                assert_eq!(answer.status(), 400, "{about}");
                let said = answer.text().await.unwrap();
                assert!(said.contains(&field), "{about} {said}");
                continue;
            }
            assert_eq!(answer.status(), 200, "{about}");
            answer.text().await.unwrap();
            let sent = match engine {
                "ollama" => house.chats().pop().unwrap()["options"].clone(),
                _ => vllm.requests_to(CHAT).pop().unwrap().body,
            };
            match expected {
                Field(name, value) => assert_eq!(sent[name], value, "{about} {sent}"),
                Absent => assert!(
                    sent.get(option).is_none() && sent.get("max_tokens").is_none(),
                    "{about} {sent}"
                ),
                Refused => {}
            }
        }
    }
    let request = json!({"model":"tiny","prompt":"p","options":{"num_predict":1.5}});
    assert_eq!(
        refused(house.ask(request).await).await,
        (400, "invalid_field".to_owned())
    );
}
