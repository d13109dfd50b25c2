//! The headers of every answer, by what it is. Set on every status, refusals and panics included.

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

/// What an answer is. The assets put it into the answer's extensions; without one it is a document,
/// or an answer of the API by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The page, and everything that is not one of the others.
    Document,
    /// A file with a hash in its name.
    Hashed,
    /// A file without one.
    Plain,
    /// An answer to the page's code.
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
pub fn apply_headers(headers: &mut HeaderMap, class: Class) {
    let set = match class {
        Class::Document => DOCUMENT,
        Class::Hashed => HASHED,
        Class::Plain => PLAIN,
        Class::Api => API,
    };
    for (name, value) in set {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    debug_assert!(headers.contains_key(CACHE_CONTROL));
}

/// The outermost layer.
pub async fn layer(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let api = super::is_api(path) || path == "/health";
    let mut answer = next.run(request).await;
    let class = match answer.extensions().get::<Class>() {
        Some(class) => *class,
        None if api => Class::Api,
        None => Class::Document,
    };
    apply_headers(answer.headers_mut(), class);
    answer
}
