//! What reading ahead saves with a real `llama-server`: the time to the first word and the tokens left to read after
//! Enter, with nothing read, with the window read, and with the draft read at four rests of typing.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::programs::programs;
use super::{BenchRow, probe};
use crate::{Result, place};

/// Prompts of each kind.
const ROUNDS: usize = 20;
/// For how long a model may take to load.
const LOADING: Duration = Duration::from_secs(120);
/// For how long a prompt may be read.
const READING: Duration = Duration::from_secs(120);
/// The words of a prompt.
const PROMPT_WORDS: usize = 40;
/// The words of the draft at each rest; none is the window alone.
const RESTS: [usize; 4] = [0, 12, 25, 39];

/// A running `llama-server`; dropping this stops it.
struct LlamaServer {
    child: Child,
    address: String,
}

impl Drop for LlamaServer {
    fn drop(&mut self) {
        self.child.kill().ok(); // It may have ended by itself.
        self.child.wait().ok();
    }
}

impl LlamaServer {
    fn start(program: &str, model: &str) -> Result<Self> {
        let address = probe::free_address()?;
        let port = address.rsplit(':').next().unwrap_or_default().to_owned();
        let child = Command::new(program)
            .args(["--model", model, "--host", "127.0.0.1", "--port", &port])
            .args(["--ctx-size", "8192", "--parallel", "1", "--alias", "bench"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{program} cannot be started: {e}"))?;
        let server = Self { child, address };
        let since = Instant::now();
        while probe::get(&server.address, "/health").is_err() {
            if since.elapsed() > LOADING {
                return Err(format!("{program} does not load {model}"));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(server)
    }
}

/// Measures with the program and the model that the arguments name, and prints the table.
pub fn measure(arguments: &[String]) -> Result {
    let [first, program, second, model] = arguments else {
        return Err(WANTED.to_owned());
    };
    if first != "--llama-server" || second != "--model" || !Path::new(model).is_file() {
        return Err(WANTED.to_owned());
    }
    let llama = LlamaServer::start(program, model)?;
    let engine = format!("llama=http://{}", llama.address);
    let arguments = ["--openai", &*engine, "--log", "error"];
    let sash = probe::Server::start_with(&programs()?.sash, &place::scratch(), &arguments)?;
    // The list of models says that it is a `llama-server`, which may read a draft.
    call(sash.address(), "models", &json!({}), |_| {})?;
    let kinds = [
        ("nothing read", 0),
        ("the window read", 1),
        ("the draft read", RESTS.len()),
    ];
    let mut samples = kinds.map(|_| (Vec::new(), Vec::new()));
    let mut words = Words(1);
    for _ in 0..ROUNDS {
        for ((_, rests), (times, left)) in kinds.iter().zip(&mut samples) {
            let (time, tokens) = prompt(
                sash.address(),
                &mut words,
                RESTS.get(..*rests).unwrap_or(&RESTS),
            )?;
            times.push(time);
            left.push(tokens);
        }
    }
    for ((kind, _), (mut times, mut left)) in kinds.into_iter().zip(samples) {
        times.sort_unstable();
        left.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        let tokens = left.get(left.len() / 2).copied().unwrap_or_default();
        let value = format!("{:.2} s, {tokens} tokens left", median.as_secs_f64());
        println!(
            "{}",
            BenchRow::reported(
                format!("first word, {kind}"),
                value,
                "30 tokens with the draft read"
            )
        );
    }
    Ok(())
}

const WANTED: &str = "cargo xtask bench engine --llama-server PROGRAM --model FILE.gguf";

/// Words without an end that look like a text, the same in each run.
struct Words(u64);

impl Words {
    fn text(&mut self, count: usize) -> String {
        const WORDS: [&str; 16] = [
            "wine", "cheese", "window", "model", "answer", "question", "river", "stone", "paper",
            "yellow", "quickly", "under", "machine", "language", "garden", "winter",
        ];
        let mut next = || {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            WORDS[(self.0 >> 60) as usize]
        };
        (0..count).map(|_| next()).collect::<Vec<_>>().join(" ")
    }
}

/// Has the draft read at these rests and sends the prompt. Returns the time to the first word, and the tokens that were
/// left to read.
fn prompt(address: &str, words: &mut Words, rests: &[usize]) -> Result<(Duration, u64)> {
    let message = |role: &str, text: String| json!({"role": role, "content": text});
    let text = words.text(PROMPT_WORDS);
    let mut request = json!({
        "model": "bench", "prompt": text, "system": "Be brief. ".repeat(20),
        "context": [message("assistant", words.text(250)), message("user", words.text(30)), message("assistant", words.text(250))],
        "options": {"num_predict": 1, "temperature": 0.0},
    });
    for rest in rests {
        let draft: Vec<&str> = text.split(' ').take(*rest).collect();
        let mut read = request.clone();
        read["draft"] = json!("unasked");
        read["prompt"] = match rest {
            0 => json!("."),
            _ => json!(draft.join(" ")),
        };
        call(address, "read", &read, |_| {})?;
    }
    request["prompt"] = json!(text);
    let since = Instant::now();
    let (mut first, mut left) = (None, None);
    call(address, "response", &request, |frame| {
        let kind = frame
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if matches!(kind, "text" | "thinking" | "done") {
            first.get_or_insert_with(|| since.elapsed());
        }
        if let Some(usage) = frame.get("usage") {
            let number = |name: &str| usage.get(name).and_then(Value::as_u64);
            left = number("prompt_tokens")
                .map(|all| all.saturating_sub(number("cached_tokens").unwrap_or_default()));
        }
    })?;
    first
        .zip(left)
        .ok_or_else(|| "the answer has no end".to_owned())
}

/// Calls the server, and gives each line of the response that is a JSON object to `on_line`.
fn call(address: &str, name: &str, body: &Value, mut on_line: impl FnMut(&Value)) -> Result {
    let failed = |e: std::io::Error| format!("{name}: {e}");
    let path = format!("/api/v1/{name}");
    let stream = probe::post(address, &path, &body.to_string(), READING)?;
    let mut lines = BufReader::new(stream).lines();
    let status = lines
        .next()
        .transpose()
        .map_err(failed)?
        .unwrap_or_default();
    if !status.starts_with("HTTP/1.1 200") {
        return Err(format!("{name}: {status}"));
    }
    for line in lines {
        let line = line.map_err(failed)?;
        if let Ok(value) = serde_json::from_str::<Value>(&line)
            && value.is_object()
        {
            on_line(&value);
        }
    }
    Ok(())
}
