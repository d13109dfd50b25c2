//! The entry to the server functions: reads the body within its limits, acquires a permit and hands the body to
//! Leptos, which parses it and runs the function.

use crate::api;
use crate::server::app::App;
use crate::server::context::{PermitContext, provide};
use crate::server::unsent::PassedText;
use crate::server::unsent_budget::UnsentPermit;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::Method;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use leptos::server_fn::ServerFn;
use leptos::server_fn::axum::register_explicit;
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;
use sash_door::body::{content_length, read};
use sash_door::guard::{ClientNetwork, ConnectionAddrs};
use sash_door::refusal::refusal;
use sash_wire::{BodyKind, Fault};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// What holds of a server function before it runs.
#[derive(Clone, Copy, Debug)]
struct Rules {
    /// What its body is: this decides how long it may be, and whose turn it waits for.
    body: BodyKind,
    /// What text it passes on: what was sent generates, and what may be a draft never takes the place of an answer.
    text: PassedText,
}

/// The server functions, each with its rules.
macro_rules! calls {
    ($($function:ident: $body:ident, $text:ident;)*) => {
        /// Registers the server functions by name. Leptos' automatic registration is lost if the linker drops the
        /// rest of `api`.
        pub fn register() {
            $(register_explicit::<api::$function>();)*
        }

        /// The server functions with the text that each passes on, by their paths.
        pub const PASSED_TEXTS: &[(&str, PassedText)] = &[$((api::$function::PATH, PassedText::$text)),*];

        /// The rules of a path. One without rules is not found, even if Leptos registered its function.
        fn rules(path: &str) -> Option<Rules> {
            match path {
                $(api::$function::PATH => Some(Rules {
                    body: BodyKind::$body,
                    text: PassedText::$text,
                }),)*
                _ => None,
            }
        }
    };
}

calls! {
    Response: Prompt, Sent;
    Render: Prompt, PerhapsDraft;
    Count: Prompt, PerhapsDraft;
    Read: Prompt, PerhapsDraft;
    Embed: Other, PerhapsDraft;
    Extract: Document, None;
    // To a folder that the person named: no engine reads it.
    BackupPut: Backup, None;
    BackupPutImage: Backup, None;
    BackupPrompts: Backup, None;
    BackupList: Other, None;
    BackupNews: Other, None;
    BackupGet: Other, None;
    BackupGetImage: Other, None;
    BackupPurge: Other, None;
    Addresses: Other, None;
    AnswerNow: Other, None;
    Exchange: Other, None;
    Models: Other, None;
    State: Other, None;
    Pull: Other, None;
    Calculate: Other, None;
    Highlight: Other, None;
    Installed: Other, None;
    Show: Other, None;
    Load: Other, None;
    Unload: Other, None;
    Delete: Other, None;
    Resume: Other, None;
    Stop: Other, None;
    Kept: Other, None;
}

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

/// The permit that a call needs.
async fn acquire(app: &App, rules: Rules) -> Result<Option<OwnedSemaphorePermit>, Fault> {
    Ok(match rules.body {
        _ if rules.text == PassedText::Sent => Some(app.acquire_generation().await?),
        BodyKind::Document => Some(app.extractor.acquire_turn().await?),
        BodyKind::Prompt | BodyKind::Backup | BodyKind::Other => None,
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
    let rules = rules(&path).ok_or(Fault::NotFound)?;
    let kind = rules.body;
    let limit = match path.as_str() {
        api::Exchange::PATH => EXCHANGE_BYTES,
        _ => app.limits.body_limit(kind),
    };
    let bytes = content_length(&request);
    if bytes > limit {
        let body = kind;
        return Err(Fault::TooLarge { bytes, limit, body });
    }
    if rules.text == PassedText::Sent {
        app.check_generation()?;
    }
    let is_unsent = rules.text == PassedText::PerhapsDraft;
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
        permit = acquire(app, rules) => permit?,
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
    use leptos::server_fn::axum::server_fn_paths;

    #[test]
    fn the_call_without_a_token_is_that_which_gives_it() {
        assert_eq!(api::Exchange::PATH, sash_door::guard::EXCHANGE_PATH);
    }

    /// `backup_news` was registered by Leptos alone. Nothing is registered by name in this process, so the paths are
    /// those that Leptos found: one for each `#[server]` of `src/api`.
    #[test]
    fn every_server_function_has_its_rules_and_is_post() {
        let mut paths: Vec<_> = server_fn_paths().collect();
        paths.sort_by_key(|(path, _)| *path);
        let names: Vec<_> = paths.iter().map(|(path, _)| *path).collect();
        let mut ruled: Vec<_> = PASSED_TEXTS.iter().map(|(path, _)| *path).collect();
        ruled.sort_unstable();
        assert_eq!(ruled, names);
        assert!(paths.iter().all(|(_, method)| method == Method::POST));
    }
}
