//! The frames of an answer: one JSON object a line, data only. The last one is always `done` or `error`.

use super::Fault;
use serde::{Deserialize, Serialize};

/// One line of the answer to `POST /api/v1/response`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Frame {
    /// More of the model's thinking.
    Thinking {
        /// The piece, to be appended.
        text: String,
    },
    /// More of the answer.
    Text {
        /// The piece, to be appended.
        text: String,
    },
    /// The answer is complete. Nothing follows.
    Done {
        /// Why the model stopped.
        reason: DoneReason,
        /// What it cost.
        #[serde(default)]
        usage: Usage,
    },
    /// The answer broke off. What came before stays. Nothing follows.
    Error {
        /// What happened.
        error: Fault,
    },
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DoneReason {
    /// The model was done.
    Stop,
    /// A token limit was reached (Ollama's `length`): the answer is cut off.
    Length,
    /// The server's limit for one answer was reached (16 MiB).
    Limit,
}

/// What an answer cost, as Ollama counted it. An absent figure is unknown: Ollama leaves zeros out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt, cached ones included, after the model's template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens generated, thinking included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_tokens: Option<u64>,
    /// Milliseconds to load the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_ms: Option<f64>,
    /// Milliseconds to read the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_ms: Option<f64>,
    /// Milliseconds to write the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_ms: Option<f64>,
}

impl Frame {
    /// The frame as one line, with its line end.
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
        for frame in [done, error] {
            assert!(frame.is_last());
            assert_eq!(
                serde_json::from_str::<Frame>(&frame.to_line()).unwrap(),
                frame
            );
        }
    }
}
