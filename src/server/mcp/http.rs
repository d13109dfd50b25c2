//! `/mcp`: MCP over streamable HTTP. The guard has checked the request; here its body is read within the limits of the
//! other calls, and rmcp does the rest.

use super::message;
use super::sessions::Sessions;
use super::tools::Tools;
use crate::server::app::App;
use crate::server::body::{content_length, read};
use crate::server::guard::MCP_PATH;
use crate::server::refusal::{header, refusal, status};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::ErrorData;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use sash_wire::{BodyKind, Fault};
use std::sync::Arc;
use std::time::Duration;

/// How long after the stop a call may still tell its client why it ends. The page's streams end with a last frame as well.
const LAST_WORDS_TIME: Duration = Duration::from_millis(250);

#[derive(Clone)]
struct Endpoint {
    app: Arc<App>,
    service: Arc<StreamableHttpService<Tools, Sessions>>,
}

/// The route of the endpoint. Must be called within the runtime.
pub fn routes(app: Arc<App>) -> Router {
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
    let tools = Tools::new(Arc::clone(&app));
    let service = StreamableHttpService::new(
        move || Ok(tools.clone()),
        Arc::new(Sessions::default()),
        config,
    );
    let service = Arc::new(service);
    Router::new()
        .route(MCP_PATH, any(handle))
        .with_state(Endpoint { app, service })
}

async fn handle(State(endpoint): State<Endpoint>, request: Request) -> Response {
    let Endpoint { app, service } = endpoint;
    let (parts, body) = match *request.method() {
        Method::POST => match receive(&app, request).await {
            Ok(received) => received,
            Err(answer) => return *answer,
        },
        Method::DELETE => (request.into_parts().0, Vec::new()),
        // The stream for what no call asked for: nothing is ever sent on it, so it would only hold a connection.
        _ => {
            let mut answer = refusal(&Fault::MethodNotAllowed);
            let allow = HeaderValue::from_static("POST, DELETE");
            answer.headers_mut().insert(ALLOW, allow);
            return answer;
        }
    };
    let request = Request::from_parts(parts, Body::from(body));
    let answer = service.handle(request).await;
    // The only failures of rmcp are sessions that end while a request for them is on its way.
    if answer.status().is_server_error() {
        return refusal(&Fault::NotFound);
    }
    answer.map(Body::new).into_response()
}

/// Reads the message. What is none is refused in the form of the protocol.
async fn receive(
    app: &App,
    request: Request,
) -> Result<(axum::http::request::Parts, Vec<u8>), Box<Response>> {
    let (announced, limit) = (content_length(&request), app.limits.body_bytes);
    let (parts, body) = request.into_parts();
    let (pending, evicted) = app.pending_bodies.begin(BodyKind::Other);
    let body = async {
        if announced > limit {
            let bytes = announced;
            let body = BodyKind::Other;
            return Err(Fault::TooLarge { bytes, limit, body });
        }
        tokio::select! {
            biased;
            // The receiver fails when its sender is dropped: that is the eviction.
            _ = evicted => Err(Fault::RequestTimeout),
            body = read(&app.limits, body, announced, limit, &pending) => body,
        }
    };
    let body = body.await.map_err(|fault| refused(&fault))?;
    match message::parse(&body) {
        Ok(_) => Ok((parts, body)),
        Err(error) => Err(Box::new(error_answer(StatusCode::BAD_REQUEST, error))),
    }
}

/// A fault of the request as a whole.
fn refused(fault: &Fault) -> Box<Response> {
    let mut answer = error_answer(status(fault), message::refusal(fault));
    answer.headers_mut().extend(header(fault));
    Box::new(answer)
}

fn error_answer(status: StatusCode, error: ErrorData) -> Response {
    let kind = HeaderValue::from_static("application/json");
    (status, [(CONTENT_TYPE, kind)], message::error_json(error)).into_response()
}
