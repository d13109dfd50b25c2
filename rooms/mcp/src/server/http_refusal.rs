//! Refusals over HTTP in the form of the protocol. rmcp refuses some requests in plain text, one of them with what the
//! client sent in it; a client shows its person the message of a JSON-RPC error.

use super::calls::{CallRefusal, TOO_MANY_CALLS};
use super::message;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use rmcp::ErrorData;
use rmcp::model::{ProtocolVersion, RequestId};
use sash_door::refusal::{header, status};
use sash_wire::Fault;

const JSON: &str = "application/json";
const VERSION_HEADER: &str = "mcp-protocol-version";

/// An error of the protocol with its status.
pub fn error_answer(status: StatusCode, error: ErrorData, id: Option<RequestId>) -> Response {
    let error = message::error_json(error, id);
    (status, [(CONTENT_TYPE, JSON)], error).into_response()
}

/// A fault of the request as a whole.
pub fn refused(fault: &Fault, id: Option<RequestId>) -> Response {
    let mut answer = error_answer(status(fault), message::refusal(fault), id);
    answer.headers_mut().extend(header(fault));
    answer
}

/// A call that is not begun.
pub fn refuse_call(refusal: CallRefusal, id: RequestId) -> Response {
    match refusal {
        CallRefusal::TooMany => refused(&TOO_MANY_CALLS, Some(id)),
        CallRefusal::IdRuns => {
            let (error, id) = refusal.error(id);
            error_answer(StatusCode::BAD_REQUEST, error, id)
        }
    }
}

/// Puts an answer of rmcp that is a refusal in plain text into the form of the protocol. `headers` and `id` are those of
/// the request.
pub fn in_protocol(answer: Response, headers: &HeaderMap, id: Option<RequestId>) -> Response {
    let kind = answer.headers().get(CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(JSON.as_bytes()));
    let status = match answer.status() {
        status if is_json || status.is_success() => return answer,
        // The only failures of rmcp are sessions that end while a request for them is on its way.
        status if status.is_server_error() => StatusCode::NOT_FOUND,
        status => status,
    };
    let error = ErrorData::invalid_request(sentence(status, headers), None);
    let allow = answer.headers().get(ALLOW).cloned();
    let allow = allow.map(|allow| [(ALLOW, allow)]);
    (allow, error_answer(status, error, id)).into_response()
}

fn sentence(status: StatusCode, headers: &HeaderMap) -> String {
    let known = ProtocolVersion::KNOWN_VERSIONS.iter();
    let known = known.map(ProtocolVersion::as_str);
    let version = headers.get(VERSION_HEADER);
    let says = match status {
        StatusCode::NOT_FOUND => {
            "There is no session with this Mcp-Session-Id: it was ended or not used for hours, or Sash was started again. Begin another with initialize."
        }
        StatusCode::METHOD_NOT_ALLOWED => "This version of the protocol has no sessions to end.",
        StatusCode::NOT_ACCEPTABLE => {
            "The header Accept must name both application/json and text/event-stream."
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "The header Content-Type must be application/json.",
        _ if version.is_some_and(|version| known.clone().all(|known| version != known)) => {
            let known = known.collect::<Vec<_>>().join(", ");
            return format!("The header MCP-Protocol-Version must be one of: {known}.");
        }
        _ => {
            "The header Mcp-Session-Id is missing. It names the session that initialize has begun."
        }
    };
    says.to_owned()
}
