//! Builds answers in Ollama's forms.

use super::json;
use bytes::Bytes;
use futures::{Stream, StreamExt};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Empty, Full, StreamBody};
use hyper::body::Frame;
use hyper::header::{ALLOW, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, LOCATION};
use hyper::{Response, StatusCode};
use serde::Serialize;
use std::convert::Infallible;
use std::io;

/// A body; an error in it closes the connection.
pub type Body = UnsyncBoxBody<Bytes, io::Error>;

/// An answer.
pub type HttpResponse = Response<Body>;

/// Content types of gin's JSON, with and without the charset.
const JSON_CHARSET: &str = "application/json; charset=utf-8";
const JSON: &str = "application/json";

/// Go sends a body larger than its 2 KiB buffer in chunks.
const BUFFER: usize = 2048;

fn never(never: Infallible) -> io::Error {
    match never {}
}

fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(never).boxed_unsync()
}

/// A chunked body: each item of the stream is one HTTP chunk.
pub fn chunks(stream: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Body {
    BodyExt::boxed_unsync(StreamBody::new(stream.map(|item| item.map(Frame::data))))
}

fn one_chunk(text: String) -> Body {
    chunks(futures::stream::once(async move { Ok(Bytes::from(text)) }))
}

/// Builds an answer.
pub fn build(status: StatusCode, content_type: Option<&str>, body: Body) -> HttpResponse {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    if let Some(kind) = content_type.and_then(|kind| HeaderValue::from_str(kind).ok()) {
        answer.headers_mut().insert(CONTENT_TYPE, kind);
    }
    answer
}

/// A single JSON answer, with a charset; with a length up to 2 KiB.
pub fn single(status: StatusCode, value: &impl Serialize) -> HttpResponse {
    let text = json::to_go_json(value);
    let body = if text.len() > BUFFER {
        one_chunk(text)
    } else {
        whole(text)
    };
    build(status, Some(JSON_CHARSET), body)
}

/// A single JSON answer without a charset, as streaming handlers send it.
pub fn single_bare(status: StatusCode, value: &impl Serialize) -> HttpResponse {
    build(status, Some(JSON), whole(json::to_go_json(value)))
}

#[derive(Serialize)]
struct Refused<'a> {
    error: &'a str,
}

/// The line `{"error":…}` without a line end.
pub fn error_text(text: &str) -> String {
    json::to_go_json(&Refused { error: text })
}

/// An error answer of a handler.
pub fn refuse(status: StatusCode, text: &str) -> HttpResponse {
    single(status, &Refused { error: text })
}

/// An error answer of a streaming handler before its first line: no charset, chunked.
pub fn refuse_in_stream(status: StatusCode, text: &str) -> HttpResponse {
    build(status, Some(JSON), one_chunk(error_text(text)))
}

/// An error answer of a streaming handler when the request does not stream.
pub fn refuse_bare(status: StatusCode, text: &str) -> HttpResponse {
    single_bare(status, &Refused { error: text })
}

/// Plain text, as the router sends it.
pub fn plain(status: StatusCode, text: &'static str) -> HttpResponse {
    build(status, Some("text/plain"), whole(text))
}

/// A text of any content type, with its length.
pub fn text(status: StatusCode, content_type: &str, text: impl Into<Bytes>) -> HttpResponse {
    build(status, Some(content_type), whole(text))
}

/// An answer without a body.
pub fn empty(status: StatusCode) -> HttpResponse {
    build(status, None, Empty::new().map_err(never).boxed_unsync())
}

/// 405, with the allowed methods.
pub fn not_allowed(allow: &'static str) -> HttpResponse {
    let mut answer = plain(StatusCode::METHOD_NOT_ALLOWED, "405 method not allowed");
    let allow = HeaderValue::from_static(allow);
    answer.headers_mut().insert(ALLOW, allow);
    answer
}

/// 301 to another path, with Go's short HTML body.
pub fn moved(path: &str) -> HttpResponse {
    let html = format!("<a href=\"{path}\">Moved Permanently</a>.\n\n");
    let mut answer = text(
        StatusCode::MOVED_PERMANENTLY,
        "text/html; charset=utf-8",
        html,
    );
    if let Ok(path) = HeaderValue::from_str(path) {
        answer.headers_mut().insert(LOCATION, path);
    }
    answer
}

/// The same answer for HEAD; some of Ollama's handlers send no length there.
pub fn head(answer: HttpResponse, with_length: bool) -> HttpResponse {
    use hyper::body::Body as _;
    let length = answer.body().size_hint().exact();
    let (mut parts, _) = answer.into_parts();
    if let Some(length) = length.filter(|_| with_length) {
        parts.headers.insert(CONTENT_LENGTH, length.into());
    }
    Response::from_parts(parts, Empty::new().map_err(never).boxed_unsync())
}
