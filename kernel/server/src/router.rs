//! The routes, behind the guard.

use crate::calls::{Calls, call};
use axum::Router;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use sash_door::assets::{self, Files};
use sash_door::guard::{Guard, protect};
use sash_door::refusal::refusal;
use sash_wire::SubPath;
use std::sync::Arc;

/// What `/health` answers. The name tells a second start that the port has a Sash.
pub const HEALTH: &str = r#"{"status":"ok","program":"sash"}"#;

/// All routes: the server functions, `/health`, the page with the addresses over the chat, and the routes of rooms.
///
/// `/health` is for load balancers. The Host list applies to it too: the balancer must send a name that was
/// given with `--allow-host`.
pub fn router(
    calls: Calls,
    files: Arc<dyn Files>,
    pages: &'static [SubPath],
    guard: Arc<Guard>,
    rooms: Router,
) -> Router {
    let calls = Router::new()
        .route("/api", post(nothing))
        .route("/api/{*path}", post(call))
        .with_state(Arc::new(calls));
    let pages = Router::new()
        .fallback(assets::serve)
        .with_state((files, pages));
    let routes = calls.route("/health", get(health));
    let routes = routes.merge(rooms).merge(pages);
    protect(routes, guard)
}

/// The answer where nothing is.
pub async fn nothing() -> Response {
    refusal(&sash_wire::Fault::NotFound)
}

async fn health() -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(CONTENT_TYPE, kind)], HEALTH).into_response()
}
