//! Refusals over HTTP in the form of the protocol. rmcp refuses some requests in plain text, one of them with what the
//! client sent in it; a client shows its person the message of a JSON-RPC error.

use super::calls::{CallRefusal, TOO_MANY_CALLS};
use super::message;
use axum::http::header::{ALLOW, CONTENT_TYPE, HeaderValue};
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
    let kind = HeaderValue::from_static(JSON);
    let error = message::error_json(error, id);
    (status, [(CONTENT_TYPE, kind)], error).into_response()
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
    let mut refusal = error_answer(status, error, id);
    if let Some(allow) = answer.headers().get(ALLOW) {
        refusal.headers_mut().insert(ALLOW, allow.clone());
    }
    refusal
}

fn sentence(status: StatusCode, headers: &HeaderMap) -> String {
    let says = match status {
        StatusCode::NOT_FOUND => {
            "There is no session with this Mcp-Session-Id: it was ended or not used for hours, or Sash was started again. Begin another with initialize."
        }
        StatusCode::METHOD_NOT_ALLOWED => "This version of the protocol has no sessions to end.",
        StatusCode::NOT_ACCEPTABLE => {
            "The header Accept must name both application/json and text/event-stream."
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "The header Content-Type must be application/json.",
        _ if !is_version_known(headers) => {
            let known = ProtocolVersion::KNOWN_VERSIONS.iter();
            let known: Vec<&str> = known.map(ProtocolVersion::as_str).collect();
            let known = known.join(", ");
            return format!("The header MCP-Protocol-Version must be one of: {known}.");
        }
        _ => {
            "The header Mcp-Session-Id is missing. It names the session that initialize has begun."
        }
    };
    says.to_owned()
}

fn is_version_known(headers: &HeaderMap) -> bool {
    let Some(version) = headers.get(VERSION_HEADER) else {
        return true;
    };
    let mut known = ProtocolVersion::KNOWN_VERSIONS.iter();
    known.any(|known| known.as_str().as_bytes() == version.as_bytes())
}
