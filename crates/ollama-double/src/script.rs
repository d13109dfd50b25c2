//! Scripts: what a test wants to be answered instead of the model's own answer, or around it.

use super::template::Template;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// Steps for the requests to one path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Script {
    /// The path; `/api/chat` by default. For chat and generate the model's name and options are checked as
    /// usual, unless the first step is a [`ScriptStep::Status`]; loading and unloading use no script.
    #[serde(default = "chat")]
    pub path: String,
    /// The number of requests; `None` for all until the scripts are cleared. Scripts with a number are used
    /// before those without, in order; of those without, the last one counts.
    #[serde(default = "once")]
    pub times: Option<u32>,
    /// The steps, in order. After the last one the answer ends normally with what was sent.
    pub steps: Vec<ScriptStep>,
}

fn chat() -> String {
    "/api/chat".to_owned()
}

#[allow(clippy::unnecessary_wraps, reason = "the shape serde asks for")]
fn once() -> Option<u32> {
    Some(1)
}

impl Script {
    /// A script for the next chat request.
    #[must_use]
    pub fn chat(steps: Vec<ScriptStep>) -> Self {
        Self {
            path: chat(),
            times: once(),
            steps,
        }
    }

    /// A script for another path.
    #[must_use]
    pub fn of(path: &str, steps: Vec<ScriptStep>) -> Self {
        Self {
            path: path.to_owned(),
            ..Self::chat(steps)
        }
    }

    /// Applies the script to every request until the scripts are cleared.
    #[must_use]
    pub fn always(mut self) -> Self {
        self.times = None;
        self
    }
}

/// One step. As JSON `{"do":"text","text":"Hello"}`, names in `snake_case`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum ScriptStep {
    /// Sends this text, split into `tokens` pieces of about equal length (by default into its own tokens), at
    /// `rate` tokens per second (by default the stand-in's rate; 0 means no delay).
    Text {
        /// The text.
        text: String,
        /// The number of pieces.
        #[serde(default)]
        tokens: Option<usize>,
        /// Tokens per second.
        #[serde(default)]
        rate: Option<f64>,
    },
    /// Sends a text in the same way as thinking.
    Thinking {
        /// The text.
        text: String,
        /// The number of pieces.
        #[serde(default)]
        tokens: Option<usize>,
        /// Tokens per second.
        #[serde(default)]
        rate: Option<f64>,
    },
    /// Sends `word` (" word" by default) `count` times; 0 means without end.
    Tokens {
        /// The number of words.
        count: u64,
        /// Tokens per second.
        #[serde(default)]
        rate: Option<f64>,
        /// The word.
        #[serde(default)]
        word: Option<String>,
    },
    /// Sends the model's own answer: all of it, `done` included, or its first `tokens` tokens.
    Answer {
        /// The number of tokens; `None` for all.
        #[serde(default)]
        tokens: Option<u64>,
    },
    /// Sends tool calls in the `done` line of the native path.
    ToolCalls {
        /// The value of `message.tool_calls`.
        calls: Value,
    },
    /// Waits. Before the first line this delays the head of the answer.
    Wait {
        /// Milliseconds.
        ms: u64,
    },
    /// Waits until `POST /_stand_in/release`; in chats only. Each release continues one such step, and may
    /// come before the step.
    Hold,
    /// Sends the head of the answer before any line.
    Head,
    /// Sends these bytes as one HTTP chunk.
    Bytes {
        /// The bytes as text.
        #[serde(default)]
        text: String,
        /// Or as hexadecimal digits, if they are not UTF-8.
        #[serde(default)]
        hex: String,
    },
    /// Sends `count` bytes of the letter a in chunks of 64 KiB: a line without end.
    Fill {
        /// The number of bytes.
        count: u64,
    },
    /// Fails: with `status` before the first line, afterwards with an error line. Ends the answer.
    Error {
        /// The text under `error`.
        text: String,
        /// The status; 500 by default.
        #[serde(default)]
        status: Option<u16>,
    },
    /// The refusal of a chat template in the runner's wording: it does not accept the roles.
    Refuse {
        /// The template.
        template: Template,
    },
    /// Sends a complete answer of any kind instead. Only before the first line.
    Status {
        /// The status.
        status: u16,
        /// Its content type; none if empty.
        #[serde(default)]
        content_type: String,
        /// Further headers, such as `location`.
        #[serde(default)]
        headers: HashMap<String, String>,
        /// Its body.
        #[serde(default)]
        body: String,
    },
    /// Sends the `done` line. Counts that are not given are the real ones.
    Done {
        /// The reason; `stop` by default.
        #[serde(default)]
        reason: Option<String>,
        /// `prompt_eval_count`.
        #[serde(default)]
        prompt_eval_count: Option<u64>,
        /// `eval_count`.
        #[serde(default)]
        eval_count: Option<u64>,
    },
    /// Ends the answer normally, without `done`.
    End,
    /// Closes the connection before the answer ends.
    Close,
    /// Resets the connection.
    Reset,
    /// Sends nothing more until the client disconnects.
    Stall,
    /// Like `Stall`, but the model's slot stays taken after the disconnect, until the model is unloaded.
    Stuck,
    /// Limits every later write to the socket to `bytes` bytes, chunk frames included, with `wait_us`
    /// microseconds between them.
    Split {
        /// Bytes per write; 0 means no limit.
        bytes: usize,
        /// Microseconds.
        #[serde(default)]
        wait_us: u64,
    },
}

impl ScriptStep {
    /// Sends a text at the stand-in's rate.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text {
            text: text.to_owned(),
            tokens: None,
            rate: None,
        }
    }

    /// Ends the answer with the default `done` line.
    #[must_use]
    pub fn done() -> Self {
        Self::Done {
            reason: None,
            prompt_eval_count: None,
            eval_count: None,
        }
    }

    /// Sends the model's whole own answer.
    #[must_use]
    pub fn answer() -> Self {
        Self::Answer { tokens: None }
    }

    /// Fails with this text.
    #[must_use]
    pub fn error(text: &str) -> Self {
        Self::Error {
            text: text.to_owned(),
            status: None,
        }
    }

    /// Sends one line of text and its line end.
    #[must_use]
    pub fn line(text: &str) -> Self {
        Self::Bytes {
            text: format!("{text}\n"),
            hex: String::new(),
        }
    }
}
