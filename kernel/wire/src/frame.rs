//! The frames of an answer: one JSON object per line, with data only. The last frame is always
//! `done` or `error`.

use super::Fault;
use sash_chat::ToolCall;
use serde::{Deserialize, Serialize};

/// One line of the response of `POST /api/v1/response`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Frame {
    /// How far the engine has read the prompt. Only before the first text, and only from an engine that tells it.
    Reading(ReadingProgress),
    /// The thinking that follows can be ended by `POST /api/v1/answer_now`. Only from an engine that can do it.
    Endable {
        /// The engine's id of the answer.
        id: String,
    },
    /// More of the model's thinking.
    Thinking {
        /// The text to append.
        text: String,
    },
    /// More of the answer.
    Text {
        /// The text to append.
        text: String,
    },
    /// The model calls tools. Their results go into the next request.
    ToolCalls {
        /// The calls, in the model's order; [`sash_chat::MAX_CALLS`] of an answer at most.
        calls: Vec<ToolCall>,
        /// How many more calls the model made, which are left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        left_out: usize,
    },
    /// The answer is complete. This is the last frame.
    Done {
        /// Why the model stopped.
        reason: DoneReason,
        /// Tokens and times.
        #[serde(default)]
        usage: Usage,
    },
    /// The answer broke off; the text received so far is kept. This is the last frame.
    Error {
        /// The reason.
        error: Fault,
    },
    /// A frame of a later version of Sash; a reader ignores it.
    #[serde(other)]
    Unknown,
}

/// How far an engine has read a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadingProgress {
    /// Tokens of the prompt.
    pub total: u64,
    /// Those that the engine had in its cache.
    pub cached: u64,
    /// Those that are read, the cached ones among them.
    pub processed: u64,
    /// Milliseconds since it began to read.
    pub ms: u64,
}

impl ReadingProgress {
    /// About how many milliseconds the rest takes, at the pace so far; `None` before the first token that was not cached.
    #[must_use]
    pub fn ms_left(self) -> Option<u64> {
        let read = self.processed.checked_sub(self.cached).filter(|n| *n > 0)?;
        let left = self.total.saturating_sub(self.processed);
        let ms = u128::from(self.ms) * u128::from(left) / u128::from(read);
        u64::try_from(ms).ok()
    }

    /// The same, so many milliseconds after the engine said it: it says so between batches, which take seconds.
    #[must_use]
    pub fn ms_left_after(self, passed: u64) -> Option<u64> {
        self.ms_left().map(|left| left.saturating_sub(passed))
    }
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DoneReason {
    /// The model finished.
    Stop,
    /// A token limit was reached (Ollama's `length`), so the answer is cut off.
    Length,
    /// The answer reached the server's size limit (16 MiB).
    Limit,
}

/// Tokens and times of an answer, as Ollama reported them. A missing value is unknown, because
/// Ollama omits zeros.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the rendered prompt, cached ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Those of them that the engine had in its cache; absent if it does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Tokens generated, thinking included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_tokens: Option<u64>,
    /// The model that answered, as the engine names it, if it is another one than was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Milliseconds to load the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_ms: Option<f64>,
    /// Milliseconds to evaluate the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_ms: Option<f64>,
    /// Milliseconds to generate the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_ms: Option<f64>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Frame {
    /// The frame as one line, including the newline.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }

    /// Whether this is the last frame of an answer.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Frame::Done { .. } | Frame::Error { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_have_the_documented_form() {
        let done = Frame::Done {
            reason: DoneReason::Stop,
            usage: Usage {
                model: None,
                prompt_tokens: Some(34),
                answer_tokens: Some(212),
                ..Usage::default()
            },
        };
        assert_eq!(
            done.to_line(),
            "{\"type\":\"done\",\"reason\":\"stop\",\"usage\":{\"prompt_tokens\":34,\"answer_tokens\":212}}\n"
        );
        assert_eq!(
            Frame::Text {
                text: "é\n".into()
            }
            .to_line(),
            "{\"type\":\"text\",\"text\":\"é\\n\"}\n"
        );
        let call = serde_json::json!([{"function": {"name": "f", "arguments": {"b": 1, "a": 2}}}]);
        let calls = Frame::ToolCalls {
            calls: ToolCall::list(&call),
            left_out: 0,
        };
        assert_eq!(
            calls.to_line(),
            "{\"type\":\"tool_calls\",\"calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"b\":1,\"a\":2}}}]}\n"
        );
        assert!(!calls.is_last());
        let many = Frame::ToolCalls {
            calls: Vec::new(),
            left_out: 9,
        };
        assert_eq!(
            many.to_line(),
            "{\"type\":\"tool_calls\",\"calls\":[],\"left_out\":9}\n"
        );
        let error = Frame::Error {
            error: Fault::ModelNotFound { model: "x".into() },
        };
        assert!(
            error.to_line().starts_with(
                "{\"type\":\"error\",\"error\":{\"code\":\"model_not_found\",\"message\":\""
            ),
            "{}",
            error.to_line()
        );
        let reading = Frame::Reading(ReadingProgress {
            total: 3000,
            cached: 100,
            processed: 1024,
            ms: 900,
        });
        assert_eq!(
            reading.to_line(),
            "{\"type\":\"reading\",\"total\":3000,\"cached\":100,\"processed\":1024,\"ms\":900}\n"
        );
        assert!(!reading.is_last());
        assert_eq!(
            serde_json::from_str::<Frame>(&reading.to_line()).unwrap(),
            reading
        );
        for frame in [done, error] {
            assert!(frame.is_last());
            assert_eq!(
                serde_json::from_str::<Frame>(&frame.to_line()).unwrap(),
                frame
            );
        }
    }

    #[test]
    fn a_frame_of_a_later_version_is_ignored_and_no_error() {
        for line in [
            r#"{"type":"later"}"#,
            r#"{"type":"later","text":"x","error":{}}"#,
        ] {
            assert_eq!(serde_json::from_str::<Frame>(line).unwrap(), Frame::Unknown);
        }
        assert!(serde_json::from_str::<Frame>(r#"{"text":"x"}"#).is_err());
    }

    #[test]
    fn the_rest_is_read_at_the_pace_so_far() {
        let left = |total, cached, processed, ms| {
            let progress = ReadingProgress {
                total,
                cached,
                processed,
                ms,
            };
            progress.ms_left()
        };
        assert_eq!(left(3000, 1000, 2000, 4000), Some(4000));
        let progress = ReadingProgress {
            total: 3000,
            cached: 1000,
            processed: 2000,
            ms: 4000,
        };
        let left_after = [0, 1_500, 4_000, 9_000].map(|passed| progress.ms_left_after(passed));
        assert_eq!(left_after, [4_000, 2_500, 0, 0].map(Some));
        assert_eq!(left(3000, 0, 3000, 4000), Some(0));
        assert_eq!(left(3000, 1000, 1000, 50), None, "nothing is read yet");
        assert_eq!(left(3000, 1000, 5000, 50), Some(0), "more than there is");
        assert_eq!(left(u64::MAX, 0, 1, u64::MAX), None, "no number of ours");
    }
}
