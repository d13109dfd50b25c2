//! `/mcp`: MCP over streamable HTTP. The guard has checked the request; here its body is read within the limits of the
//! other calls, its call is begun, and rmcp does the rest.

use super::http_refusal::{error_answer, in_protocol, refuse_call, refused};
use super::memory::ChatMemoryLimits;
use super::message;
use super::sessions::Sessions;
use super::tools::Tools;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::ALLOW;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::model::{JsonRpcMessage, RequestId};
use rmcp::transport::streamable_http_server::session::{SessionId, SessionManager};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use sash_door::body::{content_length, read};
use sash_door::body_guard::attach;
use sash_door::guard::MCP_PATH;
use sash_door::refusal::refusal;
use sash_server::app::App;
use sash_wire::{BodyKind, Fault};
use std::sync::Arc;
use std::time::Duration;

/// How long after the stop a call may still tell its client why it ends. The page's streams end with a last frame as well.
const LAST_WORDS_TIME: Duration = Duration::from_millis(250);
/// The header that names the session.
const SESSION_HEADER: &str = "mcp-session-id";

#[derive(Clone)]
struct Endpoint {
    app: Arc<App>,
    sessions: Arc<Sessions>,
    service: Arc<StreamableHttpService<Tools, Sessions>>,
}

/// The route of the endpoint. Must be called within the runtime.
pub fn routes(app: Arc<App>, limits: ChatMemoryLimits) -> Router {
    let mut config = StreamableHttpServerConfig::default()
        // The guard is the one place that decides on Host and Origin. rmcp's lists know neither --allow-host nor the port.
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(app.limits.body_bytes);
    config.sse_keep_alive = Some(app.limits.patience.keep_alive);
    config.sse_retry = None;
    let stopped = config.cancellation_token.clone();
    let mut stop = app.stop.clone();
    tokio::spawn(async move {
        stop.wait().await;
        tokio::time::sleep(LAST_WORDS_TIME).await;
        stopped.cancel();
    });
    let tools = Tools::new(Arc::clone(&app), limits);
    let sessions = Arc::new(Sessions::default());
    let service = StreamableHttpService::new(move || Ok(tools.clone()), sessions.clone(), config);
    let endpoint = Endpoint {
        app,
        sessions,
        service: Arc::new(service),
    };
    Router::new()
        .route(MCP_PATH, any(handle))
        .with_state(endpoint)
}

async fn handle(State(endpoint): State<Endpoint>, request: Request) -> Response {
    match *request.method() {
        Method::POST => endpoint.post(request).await,
        Method::DELETE => endpoint.delete(request).await,
        // The stream for what no call asked for: nothing is ever sent on it, so it would only hold a connection.
        _ => {
            let allow = [(ALLOW, "POST, DELETE")];
            (allow, refusal(&Fault::MethodNotAllowed)).into_response()
        }
    }
}

impl Endpoint {
    async fn post(&self, request: Request) -> Response {
        let announced = content_length(&request);
        let (mut parts, body) = request.into_parts();
        let body = match receive(&self.app, body, announced).await {
            Ok(body) => body,
            Err(fault) => return refused(&fault, None),
        };
        let message = match message::parse(&body) {
            Ok(message) => message,
            Err(error) => return error_answer(StatusCode::BAD_REQUEST, error, None),
        };
        let JsonRpcMessage::Request(call) = message else {
            return self.pass_on(parts, body, None).await;
        };
        let session = session(&parts.headers);
        let running = match self.sessions.begin_call(session.as_ref(), call.id.clone()) {
            Ok(running) => running,
            Err(refusal) => return refuse_call(refusal, call.id),
        };
        parts.extensions.insert(running.clone());
        let answer = self.pass_on(parts, body, Some(call.id)).await;
        // When the client has read the answer, or leaves, the call is over: its stream cannot be taken up again, so nobody
        // would read the rest.
        answer.map(|body| attach(body, (running.stop_guard(), running)))
    }

    /// Ends a session, and its calls with it.
    async fn delete(&self, request: Request) -> Response {
        let parts = request.into_parts().0;
        if let Some(session) = session(&parts.headers)
            && !matches!(self.sessions.has_session(&session).await, Ok(true))
        {
            return in_protocol(StatusCode::NOT_FOUND.into_response(), &parts.headers, None);
        }
        let mut answer = self.pass_on(parts, Vec::new(), None).await;
        // rmcp says that the session will be ended, which the official Python SDK takes for a failure.
        if answer.status().is_success() {
            *answer.status_mut() = StatusCode::NO_CONTENT;
        }
        answer
    }

    async fn pass_on(&self, parts: Parts, body: Vec<u8>, id: Option<RequestId>) -> Response {
        let headers = parts.headers.clone();
        let request = Request::from_parts(parts, Body::from(body));
        let answer = self.service.handle(request).await;
        in_protocol(answer.map(Body::new), &headers, id)
    }
}

/// The session that a request names.
fn session(headers: &HeaderMap) -> Option<SessionId> {
    let session = headers.get(SESSION_HEADER)?.to_str().ok()?;
    Some(session.into())
}

/// Reads the body within the limits of the other calls.
async fn receive(app: &App, body: Body, announced: usize) -> Result<Vec<u8>, Fault> {
    let (limits, kind) = (&app.limits, BodyKind::Other);
    let limit = limits.body_bytes;
    if announced > limit {
        let (bytes, body) = (announced, kind);
        return Err(Fault::TooLarge { bytes, limit, body });
    }
    let (pending, evicted) = app.pending_bodies.begin(kind, false);
    tokio::select! {
        biased;
        // The receiver fails when its sender is dropped: that is the eviction.
        _ = evicted => Err(Fault::RequestTimeout),
        body = read(limits.body_pace, limits.json_shape(), body, announced, limit, &pending) => body,
    }
}
