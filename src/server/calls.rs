//! The way into the server functions: leave is asked for, the body is read with its limits and handed to
//! Leptos, which parses it; what comes back gets its status and content type. The one place that knows
//! which status a fault has on the wire.

use crate::api;
use crate::server::app::App;
use crate::server::arrivals::Arriving;
use crate::server::shape::Shape;
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
use sash_wire::{Fault, FaultBody};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
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

/// Leave to generate, on its way from the request's header to the server function.
#[derive(Clone)]
struct Leave(Arc<Mutex<Option<OwnedSemaphorePermit>>>);

/// Leave to generate, inside the server function of a prompt, before its first await. It can be taken once.
///
/// # Errors
/// [`Fault::Internal`] elsewhere.
pub fn leave() -> Result<OwnedSemaphorePermit, Fault> {
    let Leave(leave) = use_context().ok_or(Fault::Internal {})?;
    let taken = leave.lock().unwrap_or_else(PoisonError::into_inner).take();
    taken.ok_or(Fault::Internal {})
}

/// Answers `POST /api/v1/{name}`.
pub async fn call(State(app): State<Arc<App>>, request: Request) -> Response {
    match prepared(&app, request).await {
        Ok((request, leave)) => {
            let context = move || {
                provide_context(Arc::clone(&app));
                provide_context(leave.clone());
            };
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
        Fault::OllamaBusy {} | Fault::TooManyConnections {} => {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("2"))
        }
        Fault::TooManyAttempts {} => headers.insert(RETRY_AFTER, HeaderValue::from_static("60")),
        Fault::Unauthorized {} => {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
        }
        _ => None,
    };
    answer
}

/// The request as Leptos gets it: the path and the body. No header of the browser's goes along: `Accept`
/// and `Referer` would make Leptos redirect. With it comes leave to generate, if it is a prompt's.
async fn prepared(app: &App, request: Request) -> Result<(Request, Leave), Fault> {
    let path = request.uri().path().to_owned();
    if get_server_fn_service(&path, Method::POST).is_none() {
        return Err(Fault::NotFound {});
    }
    let generates = path == api::Response::PATH || path == api::Render::PATH;
    let limit = match generates {
        true => app.limits.prompt_bytes,
        false => app.limits.body_bytes,
    };
    let bytes = announced(&request);
    if bytes > limit {
        return Err(Fault::TooLarge { bytes, limit });
    }
    let leave = match generates {
        true => Some(app.generation().await?),
        false => None,
    };
    let (arriving, given_up) = app.arrivals.begin(generates);
    let body = tokio::select! {
        biased;
        // It fails when its sender is dropped, which is the sign.
        _ = given_up => Err(Fault::RequestTimeout {}),
        body = read(app, request.into_body(), bytes, limit, &arriving) => body,
    };
    drop(arriving);
    let mut request = Request::builder()
        .method(Method::POST)
        .uri(path)
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body?))
        .map_err(|_| Fault::NotFound {})?;
    // The limit was applied above.
    DefaultBodyLimit::disable().apply(&mut request);
    Ok((request, Leave(Arc::new(Mutex::new(leave)))))
}

/// How many bytes the client says will come.
fn announced(request: &Request) -> usize {
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    length.unwrap_or_default()
}

/// Reads a body of at most `limit` bytes, which must come at a rate and in a time that are worth waiting for.
async fn read(
    app: &App,
    mut body: Body,
    announced: usize,
    limit: usize,
    arriving: &Arriving,
) -> Result<Vec<u8>, Fault> {
    let limits = &app.limits;
    let began = Instant::now();
    let mut shape = Shape::new(limits.json_depth, limits.json_values());
    let mut bytes = Vec::with_capacity(announced);
    loop {
        let earned = Duration::from_secs_f64(bytes.len() as f64 / limits.body_rate as f64);
        let deadline = began + limits.body_time.min(limits.body_grace + earned);
        let frame = timeout_at(deadline, body.frame()).await;
        let frame = match frame.map_err(|_| Fault::RequestTimeout {})? {
            None => return Ok(bytes),
            Some(frame) => frame.map_err(|_| Fault::InvalidRequest {
                reason: "the body broke off".to_owned(),
            })?,
        };
        let Ok(data) = frame.into_data() else {
            continue;
        };
        arriving.heard();
        if bytes.len() + data.len() > limit {
            let bytes = bytes.len() + data.len() + rest_of(body).await;
            return Err(Fault::TooLarge { bytes, limit });
        }
        shape.push(&data)?;
        bytes.extend_from_slice(&data);
    }
}

/// How many bytes still come of a body whose length was not announced.
async fn rest_of(mut body: Body) -> usize {
    let mut came = 0;
    let rest = async {
        while let Some(Ok(frame)) = body.frame().await {
            came += frame.data_ref().map_or(0, Bytes::len);
        }
    };
    // What takes longer is not counted.
    let _ = tokio::time::timeout(THROW_AWAY, rest).await;
    came
}

/// What the parser of a server function found wrong. Its own sentence may quote the body, so where it broke
/// is all that is passed on.
fn unreadable(sentence: &str) -> Fault {
    let is_type = [
        "invalid type",
        "invalid value",
        "missing field",
        "unknown variant",
        "not of the expected form",
    ];
    let place = sentence.rsplit_once(" at line ").map(|(_, place)| place);
    let place = place.and_then(|place| place.split_once(" column "));
    let number = |text: &str| text.parse::<usize>().ok();
    let reason = match place.and_then(|(line, column)| number(line).zip(number(column))) {
        Some((line, column)) if !is_type.iter().any(|start| sentence.starts_with(start)) => {
            format!("not JSON (line {line}, column {column})")
        }
        _ => "a field has the wrong type".to_owned(),
    };
    Fault::InvalidRequest { reason }
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
            Ok(Fault::UnexpectedReply {
                status: 0, excerpt, ..
            }) => unreadable(&excerpt),
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
            let fault = unreadable(&error.unwrap_err().to_string());
            assert!(fault.to_string().contains(says), "{fault}");
            assert!(!fault.to_string().contains("secret"), "{fault}");
        }
    }
}
