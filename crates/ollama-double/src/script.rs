//! Scripts: what a test wants to be answered instead of, or around, the model's own words.

use super::template::Template;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// Steps for the requests to one path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Script {
    /// The path; `/api/chat` where none is given. For chat and generate the model's name and options are
    /// checked as ever, unless the first step is a [`Step::Status`]; loading and unloading use no script.
    #[serde(default = "chat")]
    pub path: String,
    /// For how many requests; `None` is for all until the scripts are cleared. Scripts with a number go
    /// before those without, in the order given; of those without, the last one counts.
    #[serde(default = "once")]
    pub times: Option<u32>,
    /// What happens, in order. After the last step the answer ends cleanly, with whatever it has.
    pub steps: Vec<Step>,
}

fn chat() -> String {
    "/api/chat".to_owned()
}

#[allow(clippy::unnecessary_wraps, reason = "the shape serde asks for")]
fn once() -> Option<u32> {
    Some(1)
}

impl Script {
    /// For the next chat.
    #[must_use]
    pub fn chat(steps: Vec<Step>) -> Self {
        Self {
            path: chat(),
            times: once(),
            steps,
        }
    }

    /// For another path.
    #[must_use]
    pub fn of(path: &str, steps: Vec<Step>) -> Self {
        Self {
            path: path.to_owned(),
            ..Self::chat(steps)
        }
    }

    /// For every request until the scripts are cleared.
    #[must_use]
    pub fn always(mut self) -> Self {
        self.times = None;
        self
    }
}

/// One step. As JSON `{"do":"text","text":"Hello"}`, names in `snake_case`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Step {
    /// This text, cut into `tokens` pieces of about equal length (or into its own tokens), `rate` tokens
    /// a second (or the stand-in's rate; 0 is as fast as it goes).
    Text {
        /// What to say.
        text: String,
        /// How many pieces.
        #[serde(default)]
        tokens: Option<usize>,
        /// Tokens a second.
        #[serde(default)]
        rate: Option<f64>,
    },
    /// The same as thinking.
    Thinking {
        /// What to think.
        text: String,
        /// How many pieces.
        #[serde(default)]
        tokens: Option<usize>,
        /// Tokens a second.
        #[serde(default)]
        rate: Option<f64>,
    },
    /// `count` times `word` (" word" where none is given); 0 is without end.
    Tokens {
        /// How many.
        count: u64,
        /// Tokens a second.
        #[serde(default)]
        rate: Option<f64>,
        /// The word.
        #[serde(default)]
        word: Option<String>,
    },
    /// The model's own answer: all of it, `done` included, or the first `tokens` of it.
    Answer {
        /// How many tokens of it; `None` is all.
        #[serde(default)]
        tokens: Option<u64>,
    },
    /// The tool calls that ride in the `done` line of the native path.
    ToolCalls {
        /// As in `message.tool_calls`.
        calls: Value,
    },
    /// Nothing, for so long. Before the first line this delays the head of the answer.
    Wait {
        /// Milliseconds.
        ms: u64,
    },
    /// Nothing, until `POST /_stand_in/release`; in a chat alone. Each release lets one such step go on, whichever of the two comes
    /// first.
    Hold,
    /// The head of the answer now, before any line.
    Head,
    /// These bytes as one HTTP chunk, nothing added.
    Bytes {
        /// As text.
        #[serde(default)]
        text: String,
        /// Or as hexadecimal digits, where it is no UTF-8.
        #[serde(default)]
        hex: String,
    },
    /// `count` bytes of the letter a, in chunks of 64 KiB: a line without end.
    Fill {
        /// How many bytes.
        count: u64,
    },
    /// A failure: `status` before the first line, afterwards an error line. Ends the answer.
    Error {
        /// The text under `error`.
        text: String,
        /// The status, 500 where none is given.
        #[serde(default)]
        status: Option<u16>,
    },
    /// The refusal of a chat template, in the runner's own words: the roles are not what it takes.
    Refuse {
        /// Which template.
        template: Template,
    },
    /// A complete answer of any kind instead. Only before the first line.
    Status {
        /// The status.
        status: u16,
        /// Its content type; none where empty.
        #[serde(default)]
        content_type: String,
        /// Further headers, such as `location`.
        #[serde(default)]
        headers: HashMap<String, String>,
        /// Its body.
        #[serde(default)]
        body: String,
    },
    /// The `done` line. Counts not given are the real ones.
    Done {
        /// `stop` where none is given.
        #[serde(default)]
        reason: Option<String>,
        /// `prompt_eval_count`.
        #[serde(default)]
        prompt_eval_count: Option<u64>,
        /// `eval_count`.
        #[serde(default)]
        eval_count: Option<u64>,
    },
    /// Ends cleanly, without `done`.
    End,
    /// Closes the connection without the end of the answer.
    Close,
    /// Resets the connection.
    Reset,
    /// Nothing more, until the client goes away.
    Stall,
    /// The same, and the model's slot stays taken even then, until the model is unloaded.
    Stuck,
    /// From here on every write to the socket has at most `bytes` bytes, chunk frames included, with
    /// `wait_us` microseconds between them.
    Split {
        /// Bytes in a write; 0 is no limit.
        bytes: usize,
        /// Microseconds.
        #[serde(default)]
        wait_us: u64,
    },
}

impl Step {
    /// A text at the stand-in's own rate.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text {
            text: text.to_owned(),
            tokens: None,
            rate: None,
        }
    }

    /// An ordinary end.
    #[must_use]
    pub fn done() -> Self {
        Self::Done {
            reason: None,
            prompt_eval_count: None,
            eval_count: None,
        }
    }

    /// The whole of the model's own answer.
    #[must_use]
    pub fn answer() -> Self {
        Self::Answer { tokens: None }
    }

    /// A failure.
    #[must_use]
    pub fn error(text: &str) -> Self {
        Self::Error {
            text: text.to_owned(),
            status: None,
        }
    }

    /// One line of text, its end added.
    #[must_use]
    pub fn line(text: &str) -> Self {
        Self::Bytes {
            text: format!("{text}\n"),
            hex: String::new(),
        }
    }
}
