//! The way into the server functions: the body is read with its limits, checked to be one JSON object,
//! and handed to Leptos; what comes back gets its status and content type. The one place that knows
//! which status a fault has on the wire.

use crate::api;
use crate::server::app::App;
use crate::wire::{Fault, FaultBody};
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{
    CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::BodyExt;
use leptos::prelude::{provide_context, use_context};
use leptos::server_fn::ServerFn;
use leptos::server_fn::axum::{get_server_fn_service, register_explicit};
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long what is left of a body over the limit is read and thrown away, so that the page gets the
/// answer and not a reset connection.
const THROW_AWAY: Duration = Duration::from_secs(2);

/// Makes the server functions known by name. Leptos' own registration is lost where nothing else of
/// `api` is linked.
pub fn register() {
    register_explicit::<api::Response>();
    register_explicit::<api::Models>();
    register_explicit::<api::State>();
    register_explicit::<api::Pull>();
    register_explicit::<api::Render>();
    register_explicit::<api::Highlight>();
}

/// The shared state, inside a server function, before its first await.
///
/// # Errors
/// [`Fault::Internal`] outside of one.
pub fn app() -> Result<Arc<App>, Fault> {
    use_context::<Arc<App>>().ok_or(Fault::Internal {})
}

/// Answers `POST /api/v1/{name}`.
pub async fn call(State(app): State<Arc<App>>, request: Request) -> Response {
    match prepared(&app, request).await {
        Ok(request) => {
            let context = move || provide_context(Arc::clone(&app));
            let answer = leptos_axum::handle_server_fns_with_context(context, request).await;
            finished(answer.into_response()).await
        }
        Err(fault) => refusal(&fault),
    }
}

/// A fault as an answer: status, JSON body, and the headers that belong to the status.
#[must_use]
pub fn refusal(fault: &Fault) -> Response {
    let status = StatusCode::from_u16(fault.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let body = serde_json::to_string(&FaultBody::from(fault.clone())).unwrap_or_default();
    let mut answer = (status, body).into_response();
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    match fault {
        Fault::TooManyAnswers { .. } => headers.insert(RETRY_AFTER, HeaderValue::from_static("5")),
        Fault::OllamaBusy {} => headers.insert(RETRY_AFTER, HeaderValue::from_static("2")),
        Fault::TooManyAttempts {} => headers.insert(RETRY_AFTER, HeaderValue::from_static("60")),
        Fault::Unauthorized {} => {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
        }
        _ => None,
    };
    answer
}

/// The request as Leptos gets it: the path, and a body that is one JSON object. No header of the
/// browser's goes along: `Accept` and `Referer` would make Leptos redirect.
async fn prepared(app: &App, request: Request) -> Result<Request, Fault> {
    let path = request.uri().path().to_owned();
    if get_server_fn_service(&path, Method::POST).is_none() {
        return Err(Fault::NotFound {});
    }
    let limit = if path == api::Response::PATH || path == api::Render::PATH {
        app.limits.prompt_bytes
    } else {
        app.limits.body_bytes
    };
    let announced = announced(&request);
    let deadline = Instant::now() + app.limits.body_time;
    let body = timeout_at(deadline, read(request.into_body(), announced, limit))
        .await
        .map_err(|_| Fault::RequestTimeout {})??;
    let object = object(&body)?;
    let mut request = Request::builder()
        .method(Method::POST)
        .uri(path)
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(object))
        .map_err(|_| Fault::NotFound {})?;
    // The limit was applied above.
    DefaultBodyLimit::disable().apply(&mut request);
    Ok(request)
}

/// How many bytes the client says will come.
fn announced(request: &Request) -> usize {
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    length.unwrap_or_default()
}

async fn read(mut body: Body, announced: usize, limit: usize) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Fault::InvalidRequest {
            reason: "the body broke off".to_owned(),
        })?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if bytes.len() + data.len() > limit {
            let mut came = bytes.len() + data.len();
            let rest = async {
                while let Some(Ok(frame)) = body.frame().await {
                    came += frame.data_ref().map_or(0, Bytes::len);
                }
            };
            let _ = tokio::time::timeout(THROW_AWAY, rest).await;
            let bytes = came.max(announced);
            return Err(Fault::TooLarge { bytes, limit });
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

/// Written anew, so that a key that stands there twice has one value, the last: the parser behind
/// would refuse it.
fn object(body: &[u8]) -> Result<Vec<u8>, Fault> {
    let invalid = |reason: String| Fault::InvalidRequest { reason };
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        // Serde's text may quote the body; where it broke is enough.
        invalid(format!(
            "not JSON (line {}, column {})",
            error.line(),
            error.column()
        ))
    })?;
    if !value.is_object() {
        return Err(invalid("the body is another JSON value".to_owned()));
    }
    serde_json::to_vec(&value).map_err(|_| invalid("it cannot be written".to_owned()))
}

/// Leptos answers every error with 500 and every stream as bytes; both are put right here.
async fn finished(mut answer: Response) -> Response {
    if answer.headers().contains_key(SERVER_FN_ERROR_HEADER) || !answer.status().is_success() {
        let body = answer.into_body().collect().await;
        let body = body
            .map(http_body_util::Collected::to_bytes)
            .unwrap_or_default();
        let fault = serde_json::from_slice::<FaultBody>(&body).map(|body| body.error);
        return refusal(&match fault {
            // What did not fit the function's argument: Leptos calls that a reply it cannot read.
            Ok(Fault::UnexpectedReply { status: 0, .. }) => Fault::InvalidRequest {
                reason: "a field has the wrong type".to_owned(),
            },
            // The field's name goes out in the sentence alone, so it is read back from there.
            Ok(Fault::Other { code, message }) if code == "missing_field" => Fault::MissingField {
                field: message.split('\'').nth(1).unwrap_or_default().to_owned(),
            },
            Ok(fault) => fault,
            Err(_) => Fault::Internal {},
        });
    }
    let streams = answer.headers().get(CONTENT_TYPE);
    if streams.is_some_and(|kind| kind == "application/octet-stream") {
        let lines = HeaderValue::from_static("application/x-ndjson");
        answer.headers_mut().insert(CONTENT_TYPE, lines);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use leptos::server_fn::axum::server_fn_paths;

    #[test]
    fn every_server_function_is_registered_and_is_post() {
        register();
        let mut paths: Vec<_> = server_fn_paths().collect();
        paths.sort_by_key(|(path, _)| *path);
        let names: Vec<_> = paths.iter().map(|(path, _)| *path).collect();
        assert_eq!(
            names,
            [
                "/api/v1/highlight",
                "/api/v1/models",
                "/api/v1/pull",
                "/api/v1/render",
                "/api/v1/response",
                "/api/v1/state"
            ]
        );
        assert!(paths.iter().all(|(_, method)| method == Method::POST));
    }

    #[test]
    fn a_body_is_one_object_and_the_last_of_doubled_keys_counts() {
        assert_eq!(object(br#"{"a":1,"a":2}"#).unwrap(), br#"{"a":2}"#);
        for body in [&b"[]"[..], b"3", b"", b"{\"a\":", b"{} {}", b"\xff", b"a=b"] {
            assert_eq!(object(body).unwrap_err().status(), 400, "{body:?}");
        }
    }

    #[test]
    fn a_parsers_sentence_never_quotes_the_body() {
        let fault = object(b"{\"prompt\": secret}").unwrap_err();
        assert!(!fault.to_string().contains("secret"));
    }
}
