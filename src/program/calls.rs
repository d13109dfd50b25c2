//! The entry to the server functions: reads the body within its limits, acquires a permit and hands the body to
//! Leptos, which parses it and runs the function.

use crate::api;
use crate::server::app::App;
use crate::server::context::{PermitContext, provide};
use crate::server::unsent_budget::UnsentPermit;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::Method;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use leptos::server_fn::ServerFn;
use leptos::server_fn::axum::{get_server_fn_service, register_explicit};
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;
use sash_door::body::{content_length, read};
use sash_door::guard::{ClientNetwork, ConnectionAddrs};
use sash_door::refusal::refusal;
use sash_wire::{BodyKind, Fault};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// Lists the server functions.
macro_rules! server_functions {
    ($($function:ident),* $(,)?) => {
        /// Registers the server functions by name. Leptos' automatic registration is lost if the linker drops the
        /// rest of `api`.
        pub fn register() {
            $(register_explicit::<api::$function>();)*
        }

        /// The paths of the functions that are registered by name.
        #[cfg(test)]
        const REGISTERED: &[&str] = &[$(api::$function::PATH),*];
    };
}

server_functions!(
    Response,
    Addresses,
    AnswerNow,
    Exchange,
    Models,
    State,
    Pull,
    Read,
    Render,
    Count,
    Calculate,
    Embed,
    Extract,
    Highlight,
    Installed,
    Show,
    Load,
    Unload,
    Delete,
    Resume,
    Stop,
    Kept,
    BackupList,
    BackupNews,
    BackupPut,
    BackupPutImage,
    BackupPrompts,
    BackupGet,
    BackupGetImage,
    BackupPurge,
);

/// Answers `POST /api/v1/{name}`.
pub async fn call(State(app): State<Arc<App>>, request: Request) -> Response {
    let client = request.extensions().get().copied();
    let client: ClientNetwork = client.unwrap_or_default();
    let addresses = request.extensions().get::<ConnectionAddrs>();
    let caller = app.caller_rules.caller(addresses, request.headers());
    match prepare(&app, request).await {
        Ok(Prepared {
            request,
            permit,
            unsent,
        }) => {
            let context = move || provide(Arc::clone(&app), client, caller, permit.clone());
            let answer = leptos_axum::handle_server_fns_with_context(context, request).await;
            drop(unsent);
            finish(answer.into_response())
        }
        Err(fault) => refusal(&fault),
    }
}

/// The most bytes of a code with its JSON: anyone may send it, without the token.
const EXCHANGE_BYTES: usize = 256;

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

/// Whether a call generates.
fn generates(path: &str) -> bool {
    path == api::Response::PATH
}

/// Whether a call is about what was not sent. It never takes the place of an answer.
fn is_unsent(path: &str) -> bool {
    matches!(
        path,
        api::Render::PATH | api::Count::PATH | api::Read::PATH | api::Embed::PATH
    )
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

/// A call whose body is there.
struct Prepared {
    request: Request,
    permit: PermitContext,
    unsent: Option<UnsentPermit>,
}

/// The request for Leptos: the path, the body, and the permit if it needs one. The browser's headers are left out:
/// `Accept` and `Referer` would make Leptos redirect.
async fn prepare(app: &App, request: Request) -> Result<Prepared, Fault> {
    let path = request.uri().path().to_owned();
    if get_server_fn_service(&path, Method::POST).is_none() {
        return Err(Fault::NotFound);
    }
    let kind = body_kind(&path);
    let limit = match path.as_str() {
        api::Exchange::PATH => EXCHANGE_BYTES,
        _ => app.limits.body_limit(kind),
    };
    let bytes = content_length(&request);
    if bytes > limit {
        let body = kind;
        return Err(Fault::TooLarge { bytes, limit, body });
    }
    if generates(&path) {
        app.check_generation()?;
    }
    let is_unsent = is_unsent(&path);
    if is_unsent {
        app.unsent.check(bytes)?;
    }
    let (pending, mut evicted) = app.pending_bodies.begin(kind, is_unsent);
    let body = tokio::select! {
        biased;
        // The receiver fails when its sender is dropped: that is the eviction.
        _ = &mut evicted => return Err(match is_unsent {
            true => app.unsent.fault(),
            false => Fault::RequestTimeout,
        }),
        body = read(app.limits.body_pace, app.limits.json_shape(), request.into_body(), bytes, limit, &pending) => body?,
    };
    // Acquired when the body is there: whoever sends slowly would hold a permit for as long. A body that waits for its
    // turn is in memory, so it still counts as pending.
    let permit = tokio::select! {
        biased;
        _ = evicted => return Err(Fault::TooManyAnswers { limit: at_once(app, kind) }),
        permit = acquire(app, &path, kind) => permit?,
    };
    let unsent = match is_unsent {
        true => Some(app.unsent.try_acquire(body.len())?),
        false => None,
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
    Ok(Prepared {
        request,
        permit: PermitContext::new(permit),
        unsent,
    })
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
    use crate::server::unsent::{PASSED_TEXTS, PassedText};
    use leptos::server_fn::axum::server_fn_paths;

    #[test]
    fn the_call_without_a_token_is_that_which_gives_it() {
        assert_eq!(api::Exchange::PATH, sash_door::guard::EXCHANGE_PATH);
    }

    #[test]
    fn what_may_carry_a_draft_takes_of_the_budget_of_what_was_not_sent() {
        for (path, text) in PASSED_TEXTS {
            assert_eq!(is_unsent(path), text == PassedText::PerhapsDraft, "{path}");
        }
    }

    /// `backup_news` was registered by Leptos alone. Nothing is registered by name in this process, so the paths are
    /// those that Leptos found.
    #[test]
    fn every_server_function_is_registered_by_name_is_post_and_says_what_text_it_passes_on() {
        let mut paths: Vec<_> = server_fn_paths().collect();
        paths.sort_by_key(|(path, _)| *path);
        let names: Vec<_> = paths.iter().map(|(path, _)| *path).collect();
        let mut registered = REGISTERED.to_vec();
        registered.sort_unstable();
        assert_eq!(registered, names);
        assert_eq!(names, PASSED_TEXTS.map(|(path, _)| path));
        assert!(paths.iter().all(|(_, method)| method == Method::POST));
    }
}
