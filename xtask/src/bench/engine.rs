//! Savings of reading ahead with a real `llama-server`: the time to the first word and the tokens left to read after
//! Enter, with nothing read, with the window read, and with the draft read at four typing pauses, for windows as five
//! rules make them.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::program::programs;
use super::{BenchRow, probe};
use crate::{Result, place};

/// Prompts of each kind.
const ROUNDS: usize = 20;
/// For how long a model may take to load.
const LOADING: Duration = Duration::from_secs(120);
/// For how long a prompt may be read.
const READING: Duration = Duration::from_secs(120);
/// The most messages of a chat that grows, so that it fits the context.
const MAX_MESSAGES: usize = 12;
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
    for rule in [
        WindowKind::Last,
        WindowKind::Steady,
        WindowKind::Everything,
        WindowKind::Recall,
        WindowKind::Summary,
    ] {
        for (kind, rests) in kinds {
            let rests = RESTS.get(..rests).unwrap_or(&RESTS);
            let (mut times, mut left) = samples(sash.address(), rule, rests)?;
            times.sort_unstable();
            left.sort_unstable();
            let median = times.get(times.len() / 2).copied().unwrap_or_default();
            let tokens = left.get(left.len() / 2).copied().unwrap_or_default();
            let value = format!("{:.2} s, {tokens} tokens left", median.as_secs_f64());
            println!(
                "{}",
                BenchRow::reported(
                    format!("first word, {}, {kind}", rule.name()),
                    value,
                    "30 tokens with the draft read"
                )
            );
        }
    }
    Ok(())
}

/// How the window of one prompt follows from that of the one before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WindowKind {
    /// The last three messages: each prompt begins with other ones.
    Last,
    /// It grows to [`MAX_MESSAGES`] and is cut to a third.
    Steady,
    /// All messages of a chat that begins anew when it is full.
    Everything,
    /// The last three messages, and a block of older ones before the question.
    Recall,
    /// The last three messages, and a summary after the system prompt.
    Summary,
}

impl WindowKind {
    fn name(self) -> &'static str {
        match self {
            Self::Last => "3 messages",
            Self::Steady => "steady",
            Self::Everything => "everything that fits",
            Self::Recall => "3 messages and recall",
            Self::Summary => "3 messages and a summary",
        }
    }

    /// Leaves of a chat the messages that go with the next prompt.
    fn cut(self, messages: &mut Vec<Value>) {
        let keep = match self {
            Self::Last | Self::Recall | Self::Summary => 3,
            Self::Steady if messages.len() > MAX_MESSAGES => MAX_MESSAGES / 3,
            Self::Everything if messages.len() > MAX_MESSAGES => 0,
            Self::Steady | Self::Everything => return,
        };
        messages.drain(..messages.len().saturating_sub(keep));
    }
}

/// The times and the tokens left of a chat's prompts. What the model answers is one word; the next window has an answer
/// of a length that people know, which it did not write and has to read.
fn samples(address: &str, rule: WindowKind, rests: &[usize]) -> Result<(Vec<Duration>, Vec<u64>)> {
    let mut words = Words(1);
    let message = |role: &str, text: &str| json!({"role": role, "content": text});
    let mut messages = Vec::new();
    let (mut times, mut left) = (Vec::new(), Vec::new());
    let mut system = "Be brief. ".repeat(20);
    if rule == WindowKind::Summary {
        system.push_str(&words.text(120));
    }
    for round in 0..ROUNDS + 2 {
        rule.cut(&mut messages);
        let recalled = match rule {
            WindowKind::Recall => format!("{}\n\n", words.text(200)),
            _ => String::new(),
        };
        let question = words.text(PROMPT_WORDS);
        let request = json!({
            "model": "bench", "system": system, "context": messages,
            "options": {"num_predict": 1, "temperature": 0.0},
        });
        let (time, tokens) = prompt(address, request, (&recalled, &question), rests)?;
        // The first prompts have no window of the full length.
        if round >= 2 {
            times.push(time);
            left.push(tokens);
        }
        messages.push(message("user", &format!("{recalled}{question}")));
        messages.push(message("assistant", &words.text(250)));
    }
    Ok((times, left))
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
fn prompt(
    address: &str,
    mut request: Value,
    (recalled, question): (&str, &str),
    rests: &[usize],
) -> Result<(Duration, u64)> {
    for rest in rests {
        let draft: Vec<&str> = question.split(' ').take(*rest).collect();
        let mut read = request.clone();
        read["draft"] = json!("unasked");
        read["prompt"] = match rest {
            0 => json!("."),
            _ => json!(format!("{recalled}{}", draft.join(" "))),
        };
        call(address, "read", &read, |_| {})?;
    }
    request["prompt"] = json!(format!("{recalled}{question}"));
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
