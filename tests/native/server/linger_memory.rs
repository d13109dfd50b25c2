//! The memory of answers that nobody comes back to, measured at the program itself.
#![cfg(target_os = "linux")]

use super::binary::{megabytes, sash, started, terminate};
use crate::common::client;
use ollama_double::{Config, Script, ScriptStep, StandIn};
use serde_json::json;
use std::time::Duration;

/// The answers, and the size of each in bytes: together more than the 16 MB that one address may have, after half of
/// them already.
const ANSWERS: (u32, usize) = (160, 250_000);
const ALL_ANSWERS: (u32, usize) = (10_000, 5000);

#[tokio::test]
async fn the_memory_of_answers_that_nobody_comes_back_to_is_flat() {
    let (answers, bytes) = match std::env::var_os("SASH_TESTS") {
        Some(all) if all == "all" => ALL_ANSWERS,
        _ => ANSWERS,
    };
    let ollama = StandIn::start(Config::tests()).unwrap();
    let word = " word".repeat(100);
    let count = (bytes / word.len()) as u64;
    let words = ScriptStep::Tokens {
        count,
        rate: Some(0.0),
        word: Some(word),
    };
    ollama.script(Script::chat(vec![words]).always());
    let (listen, engine) = ("127.0.0.1:0", ollama.url());
    // Nobody reads the log, and a full pipe would stop the program.
    let args = ["--listen", listen, "--ollama", &engine, "--log", "error"];
    let (mut child, page) = started(&mut sash(&args)).await;
    let (http, mut most) = (client(), [0, 0]);
    for number in 0..answers {
        let id = format!("{number:032x}");
        let request = http.post(format!("{page}/api/v1/response"));
        let request = request.json(&json!({"model":"tiny","prompt":"p","answer_id":id}));
        let mut answer = request.send().await.unwrap();
        assert_eq!(answer.headers()["sash-answer-kept"], "yes");
        answer.chunk().await.unwrap().unwrap();
        drop(answer);
        // One at a time: on a busy machine the answers still running stood beside each other, and were measured too.
        while ollama.counters().generating > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // The first half fills the memory, so that the others push out earlier ones.
        let half = usize::from(number >= answers / 2);
        most[half] = megabytes(&child, "VmRSS").max(most[half]);
    }
    println!("{answers} answers: {most:?} MB");
    assert!(
        most[0] > 16,
        "the first half did not fill the memory: {most:?}"
    );
    assert!(most[1] * 10 <= most[0] * 13, "{most:?} MB");
    terminate(&child, "-TERM");
    let ended = tokio::time::timeout(Duration::from_secs(10), child.wait()).await;
    assert!(ended.unwrap().unwrap().success());
}

/// What each of these answers takes, in kB. It is what one is counted with (`LingerLimits::running_bytes`).
const RUNNING_KB: u64 = 37;
/// The running answers that are begun: more than the 16 MB of one address have room for.
const RUNNING: u32 = 600;

/// They were counted with 2 kB each: the connection to the engine was left out.
#[tokio::test]
async fn running_answers_that_nobody_reads_take_no_more_than_they_are_counted_with() {
    let config = Config {
        parallel: RUNNING as usize + 10,
        ..Config::tests()
    };
    let ollama = StandIn::start(config).unwrap();
    let steps = vec![ScriptStep::text("word"), ScriptStep::Stall];
    ollama.script(Script::chat(steps).always());
    let (listen, engine) = ("127.0.0.1:0", ollama.url());
    let args = ["--listen", listen, "--ollama", &engine, "--log", "error"];
    let more = ["--generations", "700"];
    let (mut child, page) = started(&mut sash(&[&args[..], &more].concat())).await;
    let http = client();
    let begin = async |number: u32| {
        let id = format!("{number:032x}");
        let request = http.post(format!("{page}/api/v1/response"));
        let request = request.json(&json!({"model":"tiny","prompt":"p","answer_id":id}));
        let mut answer = request.send().await.unwrap();
        answer.chunk().await.unwrap().unwrap();
        answer.headers()["sash-answer-kept"] == "yes"
    };
    for number in 0..10 {
        begin(number).await;
    }
    let before = megabytes(&child, "VmRSS");
    let mut kept = 0;
    for number in 10..RUNNING {
        kept += u64::from(begin(number).await);
    }
    let grown = megabytes(&child, "VmRSS") - before;
    println!("{kept} running answers: {grown} MB");
    assert!((430..520).contains(&kept), "{kept} of 16 MB");
    // Both readings are rounded down, so their difference may be one too many.
    let most = kept * RUNNING_KB + 1000;
    assert!(grown * 1000 <= most, "{grown} MB for {kept}");
    terminate(&child, "-TERM");
    let ended = tokio::time::timeout(Duration::from_secs(10), child.wait()).await;
    assert!(ended.unwrap().unwrap().success());
}
