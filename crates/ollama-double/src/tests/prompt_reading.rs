//! The stand-in reads prompts as a real `llama-server` (b11434) was recorded to do: in batches, with a report of each, and
//! what it read before it was left stays in the cache.

use super::{ask, client, open_at};
use crate::{Config, Flavor, StandIn};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncReadExt;

const CHAT: &str = "/v1/chat/completions";
const MODEL: &str = "tiny-think.gguf";

/// An exchange: the reports of a prompt that is read, `[total, cache, processed]` each, and the counts at the end, which a
/// prompt that was left does not get.
#[derive(Debug, Deserialize)]
struct Recorded {
    reports: Vec<[usize; 3]>,
    timings: Option<Counts>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Counts {
    cache_n: usize,
    prompt_n: usize,
}

fn recorded() -> Vec<Recorded> {
    let lines = include_str!("llama-reading.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A stand-in whose batches take long enough to be left between two.
fn reading() -> StandIn {
    StandIn::start(Config {
        rate: 0.0,
        prompt_rate: 5_000.0,
        ..Config::openai(Flavor::LlamaServer)
    })
    .unwrap()
}

fn request(prompt: &str) -> Value {
    let usage = json!({"include_usage": true});
    let more =
        json!({"stream": true, "stream_options": usage, "return_progress": true, "max_tokens": 1});
    ask(MODEL, prompt, &more)
}

fn events(text: &str) -> Vec<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter_map(|data| serde_json::from_str(data).ok())
        .collect()
}

fn reports(events: &[Value]) -> Vec<[usize; 3]> {
    let told = events
        .iter()
        .filter_map(|event| event.get("prompt_progress"));
    told.map(|told| {
        ["total", "cache", "processed"].map(|name| told[name].as_u64().unwrap() as usize)
    })
    .collect()
}

async fn exchange(stand_in: &StandIn, prompt: &str) -> (Vec<[usize; 3]>, Counts) {
    let url = stand_in.url() + CHAT;
    let answer = client().post(url).json(&request(prompt)).send().await;
    let all = events(&answer.unwrap().text().await.unwrap());
    let timings = all.iter().find_map(|event| event.get("timings")).unwrap();
    (reports(&all), Counts::deserialize(timings).unwrap())
}

/// A prompt of so many tokens with the template's. A letter is one token.
async fn prompt_of(total: usize, letter: &str) -> String {
    let (reports, _) = exchange(&reading(), letter).await;
    letter.repeat(1 + total - reports[0][0])
}

#[tokio::test]
async fn a_prompt_is_read_in_batches_and_again_from_the_cache() {
    let stand_in = reading();
    let recorded = recorded();
    let prompt = prompt_of(recorded[0].reports[0][0], "w").await;
    for recorded in &recorded[..2] {
        let (reports, counts) = exchange(&stand_in, &prompt).await;
        assert_eq!(reports, recorded.reports);
        assert_eq!(Some(counts), recorded.timings);
    }
}

#[tokio::test]
async fn a_prompt_that_is_left_ends_its_batch_and_keeps_it() {
    let stand_in = reading();
    let [.., left, again] = &recorded()[..] else {
        panic!("two exchanges");
    };
    let prompt = prompt_of(left.reports[0][0], "c").await;
    let mut socket = open_at(&stand_in, CHAT, &request(&prompt)).await;
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    while reports(&events(&text)).len() < left.reports.len() {
        let length = socket.read(&mut buffer).await.unwrap();
        text.push_str(std::str::from_utf8(&buffer[..length]).unwrap());
    }
    drop(socket);
    while stand_in.counters().generating > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // Beyond what the template has in common with the prompts before.
    let read = |[_, cache, processed]: [usize; 3]| processed - cache;
    let told: Vec<_> = reports(&events(&text)).into_iter().map(read).collect();
    let recorded: Vec<_> = left.reports.iter().copied().map(read).collect();
    assert_eq!(told[..recorded.len()], recorded);
    let (_, counts) = exchange(&stand_in, &prompt).await;
    let kept = again.timings.as_ref().unwrap().cache_n - left.reports[0][1];
    assert_eq!(counts.cache_n, kept);
}
