//! Replays exchanges recorded from a real Ollama against the stand-in and compares the responses:
//! status, headers, framing (one line, one chunk), the order of keys, and the body except for
//! values that cannot be equal.
//!
//! A small set in `tests/data/recorded.jsonl` is always replayed. The whole collection is read from
//! `../shared/ollama-recordings` beside this package, or from `SASH_RECORDINGS`; if it is missing,
//! its test prints a line that says so, and passes.

mod compare;
mod exchange;
mod json;
mod rules;
mod socket;

use self::compare::differences;
use self::exchange::Exchange;
use ollama_double::{Config, Script, ScriptStep, StandIn};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// The exchanges that are not replayed, and why. Sash uses none of these endpoints.
const NOT_PLAYED: [(&str, &str); 6] = [
    ("v1-chat", "a compatibility layer"),
    ("v1-chat-stream", "a compatibility layer"),
    ("v1-responses", "a compatibility layer"),
    ("v1-responses-stream", "a compatibility layer"),
    ("v1-messages", "a compatibility layer"),
    ("blob-post-mismatch", "an upload, which needs SHA-256"),
];

/// Prints a line that the test harness does not capture. It starts with a newline, because a
/// single-threaded harness may be in the middle of a line of its own.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "\n{line}");
}

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("SASH_RECORDINGS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/ollama-recordings"),
        PathBuf::from,
    );
    folder.is_dir().then_some(folder)
}

/// What the simulated runner of the recordings did, as a script.
fn script(name: &str) -> Option<Script> {
    let text = |text: &str, tokens| ScriptStep::Text {
        text: text.to_owned(),
        tokens: Some(tokens),
        rate: None,
    };
    let thinking = |text: &str, tokens| ScriptStep::Thinking {
        text: text.to_owned(),
        tokens: Some(tokens),
        rate: None,
    };
    let done = || ScriptStep::Done {
        reason: None,
        prompt_eval_count: Some(30),
        eval_count: Some(9),
    };
    let calls = || {
        ScriptStep::ToolCalls {
        calls: serde_json::from_str(
            r#"[{"id":"call_abc","function":{"index":0,"name":"get_weather","arguments":{"city":"Paris"}}},
                {"id":"call_def","function":{"index":1,"name":"now","arguments":{}}}]"#,
        )
        .unwrap(),
    }
    };
    let steps = match name {
        // The texts are recorded from the model; only the counts come from the runner.
        "runner-think" | "runner-think-nostream" => {
            vec![ScriptStep::Answer { tokens: Some(9) }, done()]
        }
        "runner-tools" => vec![thinking("need tool", 1), calls(), done()],
        "runner-error" => vec![
            text("some", 1),
            ScriptStep::error(
                "llama-server chat error: map[code:500 message:boom type:server_error]",
            ),
        ],
        "runner-eof" => vec![text("some", 1), ScriptStep::End],
        "runner-badtool" => vec![ScriptStep::error(
            "llama-server returned invalid tool call arguments for \"f\": invalid character 'o' looking for beginning of object key string",
        )],
        "midstream-runner-killed" | "runner-killed-nostream" => vec![
            ScriptStep::Answer { tokens: Some(9) },
            ScriptStep::error("an error was encountered while running the model: unexpected EOF"),
        ],
        _ => return None,
    };
    Some(Script::chat(steps))
}

/// Replays exchanges in order. Returns the differences and how many exchanges were replayed.
async fn replay(stand_in: &StandIn, exchanges: &[Exchange]) -> (Vec<String>, usize) {
    let mut complaints = Vec::new();
    let mut played = 0;
    for exchange in exchanges {
        if NOT_PLAYED.iter().any(|(name, _)| *name == exchange.name) {
            continue;
        }
        if let Some(script) = script(&exchange.name) {
            stand_in.script(script);
        }
        let got = socket::send(stand_in.address(), &exchange.request).await;
        played += 1;
        for difference in differences(exchange, &got) {
            complaints.push(format!("{}: {difference}", exchange.name));
        }
    }
    (complaints, played)
}

/// The recorded build of Ollama had no version number.
fn recorded_version(mut config: Config) -> Config {
    config.version = "0.0.0".to_owned();
    config
}

fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[tokio::test]
async fn the_vendored_exchanges() {
    let text = include_str!("../../data/recorded.jsonl");
    let exchanges = exchange::read(text);
    assert!(exchanges.len() >= 12, "the vendored set is there");
    let stand_in = StandIn::start(recorded_version(Config::tests())).unwrap();
    let (complaints, played) = replay(&stand_in, &exchanges).await;
    assert_none(&complaints);
    assert_eq!(played, exchanges.len());
}

/// Tests the comparison itself: it notices each kind of change to a recorded response.
#[tokio::test]
async fn a_changed_recording_is_noticed() {
    let stand_in = StandIn::start(recorded_version(Config::tests())).unwrap();
    let changes = [
        ("chat-stream", r#""done":false"#, r#""done":true"#),
        ("chat-stream", "count\":34", "count\":35"),
        ("chat-stream", r#","done_reason":"length""#, ""),
        (
            "chat-stream",
            r#""role":"assistant","content":"""#,
            r#""content":"","role":"assistant""#,
        ),
        ("chat-stream", "}\n", "}"),
        ("chat-stream", "Z\"", "+01:00\""),
        ("chat-nostream", "}", "}\n"),
        ("runner-think", "\\u003c", "<"),
        ("pull-success", "verifying sha256 digest", "verifying"),
        ("chat-unknown", "not found", "not there"),
    ];
    for (name, from, to) in changes {
        let mut exchange = vendored(name);
        assert_none(&replay(&stand_in, &[vendored(name)]).await.0);
        let response = &mut exchange.response;
        let before = (response.body.clone(), response.chunks.clone());
        response.body = response.body.take().map(|body| body.replace(from, to));
        for chunk in response.chunks.iter_mut().flatten() {
            *chunk = chunk.replace(from, to);
        }
        assert_ne!(before, (response.body.clone(), response.chunks.clone()));
        let (complaints, _) = replay(&stand_in, &[exchange]).await;
        assert!(!complaints.is_empty(), "{name}: {from} as {to} passed");
    }
    let mut exchange = vendored("origin-localhost");
    exchange.response.headers.remove("Vary");
    exchange.response.status = 201;
    assert_eq!(replay(&stand_in, &[exchange]).await.0.len(), 2);
    let mut exchange = vendored("chat-stream");
    let whole = exchange.response.chunks.take().unwrap().concat();
    exchange.response.chunks = Some(vec![whole]);
    assert_eq!(replay(&stand_in, &[exchange]).await.0.len(), 1);
}

fn vendored(name: &str) -> Exchange {
    let all = exchange::read(include_str!("../../data/recorded.jsonl"));
    all.into_iter().find(|one| one.name == name).unwrap()
}

#[tokio::test]
async fn the_whole_collection() {
    let Some(folder) = folder() else {
        say("skipped: recordings absent");
        return;
    };
    let file = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        exchange::read(&text)
    };
    let all = file("transcripts.jsonl");
    let pulls = file("pull.jsonl");
    let extra = file("extra.jsonl");
    let total = all.len() + pulls.len() + extra.len();

    let stand_in = StandIn::start(recorded_version(Config::tests())).unwrap();
    let (mut complaints, mut played) = replay(&stand_in, &all).await;

    let stand_in = StandIn::start(Config::empty()).unwrap();
    let (more, count) = replay(&stand_in, &pulls).await;
    complaints.extend(more);
    played += count;

    for exchange in extra {
        let stand_in = special(&exchange.name).await;
        let (more, count) = replay(&stand_in, &[exchange]).await;
        complaints.extend(more);
        played += count;
    }
    let reasons: Vec<String> = NOT_PLAYED
        .iter()
        .map(|(name, why)| format!("{name} ({why})"))
        .collect();
    say(&format!(
        "replayed {played} of {total}, not played {}: {}",
        total - played,
        reasons.join(", ")
    ));
    assert_none(&complaints);
    assert_eq!(played + NOT_PLAYED.len(), total);
}

/// A stand-in with the settings with which this exchange was recorded.
async fn special(name: &str) -> StandIn {
    let mut config = Config::tests();
    match name {
        "origins-star-preflight" => config.any_origin = true,
        "busy-503" => {
            config.max_queue = 1;
            config.max_loaded = 1;
        }
        _ => {}
    }
    let stand_in = StandIn::start(config).unwrap();
    if name == "busy-503" {
        // One model answers without end, and a request for another waits: the queue is full.
        for model in ["tinyloop", "tiny"] {
            let body = format!(
                r#"{{"model":"{model}","messages":[{{"role":"user","content":"x"}}],"options":{{"num_predict":100000}}}}"#
            );
            let address = stand_in.address();
            tokio::spawn(socket::hold(address, body));
            tokio::time::sleep(Duration::from_millis(150)).await;
        }
    }
    stand_in
}
