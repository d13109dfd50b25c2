//! The entry to the server functions: reads the body within its limits, acquires a permit and hands the body to
//! Leptos, which parses it and runs the function.

use crate::app::App;
use crate::context::{CallerHeaders, PermitContext, provide};
use crate::turns::Turns;
use crate::unsent::PassedText;
use crate::unsent_budget::UnsentPermit;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use leptos::prelude::provide_context;
use leptos::server_fn::ServerFn;
use leptos::server_fn::axum::register_explicit;
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;
use leptos::server_fn::server::Server;
use sash_door::body::{content_length, read};
use sash_door::body_guard::attach;
use sash_door::guard::{ClientNetwork, ConnectionAddrs};
use sash_door::json_shape::JsonShape;
use sash_door::refusal::refusal;
use sash_wire::{BodyKind, Fault};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// What decides by the headers of a request and the network of its client whether its body is read.
pub type CallGuard = Arc<dyn Fn(&HeaderMap, IpAddr) -> Result<(), Fault> + Send + Sync>;

/// What holds of a server function before it runs.
#[derive(Clone)]
pub struct Rules {
    /// Who is asked before the body is read.
    pub guard: Option<CallGuard>,
    /// What its body is: this decides how long it may be.
    pub body: BodyKind,
    /// The most bytes of its body, where they are not those of its kind.
    pub most_bytes: Option<usize>,
    /// The most values of the JSON in its body, where they are not those of a prompt.
    pub most_values: Option<usize>,
    /// What text it passes on: what was sent generates, and what may be a draft never takes the place of an answer.
    pub text: PassedText,
    /// The turns of which it takes one once its body is there, until its answer is sent. What was sent takes a permit to generate
    /// instead.
    pub turns: Option<Turns>,
}

impl Rules {
    /// Those of a server function with a short body, which passes on no text of the person.
    pub const NONE: Self = Self {
        guard: None,
        body: BodyKind::Other,
        most_bytes: None,
        most_values: None,
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
    let headers = CallerHeaders(request.headers().clone());
    match prepare(&calls, client, request).await {
        Ok(PreparedCall {
            request,
            permit,
            unsent,
        }) => {
            let held = permit.clone();
            let context = move || {
                provide(Arc::clone(&calls.app), client, caller, permit.clone());
                provide_context(headers.clone());
                calls.contexts.iter().for_each(|context| context());
            };
            let answer = leptos_axum::handle_server_fns_with_context(context, request).await;
            drop(unsent);
            let answer = finish(answer.into_response());
            match held.take() {
                Some(turn) => answer.map(|body| attach(body, turn)),
                None => answer,
            }
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
async fn prepare(
    calls: &Calls,
    ClientNetwork(client): ClientNetwork,
    request: Request,
) -> Result<PreparedCall, Fault> {
    let path = request.uri().path().to_owned();
    let rules = calls.rules.get(path.as_str()).ok_or(Fault::NotFound)?;
    if let Some(check) = &rules.guard {
        check(request.headers(), client)?;
    }
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
    let shape = match rules.most_values {
        Some(values) => JsonShape::new(app.limits.json_depth, values),
        None => app.limits.json_shape(),
    };
    let (pending, mut evicted) = app.pending_bodies.begin(kind, is_unsent);
    let body = tokio::select! {
        biased;
        // The receiver fails when its sender is dropped: that is the eviction.
        _ = &mut evicted => return Err(match is_unsent {
            true => app.unsent.fault(),
            false => Fault::RequestTimeout,
        }),
        body = read(app.limits.body_pace, shape, request.into_body(), bytes, limit, &pending) => body?,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{ApiError, TokenClient};
    use crate::config::ServerConfig;
    use crate::hooks::Hooks;
    use axum::body::to_bytes;
    use leptos::prelude::server;
    use leptos::server_fn::codec::Json;
    use sash_door::stop::StopSignal;
    use serde_json::json;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    /// Counts the ids.
    #[server(prefix = "/api/v1", endpoint = "count_ids", input = Json, client = TokenClient)]
    pub async fn count_ids(ids: Vec<u32>) -> Result<usize, ApiError> {
        Ok(ids.len())
    }

    /// Answers with as many bytes.
    #[server(prefix = "/api/v1", endpoint = "long_text", input = Json, client = TokenClient)]
    pub async fn long_text(bytes: usize) -> Result<String, ApiError> {
        Ok("x".repeat(bytes))
    }

    fn calls() -> Calls {
        let (_, stopped) = StopSignal::new();
        let app = App::new(&ServerConfig::default(), stopped, Hooks::default()).unwrap();
        Calls::new(Arc::new(app))
    }

    async fn post(calls: &Arc<Calls>, path: &str, body: Body) -> Response {
        let request = Request::post(path)
            .header(CONTENT_TYPE, "application/json")
            .header("x-key", "wrong")
            .header("content-length", "67108864")
            .body(body)
            .unwrap();
        call(State(Arc::clone(calls)), request).await
    }

    fn body_of(value: &serde_json::Value) -> Body {
        Body::from(value.to_string())
    }

    /// The key of the backup was looked at when 64 MB were read.
    #[tokio::test]
    async fn a_guard_is_asked_before_anything_of_the_body_is_read() {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let guard: CallGuard = Arc::new(move |headers, client| {
            count.fetch_add(1, Ordering::Relaxed);
            assert_eq!(client, ClientNetwork::default().0);
            match headers.get("x-key").is_some_and(|key| key == "right") {
                true => Ok(()),
                false => Err(Fault::Unauthorized),
            }
        });
        let mut calls = calls();
        calls.add::<CountIds>(Rules {
            guard: Some(guard),
            most_bytes: Some(64 << 20),
            ..Rules::NONE
        });
        let calls = Arc::new(calls);
        let unread = futures::stream::poll_fn(
            |_| -> std::task::Poll<Option<Result<Vec<u8>, std::io::Error>>> {
                panic!("the body was read")
            },
        );
        let answer = post(&calls, CountIds::PATH, Body::from_stream(unread)).await;
        assert_eq!(answer.status(), 401);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn a_call_may_have_more_values_than_a_prompt() {
        let ids = json!({ "ids": vec![7; 100_000] });
        let status = async |most_values| {
            let mut calls = calls();
            calls.add::<CountIds>(Rules {
                most_bytes: Some(64 << 20),
                most_values,
                ..Rules::NONE
            });
            post(&Arc::new(calls), CountIds::PATH, body_of(&ids))
                .await
                .status()
        };
        assert_eq!(status(None).await, 400);
        assert_eq!(status(Some(200_000)).await, 200);
    }

    /// 200 readers that did not read held 5.4 GB.
    #[tokio::test(start_paused = true)]
    async fn the_turn_of_a_call_ends_when_its_answer_is_sent() {
        let turns = Turns::new(1, Duration::from_secs(1));
        let mut calls = calls();
        calls.add::<LongText>(Rules {
            most_bytes: Some(64 << 20),
            turns: Some(turns.clone()),
            ..Rules::NONE
        });
        let calls = Arc::new(calls);
        let ask = async || {
            post(
                &calls,
                LongText::PATH,
                body_of(&json!({ "bytes": 1_000_000 })),
            )
            .await
        };
        let first = ask().await;
        assert_eq!(first.status(), 200);
        assert_eq!(ask().await.status(), 429, "the first answer is not read");
        let text = to_bytes(first.into_body(), usize::MAX).await.unwrap();
        assert!(text.len() > 1_000_000);
        let next = ask().await;
        assert_eq!(next.status(), 200);
        drop(next);
        assert!(
            turns.acquire().await.is_ok(),
            "nor does who goes away hold it"
        );
    }
}
