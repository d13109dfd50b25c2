//! Why an answer ended, in the words of this API and of those that gateways pass on.

use sash_wire::DoneReason;
use serde_json::Value;

/// What `finish_reason` said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finish {
    /// Nothing yet.
    Open,
    /// The answer is complete, or cut off by a limit.
    Done(DoneReason),
    /// The engine's content filter ended it.
    Filtered,
    /// The engine gave it up.
    Aborted,
}

impl Finish {
    /// Reads a reason, in the words of this API and of those that gateways pass on.
    pub fn read(reason: &str) -> Option<Self> {
        Some(match reason.to_ascii_lowercase().as_str() {
            "" | "null" | "none" => return None,
            "length"
            | "incomplete"
            | "max_tokens"
            | "max_output_tokens"
            | "model_length"
            | "model_context_window_exceeded" => Self::Done(DoneReason::Length),
            "content_filter"
            | "content_filtered"
            | "guardrail_intervened"
            | "safety"
            | "image_safety"
            | "recitation"
            | "prohibited_content"
            | "blocklist"
            | "spii" => Self::Filtered,
            "abort"
            | "aborted"
            | "error"
            | "failed"
            | "failure"
            | "canceled"
            | "cancelled"
            | "timeout"
            | "malformed_function_call"
            | "unexpected_tool_call"
            | "network_error"
            | "server_error"
            | "insufficient_system_resource" => Self::Aborted,
            // "stop", "tool_calls", and what gateways add.
            _ => Self::Done(DoneReason::Stop),
        })
    }
}

/// Why an answer ended, of an event that has no choice: `stop` of `llama-server`, `done` of Ollama, and the events of
/// other APIs.
pub fn other_finish(event: &Value) -> Option<Finish> {
    let text = |path: &str| event.pointer(path).and_then(Value::as_str);
    let is_limited = text("/stop_type") == Some("limit") || event["stopped_limit"] == true;
    let reason = text("/delta/stop_reason").or_else(|| text("/done_reason"));
    match reason.and_then(Finish::read) {
        Some(finish) => Some(finish),
        // It tells how far the engine is, not the answer.
        None if event["message"].is_string() => None,
        None if event["stop"] == true && is_limited => Some(Finish::Done(DoneReason::Length)),
        None if event["stop"] == true || event["done"] == true => {
            Some(Finish::Done(DoneReason::Stop))
        }
        None => match text("/status").or(text("/response/status"))? {
            "completed" => Some(Finish::Done(DoneReason::Stop)),
            "incomplete" => {
                let details = "/incomplete_details/reason";
                let reason = text(details).or_else(|| text(&format!("/response{details}")));
                let finish = reason.and_then(Finish::read);
                Some(finish.unwrap_or(Finish::Done(DoneReason::Length)))
            }
            "failed" | "cancelled" => Some(Finish::Aborted),
            _ => None,
        },
    }
}
