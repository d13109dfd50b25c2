//! Reading ahead: a model reads the beginning of the next prompt before the person sends it, so that the engine has it
//! in its cache. Here is what page and server say to each other.

use sash_wire::ChatRequest;
use serde::{Deserialize, Serialize};

/// What a server says that has models read ahead ([`EngineState::says`](sash_wire::EngineState::says)).
pub const READS_AHEAD: &str = "reads_ahead";

/// The request of `POST /api/v1/read`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReadRequest {
    /// The request that will be sent, as far as it is known: its prompt is the draft up to its last whole word, or
    /// [`PLACEHOLDER`](crate::PLACEHOLDER).
    #[serde(flatten)]
    pub request: ChatRequest,
    /// How many tokens of its beginning the model has read already, as [`common_tokens`](crate::common_tokens) estimates them. What is read
    /// goes on from there in parts.
    #[serde(default)]
    pub read_before: u64,
    /// After how many parts to stop; after all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
}

/// The response of `POST /api/v1/read`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadResult {
    /// Why the reading ended.
    pub end: ReadEnd,
    /// How many tokens of the beginning the model has read now, as [`common_tokens`](crate::common_tokens) estimates them.
    pub read_tokens: u64,
    /// Tokens of the last part as the engine counted them, those of the template included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens that the engine had in its cache when the first part came; absent if it does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Milliseconds in which the model was loaded for the first part; absent if the engine does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_ms: Option<f64>,
    /// Milliseconds in which the parts were read; absent if the engine does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_ms: Option<f64>,
}

/// Why reading ahead ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadEnd {
    /// All of it was read.
    Whole,
    /// As many parts were read as were asked for, and more are left.
    Part,
    /// A prompt was sent to the engine, or one is being answered there.
    Prompt,
    /// Another page, or this one, asked for something else to be read by the same model.
    Superseded,
    /// Its time was over.
    Time,
    /// The model is not in memory: it would have been loaded.
    NotLoaded,
    /// The model is about to be unloaded: its time in memory would have begun anew.
    Leaving,
    /// Other models are being read ahead, as many as the server lets.
    Busy,
    /// The context of the model cannot hold the prompt.
    TooLong,
    /// It is switched off at the server or by the request's header.
    #[default]
    #[serde(other)]
    Off,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_is_that_of_an_answer_and_how_much_was_read() {
        let body = json!({"model":"m","prompt":"p","context":[{"role":"user","content":"q"}],
            "draft":"unasked","read_before":700});
        let read: ReadRequest = serde_json::from_value(body.clone()).unwrap();
        assert_eq!((read.read_before, read.request.context.len()), (700, 1));
        assert_eq!(read.request.check(), Ok(()));
        let again = serde_json::to_value(&read).unwrap();
        assert_eq!(
            (&again["read_before"], &again["prompt"]),
            (&json!(700), &json!("p"))
        );
        let wrong: ReadRequest =
            serde_json::from_value(json!({"model":"m","prompt":"p","draft":"yes"})).unwrap();
        assert!(wrong.request.check().is_err());
    }

    #[test]
    fn an_end_of_a_newer_server_counts_as_off() {
        let result: ReadResult = serde_json::from_str(r#"{"end":"tired"}"#).unwrap();
        assert_eq!(result.end, ReadEnd::Off);
    }
}
