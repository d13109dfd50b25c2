//! The entry to the server functions: reads the body within its limits, acquires a permit and hands the body to
//! Leptos, which parses it and runs the function.

use crate::api;
use crate::server::app::App;
use crate::server::body::{content_length, read};
use crate::server::context::{PermitContext, provide};
use crate::server::guard::{ClientNetwork, ConnectionAddrs};
use crate::server::refusal::refusal;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::Method;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use leptos::server_fn::ServerFn;
use leptos::server_fn::axum::{get_server_fn_service, register_explicit};
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;
use sash_wire::{BodyKind, Fault};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// Registers the server functions by name. Leptos' automatic registration is lost if the linker drops the
/// rest of `api`.
pub fn register() {
    register_explicit::<api::Response>();
    register_explicit::<api::Addresses>();
    register_explicit::<api::AnswerNow>();
    register_explicit::<api::Models>();
    register_explicit::<api::State>();
    register_explicit::<api::Pull>();
    register_explicit::<api::Read>();
    register_explicit::<api::Render>();
    register_explicit::<api::Count>();
    register_explicit::<api::Calculate>();
    register_explicit::<api::Embed>();
    register_explicit::<api::Extract>();
    register_explicit::<api::Highlight>();
    register_explicit::<api::Installed>();
    register_explicit::<api::Show>();
    register_explicit::<api::Load>();
    register_explicit::<api::Unload>();
    register_explicit::<api::Delete>();
    register_explicit::<api::Resume>();
    register_explicit::<api::Stop>();
    register_explicit::<api::Kept>();
    register_explicit::<api::BackupList>();
    register_explicit::<api::BackupPut>();
    register_explicit::<api::BackupPutImage>();
    register_explicit::<api::BackupPrompts>();
    register_explicit::<api::BackupGet>();
    register_explicit::<api::BackupGetImage>();
    register_explicit::<api::BackupPurge>();
}

/// Answers `POST /api/v1/{name}`.
pub async fn call(State(app): State<Arc<App>>, request: Request) -> Response {
    let client = request.extensions().get().copied();
    let client: ClientNetwork = client.unwrap_or_default();
    let addresses = request.extensions().get::<ConnectionAddrs>();
    let caller = app.caller_rules.caller(addresses, request.headers());
    match prepare(&app, request).await {
        Ok((request, permit)) => {
            let context = move || provide(Arc::clone(&app), client, caller, permit.clone());
            let answer = leptos_axum::handle_server_fns_with_context(context, request).await;
            finish(answer.into_response())
        }
        Err(fault) => refusal(&fault),
    }
}

/// What the body of a call is, by its path.
fn body_kind(path: &str) -> BodyKind {
    match path {
        api::Response::PATH | api::Render::PATH | api::Count::PATH | api::Read::PATH => {
            BodyKind::Prompt
        }
        api::Extract::PATH => BodyKind::Document,
        api::BackupPut::PATH | api::BackupPutImage::PATH | api::BackupPrompts::PATH => {
            BodyKind::Backup
        }
        _ => BodyKind::Other,
    }
}

/// Whether a call generates. What is read ahead never takes the place of an answer.
fn generates(path: &str) -> bool {
    matches!(path, api::Response::PATH | api::Render::PATH)
}

/// The permit that a call needs, by its path and its body.
async fn acquire(
    app: &App,
    path: &str,
    kind: BodyKind,
) -> Result<Option<OwnedSemaphorePermit>, Fault> {
    Ok(match kind {
        BodyKind::Prompt if generates(path) => Some(app.acquire_generation().await?),
        BodyKind::Prompt => None,
        BodyKind::Document => Some(app.extractor.acquire_turn().await?),
        BodyKind::Backup | BodyKind::Other => None,
    })
}

/// How many of a kind are answered at once.
fn at_once(app: &App, kind: BodyKind) -> usize {
    match kind {
        BodyKind::Prompt => app.limits.generations,
        BodyKind::Document | BodyKind::Backup | BodyKind::Other => app.limits.extraction.at_once,
    }
}

/// The request for Leptos: the path, the body, and the permit if it needs one. The browser's headers are left out:
/// `Accept` and `Referer` would make Leptos redirect.
async fn prepare(app: &App, request: Request) -> Result<(Request, PermitContext), Fault> {
    let path = request.uri().path().to_owned();
    if get_server_fn_service(&path, Method::POST).is_none() {
        return Err(Fault::NotFound);
    }
    let kind = body_kind(&path);
    let limit = app.limits.body_limit(kind);
    let bytes = content_length(&request);
    if bytes > limit {
        let body = kind;
        return Err(Fault::TooLarge { bytes, limit, body });
    }
    if generates(&path) {
        app.check_generation()?;
    }
    let (pending, mut evicted) = app.pending_bodies.begin(kind);
    let body = tokio::select! {
        biased;
        // The receiver fails when its sender is dropped: that is the eviction.
        _ = &mut evicted => return Err(Fault::RequestTimeout),
        body = read(&app.limits, request.into_body(), bytes, limit, &pending) => body?,
    };
    // Acquired when the body is there: whoever sends slowly would hold a permit for as long. A body that waits for its
    // turn is in memory, so it still counts as pending.
    let permit = tokio::select! {
        biased;
        _ = evicted => return Err(Fault::TooManyAnswers { limit: at_once(app, kind) }),
        permit = acquire(app, &path, kind) => permit?,
    };
    drop(pending);
    let mut request = Request::builder()
        .method(Method::POST)
        .uri(path)
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body))
        .map_err(|_| Fault::NotFound)?;
    // The limit was already applied above.
    DefaultBodyLimit::disable().apply(&mut request);
    Ok((request, PermitContext::new(permit)))
}

/// Sets the content type: Leptos returns streams as bytes, and errors without a content type.
fn finish(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    let streams = headers.get(CONTENT_TYPE);
    let kind = if headers.contains_key(SERVER_FN_ERROR_HEADER) {
        "application/json"
    } else if streams.is_some_and(|kind| kind == "application/octet-stream") {
        "application/x-ndjson"
    } else {
        return answer;
    };
    headers.remove(SERVER_FN_ERROR_HEADER);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::unsent::PASSED_TEXTS;
    use leptos::server_fn::axum::server_fn_paths;

    #[test]
    fn every_server_function_is_registered_is_post_and_says_what_text_it_passes_on() {
        register();
        let mut paths: Vec<_> = server_fn_paths().collect();
        paths.sort_by_key(|(path, _)| *path);
        let names: Vec<_> = paths.iter().map(|(path, _)| *path).collect();
        assert_eq!(names, PASSED_TEXTS.map(|(path, _)| path));
        assert!(paths.iter().all(|(_, method)| method == Method::POST));
    }
}
