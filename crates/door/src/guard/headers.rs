//! Headers of every answer, by its class. They are set on every status, refusals and panics included.

use super::paths::is_api;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

/// The class of an answer. Assets set it as an extension of the answer; otherwise the path decides between a
/// document and an answer of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseClass {
    /// The page, and everything that is not of another class.
    Document,
    /// A file with a hash in its name.
    Hashed,
    /// A file without a hash in its name.
    Plain,
    /// An answer of the API.
    Api,
}

const CSP: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; frame-src 'none'; object-src 'none'; worker-src 'none'";

const DOCUMENT: &[(&str, &str)] = &[
    ("content-security-policy", CSP),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=(), display-capture=()",
    ),
    ("cache-control", "no-store"),
];

const HASHED: &[(&str, &str)] = &[
    ("cache-control", "public, max-age=31536000, immutable"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
];

const PLAIN: &[(&str, &str)] = &[
    ("cache-control", "no-cache"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
];

const API: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; frame-ancestors 'none'",
    ),
    ("cache-control", "no-store"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
];

/// Sets the headers of a class.
pub fn apply_headers(headers: &mut HeaderMap, class: ResponseClass) {
    let set = match class {
        ResponseClass::Document => DOCUMENT,
        ResponseClass::Hashed => HASHED,
        ResponseClass::Plain => PLAIN,
        ResponseClass::Api => API,
    };
    for (name, value) in set {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    debug_assert!(headers.contains_key(CACHE_CONTROL));
}

/// The outermost middleware layer.
pub async fn layer(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let api = is_api(path) || path == "/health";
    let mut answer = next.run(request).await;
    let class = match answer.extensions().get::<ResponseClass>() {
        Some(class) => *class,
        None if api => ResponseClass::Api,
        None => ResponseClass::Document,
    };
    apply_headers(answer.headers_mut(), class);
    answer
}
