//! A fault as the error of a server function.

use leptos::server_fn::codec::JsonEncoding;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use sash_wire::{Fault, FaultBody, NoFaults, RoomFaults};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::marker::PhantomData;

/// How many characters of a response the message of [`Fault::UnexpectedReply`] quotes.
const EXCERPT: usize = 200;

/// The error of every server function, on the wire `{"error":{"code":"…","message":"…"}}`. It wraps
/// a [`FaultBody`] to implement Leptos' traits, so that `sash_wire` does not depend on Leptos. A room that has faults of its
/// own names them as `R`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct ApiError<R = NoFaults>(FaultBody, PhantomData<R>);

impl<R: RoomFaults> From<ApiError<R>> for Fault {
    /// The fault that the server returned, with the page's sentence.
    fn from(error: ApiError<R>) -> Self {
        error.0.error.told_by::<R>()
    }
}

impl<R> From<Fault> for ApiError<R> {
    /// On the server, this also sets the status and headers of the fault.
    fn from(fault: Fault) -> Self {
        #[cfg(not(target_arch = "wasm32"))]
        crate::context::set_status(&fault);
        Self(fault.into(), PhantomData)
    }
}

impl<R: RoomFaults + Debug + 'static> FromServerFnError for ApiError<R> {
    type Encoder = JsonEncoding;

    /// Converts an error that Leptos itself raises. On the server, that is a body it cannot parse;
    /// in the page, a broken connection, or a body that is not one of our faults, such as the HTML
    /// page of a proxy.
    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        use ServerFnErrorErr as E;
        let on_server = cfg!(not(target_arch = "wasm32"));
        match error {
            E::Deserialization(sentence) | E::Args(sentence) | E::MissingArg(sentence)
                if on_server =>
            {
                parse_failure(&sentence)
            }
            E::Request(_) => Fault::ConnectionLost,
            E::Response(reason) | E::Deserialization(reason) => Fault::UnexpectedReply {
                status: 0,
                content_type: "unknown".to_owned(),
                excerpt: reason.chars().take(EXCERPT).collect(),
            },
            _ => Fault::Internal,
        }
        .into()
    }
}

/// What the parser could not read: the name of a required field that is absent, or the line and column where it
/// stopped. Its full message may quote the body, so it is not passed on.
fn parse_failure(sentence: &str) -> Fault {
    let absent = sentence.strip_prefix("missing field `");
    if let Some((field, _)) = absent.and_then(|rest| rest.split_once('`')) {
        let field = field.to_owned();
        return Fault::MissingField { field };
    }
    let reason = parse_position(sentence);
    Fault::InvalidRequest { reason }
}

fn parse_position(sentence: &str) -> String {
    // For valid JSON of a wrong type, the parser also reports a position, but the position is
    // meaningless.
    const TYPE_ERRORS: [&str; 3] = ["invalid type", "invalid value", "unknown variant"];
    let place = sentence.rsplit_once(" at line ").map(|(_, place)| place);
    let place = place.and_then(|place| place.split_once(" column "));
    let number = |text: &str| text.parse::<usize>().ok();
    match place.and_then(|(line, column)| number(line).zip(number(column))) {
        Some((line, column)) if !TYPE_ERRORS.iter().any(|start| sentence.starts_with(start)) => {
            format!("not JSON (line {line}, column {column})")
        }
        _ => "a field has the wrong type".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_required_field_that_is_absent_is_named() {
        #[derive(Debug, Deserialize)]
        #[allow(dead_code, reason = "only its errors are of interest")]
        struct Named {
            #[serde(flatten)]
            model: sash_wire::AnswerNowRequest,
        }
        let of = |body: &str| {
            let error = serde_json::from_str::<Named>(body).unwrap_err();
            parse_failure(&error.to_string())
        };
        let field = "model".to_owned();
        assert_eq!(of(r#"{"engine":"x"}"#), Fault::MissingField { field });
        let wrong = "a field has the wrong type".to_owned();
        for body in [
            r#"{"model":7}"#,
            r#"{"model":"m","upstream":"missing field `x`"}"#,
        ] {
            let reason = wrong.clone();
            assert_eq!(of(body), Fault::InvalidRequest { reason }, "{body}");
        }
    }

    #[test]
    fn a_parsers_sentence_gives_the_place_and_never_quotes_the_body() {
        for (body, says) in [
            (
                &br#"{"prompt": secret}"#[..],
                "not JSON (line 1, column 12)",
            ),
            (b"{\"prompt\":\n x", "not JSON (line 2, column 2)"),
            (b"{} {}", "not JSON (line 1, column 4)"),
            (b"{\"model\":[\"secret at line 4 column x\"]}", "wrong type"),
            (b"{\"model\":\"x\",\"\xff\":1}", "not JSON"),
            (b"", "not JSON"),
        ] {
            let error = serde_json::from_slice::<std::collections::HashMap<String, String>>(body);
            let reason = parse_failure(&error.unwrap_err().to_string()).to_string();
            assert!(reason.contains(says), "{reason}");
            assert!(!reason.contains("secret"), "{reason}");
        }
    }
}
