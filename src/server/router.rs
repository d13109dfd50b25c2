//! The routes, behind the guard.

use crate::server::app::App;
use crate::server::assets::{self, Files};
use crate::server::calls;
use crate::server::guard::{Guard, protect};
use crate::server::refusal::refusal;
use axum::Router;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::sync::Arc;

/// All routes: the server functions, `/health`, and the page.
///
/// `/health` is for load balancers. The Host list applies to it too: the balancer must send a name that was
/// given with `--allow-host`.
pub fn router(app: Arc<App>, files: Arc<dyn Files>, guard: Arc<Guard>) -> Router {
    calls::register();
    let calls = Router::new()
        .route("/api", post(nothing))
        .route("/api/{*path}", post(calls::call))
        .with_state(app);
    let pages = Router::new().fallback(assets::serve).with_state(files);
    let routes = calls.route("/health", get(health)).merge(pages);
    protect(routes, guard)
}

async fn nothing() -> Response {
    refusal(&sash_wire::Fault::NotFound)
}

async fn health() -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(CONTENT_TYPE, kind)], r#"{"status":"ok"}"#).into_response()
}
