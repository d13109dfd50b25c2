//! The entry to the server functions: reads the body within its limits, acquires a permit and hands the body to
//! Leptos, which parses it and runs the function.

use crate::app::App;
use crate::context::{PermitContext, Said, provide};
use crate::turns::Turns;
use crate::unsent::PassedText;
use crate::unsent_budget::UnsentPermit;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::Method;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use leptos::prelude::provide_context;
use leptos::server_fn::ServerFn;
use leptos::server_fn::axum::register_explicit;
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;
use leptos::server_fn::server::Server;
use sash_door::body::{content_length, read};
use sash_door::guard::{ClientNetwork, ConnectionAddrs};
use sash_door::refusal::refusal;
use sash_wire::{BodyKind, Fault};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// What holds of a server function before it runs.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What its body is: this decides how long it may be.
    pub body: BodyKind,
    /// The most bytes of its body, where they are not those of its kind.
    pub most_bytes: Option<usize>,
    /// What text it passes on: what was sent generates, and what may be a draft never takes the place of an answer.
    pub text: PassedText,
    /// The turns of which it takes one once its body is there. What was sent takes a permit to generate instead.
    pub turns: Option<Turns>,
}

impl Rules {
    /// Those of a server function with a short body, which passes on no text of the person.
    pub const NONE: Self = Self {
        body: BodyKind::Other,
        most_bytes: None,
        text: PassedText::None,
        turns: None,
    };

    /// Those of a server function whose body is a prompt that was not sent.
    pub const UNSENT_PROMPT: Self = Self {
        body: BodyKind::Prompt,
        text: PassedText::PerhapsDraft,
        ..Self::NONE
    };
}

/// The server functions, and what each room keeps for its own. A path without rules is not found, even if Leptos
/// registered its function.
pub struct Calls {
    /// The state that all of them share.
    pub app: Arc<App>,
    /// The rules of each, by its path.
    pub rules: HashMap<&'static str, Rules>,
    contexts: Vec<Box<dyn Fn() + Send + Sync>>,
}

impl Calls {
    /// None, of a server with this state.
    #[must_use]
    pub fn new(app: Arc<App>) -> Self {
        Self {
            app,
            rules: HashMap::new(),
            contexts: Vec::new(),
        }
    }

    /// Adds a server function. It is registered by name: Leptos' automatic registration is lost if the linker drops the
    /// rest of `api`.
    ///
    /// # Panics
    /// If it was added before.
    pub fn add<F>(&mut self, rules: Rules)
    where
        F: ServerFn<
                Server: Server<
                    F::Error,
                    F::InputStreamError,
                    F::OutputStreamError,
                    Request = Request,
                    Response = Response,
                >,
            > + 'static,
    {
        register_explicit::<F>();
        let former = self.rules.insert(F::PATH, rules);
        assert!(former.is_none(), "{} has two rules", F::PATH);
    }

    /// Gives each server function a state of a room, which it finds by [`state`](crate::context::state).
    pub fn provide<T: Clone + Send + Sync + 'static>(&mut self, state: T) {
        self.contexts
            .push(Box::new(move || provide_context(state.clone())));
    }
}

/// Answers `POST /api/v1/{name}`.
pub async fn call(State(calls): State<Arc<Calls>>, request: Request) -> Response {
    let client = request.extensions().get().copied();
    let client: ClientNetwork = client.unwrap_or_default();
    let addresses = request.extensions().get::<ConnectionAddrs>();
    let caller = calls.app.caller_rules.caller(addresses, request.headers());
    let said = Said(calls.app.hooks.said_to(request.headers()));
    match prepare(&calls, request).await {
        Ok(PreparedCall {
            request,
            permit,
            unsent,
        }) => {
            let context = move || {
                provide(Arc::clone(&calls.app), client, caller, permit.clone());
                provide_context(said.clone());
                calls.contexts.iter().for_each(|context| context());
            };
            let answer = leptos_axum::handle_server_fns_with_context(context, request).await;
            drop(unsent);
            finish(answer.into_response())
        }
        Err(fault) => refusal(&fault),
    }
}

/// The permit that a call needs.
async fn acquire(app: &App, rules: &Rules) -> Result<Option<OwnedSemaphorePermit>, Fault> {
    Ok(match &rules.turns {
        _ if rules.text == PassedText::Sent => Some(app.acquire_generation().await?),
        Some(turns) => Some(turns.acquire().await?),
        None => None,
    })
}

/// A call whose body is there.
struct PreparedCall {
    request: Request,
    permit: PermitContext,
    unsent: Option<UnsentPermit>,
}

/// The request for Leptos: the path, the body, and the permit if it needs one. The browser's headers are left out:
/// `Accept` and `Referer` would make Leptos redirect.
async fn prepare(calls: &Calls, request: Request) -> Result<PreparedCall, Fault> {
    let path = request.uri().path().to_owned();
    let rules = calls.rules.get(path.as_str()).ok_or(Fault::NotFound)?;
    let (app, kind) = (&calls.app, rules.body);
    let limit = rules.most_bytes;
    let limit = limit.unwrap_or_else(|| app.limits.body_limit(kind));
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
    let turns = rules.turns.as_ref();
    let at_once = turns.map_or(app.limits.generations, Turns::at_once);
    let permit = tokio::select! {
        biased;
        _ = evicted => return Err(Fault::TooManyAnswers { limit: at_once }),
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
    Ok(PreparedCall {
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
