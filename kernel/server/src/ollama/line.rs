//! Parses the lines of Ollama's streams but those of an answer, as tolerantly as [`super::reply`]. A line is an error only
//! if it cannot be used at all.

use super::reply::{number, text};
use super::{OllamaRequestContext, from_error};
use crate::engine::reader::ReplyReader;
use sash_wire::Fault;
use serde_json::Value;

/// A line of one of Ollama's streams, apart from its error lines.
pub trait StreamLine: Sized {
    /// Parses a line.
    ///
    /// # Errors
    /// A sentence for the person if a required part is missing.
    fn read(value: &Value) -> Result<Self, String>;
}

/// Parses a line of a stream. An error ends the stream: the line is unreadable, or it is Ollama's error.
///
/// # Errors
/// [`Fault::BrokenStream`], or the fault that Ollama's error means.
pub fn line<L: StreamLine>(bytes: &[u8], asked: &OllamaRequestContext<'_>) -> Result<L, Fault> {
    let unreadable = |reason| Fault::BrokenStream { reason };
    let object = ReplyReader::default().object(bytes);
    let value = object.map_err(|error| unreadable(format!("Ollama sent a line that {error}")))?;
    match value.get("error").filter(|error| !error.is_null()) {
        Some(error) => Err(from_error(200, error, asked)),
        None => L::read(&value).map_err(unreadable),
    }
}

/// One line of a pull.
#[derive(Debug, Default, PartialEq)]
pub struct PullLine {
    /// Ollama's description of the step.
    pub status: String,
    /// The layer that is transferred.
    pub digest: Option<String>,
    /// The layer's size in bytes.
    pub total: u64,
    /// The bytes of the layer that were transferred; absent while there are none.
    pub completed: u64,
}

impl StreamLine for PullLine {
    fn read(value: &Value) -> Result<Self, String> {
        if !value.get("status").is_some_and(Value::is_string) {
            return Err("Ollama sent a line that holds no status".to_owned());
        }
        let digest = text(value, "digest");
        Ok(Self {
            status: text(value, "status"),
            digest: Some(digest).filter(|digest| !digest.is_empty()),
            total: number(value, "total"),
            completed: number(value, "completed"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: OllamaRequestContext<'static> = OllamaRequestContext {
        model: "m",
        address: "",
    };

    #[test]
    fn what_nothing_can_be_made_of_is_an_error() {
        for bytes in [
            &b"[1]"[..],
            b"3",
            b"{\"done\":false}",
            b"{\"status\":",
            b"<html>",
            b"\xff",
        ] {
            let fault = line::<PullLine>(bytes, &ASKED).unwrap_err();
            assert!(
                matches!(fault, Fault::BrokenStream { .. }),
                "{bytes:?} {fault}"
            );
        }
    }

    #[test]
    fn an_error_comes_before_anything_else_in_a_line() {
        let bytes = br#"{"status":"success","error":"server busy, wait"}"#;
        assert_eq!(line::<PullLine>(bytes, &ASKED), Err(Fault::OllamaBusy));
    }
}
