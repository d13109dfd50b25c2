//! Converts a fault to an HTTP answer: status, JSON body, and the headers of the status.

use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use sash_wire::{Fault, FaultBody};

/// A fault as an answer.
#[must_use]
pub fn refusal(fault: &Fault) -> Response {
    let body = serde_json::to_string(&FaultBody::from(fault.clone())).unwrap_or_default();
    let mut answer = (status(fault), body).into_response();
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.extend(header(fault));
    answer
}

/// The status of a fault.
#[must_use]
pub fn status(fault: &Fault) -> StatusCode {
    StatusCode::from_u16(fault.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The header that some statuses need: when to ask again, or how to authenticate.
#[must_use]
pub fn header(fault: &Fault) -> Option<(HeaderName, HeaderValue)> {
    match fault {
        Fault::Unauthorized | Fault::OpenedTwice | Fault::AddressExpired => {
            Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")))
        }
        fault => fault
            .retry_after()
            .map(|seconds| (RETRY_AFTER, HeaderValue::from(seconds))),
    }
}
