//! The routes, behind the guard.

use super::calls;
use crate::pages::PAGES;
use crate::server::app::App;
use crate::server::mcp;
use axum::Router;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use sash_door::assets::{self, Files};
use sash_door::guard::{Guard, MCP_PATH, protect};
use sash_door::refusal::refusal;
use std::sync::Arc;

/// All routes: the server functions, `/health`, the page, and with `mcp` the endpoint for MCP clients.
///
/// `/health` is for load balancers. The Host list applies to it too: the balancer must send a name that was
/// given with `--allow-host`.
pub fn router(app: Arc<App>, files: Arc<dyn Files>, guard: Arc<Guard>, mcp: bool) -> Router {
    calls::register();
    let mcp = match mcp {
        true => mcp::http::routes(Arc::clone(&app)),
        false => Router::new().route(MCP_PATH, any(nothing)),
    };
    let calls = Router::new()
        .route("/api", post(nothing))
        .route("/api/{*path}", post(calls::call))
        .with_state(app);
    let pages = Router::new()
        .fallback(assets::serve)
        .with_state((files, PAGES));
    let routes = calls.route("/health", get(health)).merge(mcp).merge(pages);
    protect(routes, guard)
}

async fn nothing() -> Response {
    refusal(&sash_wire::Fault::NotFound)
}

async fn health() -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(CONTENT_TYPE, kind)], r#"{"status":"ok"}"#).into_response()
}
