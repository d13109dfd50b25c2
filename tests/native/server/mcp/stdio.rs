//! `sash mcp`: the program itself as a child process.

use super::*;
use ollama_double::{Config, Script, StandIn};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

fn sash(ollama: &StandIn, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sash"));
    for (name, _) in std::env::vars() {
        if name.starts_with("SASH_") || name == "OLLAMA_HOST" {
            command.env_remove(name);
        }
    }
    let address = ollama.address().to_string();
    command.args(["mcp", "--ollama", &address]).args(more);
    command.kill_on_drop(true);
    command
}

/// Starts the program and speaks with it; it ends when it is dropped.
async fn connect(mut command: Command) -> (Child, Client) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = command.spawn().unwrap();
    let streams = (
        program.stdout.take().unwrap(),
        program.stdin.take().unwrap(),
    );
    let client = Listener::default()
        .serve_with_lifecycle(streams, ClientLifecycleMode::Initialize)
        .await
        .unwrap();
    (program, client)
}

fn ollama() -> StandIn {
    StandIn::start(Config::tests()).unwrap()
}

/// The program with its input and its output.
fn piped(ollama: &StandIn, more: &[&str]) -> Child {
    let mut command = sash(ollama, more);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

#[tokio::test]
async fn a_client_asks_through_the_standard_streams() {
    let ollama = ollama();
    let (_program, client) = connect(sash(&ollama, &[])).await;
    assert_eq!(client.list_all_tools().await.unwrap().len(), 5);
    let chat = ask(&client, "first", None).await["chat_id"].clone();
    let next = ask(&client, "second", chat.as_str()).await;
    assert_eq!(next["context_messages"], 2);
    assert_eq!(ok(&client, "list_chats", json!({})).await["total"], 1);
    let said = failure(&client, "get_chat", json!({"chat_id": "x"})).await;
    assert!(said.starts_with("There is no chat"), "{said}");
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn a_cancelled_question_stops_the_model() {
    let ollama = ollama();
    ollama.script(Script::chat(vec![
        ScriptStep::text("half"),
        ScriptStep::Stall,
    ]));
    let (_program, client) = connect(sash(&ollama, &[])).await;
    let question = params("ask_question", &json!({"question": "q", "model": "tiny"}));
    let question = rmcp::model::ClientRequest::CallToolRequest(rmcp::model::Request::new(question));
    let options = rmcp::service::PeerRequestOptions::no_options();
    let handle = client
        .send_cancellable_request(question, options)
        .await
        .unwrap();
    while ollama.counters().generating == 0 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    handle.cancel(None).await.unwrap();
    assert!(ollama.wait_for_disconnects(1, Duration::from_secs(2)).await);
    ask(&client, "next", None).await;
}

#[tokio::test]
async fn nothing_but_the_protocol_is_on_standard_output_and_a_wrong_line_ends_nothing() {
    let ollama = ollama();
    let mut child = piped(&ollama, &["--log", "debug"]);
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    let secret = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_question","arguments":{"question":"a-secret-question","model":"tiny"}}}"#;
    let long = format!("{{\"text\":\"{}\"}}", "x".repeat(3 << 20));
    let text = format!("nonsense\n{INITIALIZE}{{\n\n{deep}\n{long}\n[1]\n{secret}\n");
    input.write_all(text.as_bytes()).await.unwrap();
    let mut seen = Vec::new();
    let read = async {
        while seen.len() < 3 {
            let line = lines.next_line().await.unwrap().unwrap();
            seen.push(serde_json::from_str::<Value>(&line).unwrap());
        }
    };
    tokio::time::timeout(Duration::from_secs(10), read)
        .await
        .unwrap();
    assert!(seen.iter().all(|message| message["jsonrpc"] == "2.0"));
    let errors: Vec<_> = seen
        .iter()
        .filter_map(|m| m["error"]["code"].as_i64())
        .collect();
    assert_eq!(errors, [-32600], "JSON that is no message");
    let answer = seen.iter().find(|message| message["id"] == 1).unwrap();
    assert_eq!(answer["result"]["isError"], false);
    drop(input);
    assert!(child.wait().await.unwrap().success());
    assert!(lines.next_line().await.unwrap().is_none());
    let mut log = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut log)
        .await
        .unwrap();
    assert!(!log.is_empty());
    assert!(!log.contains("a-secret-question"), "{log}");
}

#[tokio::test]
async fn it_ends_with_its_input_and_stops_the_model() {
    for began in [false, true] {
        let ollama = ollama();
        ollama.script(Script::chat(vec![
            ScriptStep::text("half"),
            ScriptStep::Stall,
        ]));
        let mut child = piped(&ollama, &[]);
        let mut input = child.stdin.take().unwrap();
        if began {
            let question = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_question","arguments":{"question":"q","model":"tiny"}}}"#;
            input
                .write_all(format!("{INITIALIZE}{question}\n").as_bytes())
                .await
                .unwrap();
            while ollama.counters().generating == 0 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let since = Instant::now();
        drop(input);
        let ended = tokio::time::timeout(Duration::from_secs(5), child.wait()).await;
        assert!(ended.unwrap().unwrap().success(), "began: {began}");
        assert!(
            since.elapsed() < Duration::from_secs(3),
            "{:?}",
            since.elapsed()
        );
        if began {
            assert!(ollama.wait_for_disconnects(1, Duration::from_secs(1)).await);
        }
    }
}

#[tokio::test]
async fn it_ends_when_nobody_reads_its_output_and_stops_the_model() {
    let ollama = ollama();
    ollama.script(Script::chat(vec![
        ScriptStep::text("half"),
        ScriptStep::Stall,
    ]));
    let mut child = piped(&ollama, &[]);
    let mut input = child.stdin.take().unwrap();
    let question = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_question","arguments":{"question":"q","model":"tiny"}}}"#;
    let text = format!("{INITIALIZE}{question}\n");
    input.write_all(text.as_bytes()).await.unwrap();
    while ollama.counters().generating == 0 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    drop(child.stdout.take());
    assert!(ollama.wait_for_disconnects(1, Duration::from_secs(2)).await);
    let ended = tokio::time::timeout(Duration::from_secs(2), child.wait()).await;
    assert!(ended.unwrap().unwrap().success());
    drop(input);
}

#[tokio::test]
async fn an_id_that_runs_is_refused_and_so_are_calls_beyond_the_limit() {
    let ollama = ollama();
    let mut child = piped(&ollama, &[]);
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = async || -> Value {
        let line = tokio::time::timeout(Duration::from_secs(10), lines.next_line()).await;
        serde_json::from_str(&line.unwrap().unwrap().unwrap()).unwrap()
    };
    let question = |id: usize, chat: &Value| {
        let mut arguments = json!({"question": "q", "model": "tiny"});
        if !chat.is_null() {
            arguments["chat_id"] = chat.clone();
        }
        let params = json!({"name": "ask_question", "arguments": arguments});
        let call = json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":params});
        format!("{call}\n")
    };
    let first = format!("{INITIALIZE}{}", question(1, &Value::Null));
    input.write_all(first.as_bytes()).await.unwrap();
    assert_eq!(next().await["id"], 0);
    let chat = next().await["result"]["structuredContent"]["chat_id"].clone();
    ollama.script(Script::chat(vec![ScriptStep::Stall]));
    let twice = question(2, &chat).repeat(2);
    input.write_all(twice.as_bytes()).await.unwrap();
    let error = next().await;
    assert!(error.get("id").is_none(), "no answer to the first: {error}");
    let says = error["error"]["message"].as_str().unwrap();
    assert!(says.starts_with("A call with this id is running"), "{says}");
    let more: String = (3..=41).map(|id| question(id, &chat)).collect();
    input.write_all(more.as_bytes()).await.unwrap();
    let mut refused = Vec::new();
    for _ in 34..=41 {
        let error = next().await;
        let code = &error["error"]["data"]["error"]["code"];
        assert_eq!(code, "too_many_answers", "{error}");
        refused.extend(error["id"].as_u64());
    }
    refused.sort_unstable();
    assert_eq!(refused, Vec::from_iter(34..=41));
    drop(input);
    assert!(child.wait().await.unwrap().success());
}

#[tokio::test]
async fn a_signal_ends_it_although_the_input_is_open() {
    let ollama = ollama();
    let mut child = piped(&ollama, &[]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(INITIALIZE.as_bytes()).await.unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next_line().await.unwrap().unwrap();
    let id = child.id().unwrap().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    let ended = tokio::time::timeout(Duration::from_secs(5), child.wait()).await;
    assert!(ended.unwrap().unwrap().success());
    drop(input);
}

#[tokio::test]
async fn it_binds_no_port_and_takes_the_flags_of_engines() {
    let ollama = ollama();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = sash(&ollama, &["--demo"]);
    // Neither a taken port nor an address that needs a token matters.
    command.env("SASH_LISTEN", taken.local_addr().unwrap().to_string());
    let (_program, client) = connect(command).await;
    ok(&client, "ask_question", json!({"question": "Hello?"})).await;
    assert!(
        ollama.requests_to("/api/chat").is_empty(),
        "the demo answers"
    );
    let mut wide = sash(&ollama, &[]);
    wide.env("SASH_LISTEN", "0.0.0.0:7274");
    let (_program, client) = connect(wide).await;
    ask(&client, "q", None).await;
}
