//! The paths that programs call, and their methods.

use axum::http::Method;

/// Where MCP clients ask. It is guarded like the server functions.
pub const MCP_PATH: &str = "/mcp";

/// Where a page exchanges the code of its address for the token: the one call without it.
pub const EXCHANGE_PATH: &str = "/api/v1/exchange";

/// Whether a path is one of those that programs call, and not one of the page's files.
pub fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/") || path == MCP_PATH
}

/// The methods that a path allows.
pub fn methods(path: &str) -> &'static [Method] {
    match is_api(path) {
        // The protocol has a use for three; the endpoint decides which it offers.
        true if path == MCP_PATH => &[Method::GET, Method::POST, Method::DELETE],
        true => &[Method::POST],
        false => &[Method::GET, Method::HEAD],
    }
}
