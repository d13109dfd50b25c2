//! The client against exchanges recorded from a real Ollama: the recorded bytes are what the engine answers. The
//! stand-in is held to the same recordings in `tests/recordings`.

use crate::common::{House, lines, pull_frames, refused};
use models::PullFrame;
use ollama_double::{Script, ScriptStep};
use sash_wire::{EngineState, Frame, ModelDetails, ModelList};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A recorded exchange, as far as a client needs it.
#[derive(Deserialize)]
struct Exchange {
    name: String,
    request: Request,
    response: Response,
}

#[derive(Deserialize)]
struct Request {
    method: String,
    path: String,
    body: Value,
}

#[derive(Deserialize)]
struct Response {
    status: u16,
    body: Option<String>,
    chunks: Option<Vec<String>>,
}

impl Response {
    fn text(&self) -> String {
        let chunks = self.chunks.iter().flatten().cloned().collect();
        self.body.clone().unwrap_or(chunks)
    }

    /// The lines of a stream.
    fn lines(&self) -> Vec<Value> {
        let text = self.text();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect()
    }

    /// The script with which the stand-in plays this response.
    fn steps(&self) -> Vec<ScriptStep> {
        match &self.chunks {
            Some(chunks) if self.status == 200 => {
                let bytes = |text: &String| ScriptStep::Bytes {
                    text: text.clone(),
                    hex: String::new(),
                };
                chunks.iter().map(bytes).chain([ScriptStep::End]).collect()
            }
            _ => vec![ScriptStep::Status {
                status: self.status,
                content_type: "application/json; charset=utf-8".into(),
                headers: Default::default(),
                body: self.text(),
            }],
        }
    }
}

/// The vendored exchanges, or all of them where the whole collection is there.
fn exchanges(file: &str) -> Vec<Exchange> {
    let folder = std::env::var_os("SASH_RECORDINGS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/ollama-recordings"),
        PathBuf::from,
    );
    let text = std::fs::read_to_string(folder.join(file));
    let text = text.unwrap_or_else(|_| include_str!("../../data/recorded.jsonl").to_owned());
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The texts of a field of the recorded messages, joined.
fn recorded(lines: &[Value], field: &str) -> String {
    let texts = lines.iter().map(|line| &line["message"][field]);
    texts.filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn recorded_answers_are_read_whole() {
    let house = House::new().await;
    let mut read = 0;
    for exchange in exchanges("transcripts.jsonl") {
        let Request { method, path, body } = &exchange.request;
        let streams =
            body.is_object() && body["stream"] != false && body.get("keep_alive").is_none();
        let is_prompt = body["messages"].as_array().is_some_and(|m| !m.is_empty());
        if method != "POST" || path != "/api/chat" || !streams || !is_prompt {
            continue;
        }
        let name = &exchange.name;
        read += 1;
        house.ollama.script(Script::chat(exchange.response.steps()));
        let answer = house.ask(json!({"model":"tiny","prompt":"p"})).await;
        if exchange.response.status != 200 {
            let (status, code) = refused(answer).await;
            assert!(status >= 400, "{name}");
            assert!(
                !matches!(&*code, "internal" | "broken_stream"),
                "{name}: {code}"
            );
            continue;
        }
        let sent = exchange.response.lines();
        if sent.iter().all(|line| line.get("error").is_some()) {
            assert_ne!(answer.status(), 200, "{name}");
            continue;
        }
        let frames: Vec<Frame> = lines(answer).await;
        let (mut text, mut thinking, mut calls) = (String::new(), String::new(), Vec::new());
        for frame in &frames {
            match frame {
                Frame::Text { text: more } => text += more,
                Frame::Thinking { text: more } => thinking += more,
                Frame::ToolCalls { calls: more, .. } => calls.extend(more.clone()),
                Frame::Done { usage, .. } => {
                    let last = sent.last().unwrap();
                    assert_eq!(
                        usage.prompt_tokens,
                        last["prompt_eval_count"].as_u64(),
                        "{name}"
                    );
                    assert_eq!(usage.answer_tokens, last["eval_count"].as_u64(), "{name}");
                }
                // Of Ollama there is no other.
                Frame::Error { .. }
                | Frame::Reading(_)
                | Frame::Endable { .. }
                | Frame::Unknown => {}
            }
        }
        let is_done = sent.last().is_some_and(|line| line["done"] == true);
        let ended = matches!(frames.last(), Some(Frame::Done { .. }));
        assert_eq!(ended, is_done, "{name}: {:?}", frames.last());
        assert_eq!(text, recorded(&sent, "content"), "{name}");
        assert_eq!(thinking, recorded(&sent, "thinking"), "{name}");
        let called: Vec<&Value> = sent
            .iter()
            .filter_map(|line| line["message"]["tool_calls"].as_array())
            .flatten()
            .collect();
        assert_eq!(calls.len(), called.len(), "{name}");
        for (call, recorded) in calls.iter().zip(called) {
            assert_eq!(call.id.as_deref(), recorded["id"].as_str());
            assert_eq!(call.function.name, recorded["function"]["name"]);
            let arguments = Value::Object(call.function.arguments.clone());
            assert_eq!(arguments, recorded["function"]["arguments"]);
        }
    }
    assert!(read >= 5, "{read} answers");
}

#[tokio::test]
async fn recorded_lists_details_and_deletions_are_read() {
    let house = House::new().await;
    let mut read = 0;
    for exchange in exchanges("transcripts.jsonl") {
        let Exchange {
            name,
            request,
            response,
        } = exchange;
        let path = request.path.as_str();
        let play = || house.ollama.script(Script::of(path, response.steps()));
        let model = json!({"model":"tiny"});
        match (request.method.as_str(), path) {
            ("GET", "/api/tags") => {
                play();
                let list: ModelList = house
                    .post("installed", json!({}))
                    .await
                    .json()
                    .await
                    .unwrap();
                let recorded: Value = serde_json::from_str(&response.text()).unwrap();
                let names = |list: &Value| -> Vec<Value> {
                    let models = list["models"].as_array().unwrap().iter();
                    models.map(|model| model["name"].clone()).collect()
                };
                let mut found: Vec<Value> = list.models.iter().map(|m| json!(m.name)).collect();
                let mut expected = names(&recorded);
                found.sort_by_key(Value::to_string);
                expected.sort_by_key(Value::to_string);
                assert_eq!(found, expected, "{name}");
            }
            ("GET", "/api/ps") => {
                play();
                let state: EngineState = house.post("state", json!({})).await.json().await.unwrap();
                let recorded: Value = serde_json::from_str(&response.text()).unwrap();
                let models = recorded["models"].as_array().unwrap();
                assert_eq!(state.loaded.len(), models.len(), "{name}");
                for (loaded, model) in state.loaded.iter().zip(models) {
                    assert_eq!(loaded.name, model["name"]);
                    assert_eq!(loaded.context_length, model["context_length"].as_u64());
                }
            }
            ("POST", "/api/show") => {
                play();
                let answer = house.post("show", model).await;
                if response.status == 200 {
                    let details: ModelDetails = answer.json().await.unwrap();
                    let recorded: Value = serde_json::from_str(&response.text()).unwrap();
                    assert_eq!(
                        details.template,
                        recorded["template"].as_str().unwrap_or_default()
                    );
                    assert_eq!(json!(details.modelfile), recorded["modelfile"], "{name}");
                } else {
                    assert!(refused(answer).await.0 >= 400, "{name}");
                }
            }
            ("DELETE", "/api/delete") => {
                play();
                let answer = house.post("delete", model).await;
                assert_eq!(answer.status() == 200, response.status == 200, "{name}");
            }
            _ => continue,
        }
        read += 1;
    }
    assert!(read >= 2, "{read} exchanges");
}

#[tokio::test]
async fn recorded_pulls_are_read_to_their_end() {
    let house = House::new().await;
    for exchange in exchanges("pull.jsonl") {
        let Request { path, body, .. } = &exchange.request;
        if path != "/api/pull" || body["stream"] == false || exchange.response.status != 200 {
            continue;
        }
        house
            .ollama
            .script(Script::of("/api/pull", exchange.response.steps()));
        let frames = pull_frames(house.post("pull", json!({"model":"tiny"})).await).await;
        let success = exchange.response.text().contains(r#"{"status":"success"}"#);
        let done = matches!(frames.last(), Some(PullFrame::Done));
        assert_eq!(done, success, "{}: {:?}", exchange.name, frames.last());
    }
}
