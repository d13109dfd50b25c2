//! The lines of an answer, with their keys in Ollama's order.

use super::json;
use serde::Serialize;
use serde_json::Value;

/// The content that one line adds.
#[derive(Clone, Default)]
pub struct Delta {
    /// Text.
    pub content: String,
    /// Thinking.
    pub thinking: String,
    /// Tool calls.
    pub tool_calls: Option<Value>,
    /// Logprobs of the tokens in it.
    pub logprobs: Vec<Value>,
}

/// The last line; counts and times that are 0 are left out.
#[derive(Clone, Default)]
pub struct LastLine {
    /// The content of the last line.
    pub last: Delta,
    /// `stop` or `length`.
    pub reason: String,
    /// The tokens of prompt and answer, for `/api/generate`.
    pub context: Option<Vec<u32>>,
    /// Counts and times.
    pub metrics: Metrics,
}

/// Counts, and times in nanoseconds.
#[derive(Clone, Copy, Default, Serialize)]
#[allow(missing_docs, reason = "Ollama's own names")]
pub struct Metrics {
    #[serde(skip_serializing_if = "is_zero")]
    pub total_duration: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub load_duration: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub prompt_eval_count: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub prompt_eval_duration: u64,
    /// Of them from the prompt cache. Only the OpenAI chat API tells it.
    #[serde(skip)]
    pub cached: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub eval_count: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub eval_duration: u64,
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// The endpoint that writes the lines, and the model's name in them.
#[derive(Clone)]
pub struct LineForm {
    /// The model as the request wrote it.
    pub model: String,
    /// Whether it is `/api/generate`, which has `response` instead of `message`.
    pub generate: bool,
}

impl LineForm {
    /// One line, or a whole answer that is not streamed.
    pub fn line<'a>(
        &'a self,
        delta: &'a Delta,
        done: Option<&'a LastLine>,
        role: &'a str,
    ) -> AnswerLine<'a> {
        let message = LineMessage {
            role,
            content: &delta.content,
            thinking: &delta.thinking,
            tool_calls: delta.tool_calls.as_ref(),
        };
        let thinking = Some(delta.thinking.as_str());
        AnswerLine {
            model: &self.model,
            created_at: json::now(),
            message: (!self.generate).then_some(message),
            response: self.generate.then_some(delta.content.as_str()),
            thinking: thinking.filter(|t| self.generate && !t.is_empty()),
            done: done.is_some(),
            done_reason: done.map(|done| done.reason.as_str()),
            context: done.and_then(|done| done.context.as_deref()),
            debug_info: None,
            logprobs: &delta.logprobs,
            metrics: done.map_or_else(Metrics::default, |done| done.metrics),
        }
    }
}

/// A line.
#[derive(Serialize)]
pub struct AnswerLine<'a> {
    model: &'a str,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<LineMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<&'a str>,
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    done_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a [u32]>,
    #[serde(rename = "_debug_info", skip_serializing_if = "Option::is_none")]
    /// Set by `_debug_render_only`.
    pub debug_info: Option<DebugInfo<'a>>,
    #[serde(skip_serializing_if = "<[Value]>::is_empty")]
    logprobs: &'a [Value],
    #[serde(flatten)]
    metrics: Metrics,
}

#[derive(Serialize)]
struct LineMessage<'a> {
    role: &'a str,
    content: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    thinking: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<&'a Value>,
}

/// The result of `_debug_render_only`.
#[derive(Serialize)]
pub struct DebugInfo<'a> {
    /// The prompt.
    pub rendered_template: &'a str,
    /// Number of images; left out if zero.
    #[serde(skip_serializing_if = "is_zero")]
    pub image_count: usize,
}
