//! Ollama's checks of Origin and Host, and its answers to OPTIONS.

use super::http::{self, HttpResponse};
use hyper::header::{HeaderMap, HeaderName, HeaderValue, ORIGIN};
use hyper::{Method, StatusCode};
use std::net::IpAddr;

/// How the Origin header affects an answer.
pub enum Origin {
    /// Missing, or the server's own origin.
    Plain,
    /// Another origin that is allowed and is named in the answer.
    Allowed(HeaderValue),
    /// Every origin is allowed.
    Any,
    /// The request is refused with 403.
    Refused,
}

const SCHEMES: [&str; 5] = [
    "app://",
    "file://",
    "tauri://",
    "vscode-webview://",
    "vscode-file://",
];
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "0.0.0.0"];

/// Checks the Origin header.
pub fn origin(headers: &HeaderMap, host: &str, any: bool) -> Origin {
    let Some(origin) = headers.get(ORIGIN).filter(|origin| !origin.is_empty()) else {
        return Origin::Plain;
    };
    let text = origin.to_str().unwrap_or("");
    let rest = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"));
    if rest == Some(host) {
        return Origin::Plain;
    }
    if any {
        return Origin::Any;
    }
    let name = rest.map(|rest| rest.rsplit_once(':').map_or(rest, |(name, _)| name));
    let known = name.is_some_and(|name| NAMES.contains(&name))
        || SCHEMES.iter().any(|scheme| text.starts_with(scheme));
    if known {
        Origin::Allowed(origin.clone())
    } else {
        Origin::Refused
    }
}

/// Whether a listener on loopback accepts this Host header.
pub fn host_allowed(host: &str) -> bool {
    let bare = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.ends_with(':') => {
            name
        }
        _ => host,
    };
    let bare = bare.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = bare.parse::<IpAddr>() {
        return match address {
            IpAddr::V4(v4) => v4.is_loopback() || v4.is_private() || v4.is_unspecified(),
            IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unspecified(),
        };
    }
    let name = bare.to_lowercase();
    let ends = [".localhost", ".local", ".internal"];
    name.is_empty() || name == "localhost" || ends.iter().any(|end| name.ends_with(end))
}

fn set(answer: &mut HttpResponse, name: &'static str, value: &'static str) {
    let name = HeaderName::from_static(name);
    answer
        .headers_mut()
        .append(name, HeaderValue::from_static(value));
}

/// Adds the CORS header for the origin to an answer.
pub fn mark(answer: &mut HttpResponse, origin: &Origin) {
    let name = HeaderName::from_static("access-control-allow-origin");
    match origin {
        Origin::Allowed(value) => {
            answer.headers_mut().insert(name, value.clone());
            set(answer, "vary", "Origin");
        }
        Origin::Any => set(answer, "access-control-allow-origin", "*"),
        Origin::Plain | Origin::Refused => {}
    }
}

/// The answer to OPTIONS on a path that allows `allow`; `None` continues with the routes.
pub fn options(
    method: &Method,
    origin: &Origin,
    host: &str,
    allow: &'static str,
) -> Option<HttpResponse> {
    if method != Method::OPTIONS {
        return None;
    }
    let mut answer = match origin {
        Origin::Refused => http::empty(StatusCode::FORBIDDEN),
        Origin::Plain => {
            let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
            if name.parse::<IpAddr>().is_ok() || name.is_empty() {
                return None;
            }
            http::empty(StatusCode::NO_CONTENT)
        }
        Origin::Allowed(_) | Origin::Any => preflight(origin),
    };
    set(&mut answer, "allow", allow);
    Some(answer)
}

const HEADERS: &str = "Authorization,Content-Type,User-Agent,Accept,X-Requested-With,Openai-Beta,X-Stainless-Arch,X-Stainless-Async,X-Stainless-Custom-Poll-Interval,X-Stainless-Helper-Method,X-Stainless-Lang,X-Stainless-Os,X-Stainless-Package-Version,X-Stainless-Poll-Helper,X-Stainless-Retry-Count,X-Stainless-Runtime,X-Stainless-Runtime-Version,X-Stainless-Timeout";

fn preflight(origin: &Origin) -> HttpResponse {
    let mut answer = http::empty(StatusCode::NO_CONTENT);
    mark(&mut answer, origin);
    if matches!(origin, Origin::Allowed(_)) {
        set(&mut answer, "vary", "Access-Control-Request-Method");
        set(&mut answer, "vary", "Access-Control-Request-Headers");
    }
    set(&mut answer, "access-control-allow-headers", HEADERS);
    let methods = "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS";
    set(&mut answer, "access-control-allow-methods", methods);
    set(&mut answer, "access-control-max-age", "43200");
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for good in [
            "",
            "localhost:11434",
            "127.0.0.1:1",
            "[::1]:1",
            "10.0.0.9",
            "box.local",
            "a.localhost:9",
        ] {
            assert!(host_allowed(good), "{good}");
        }
        for bad in ["evil.example", "8.8.8.8", "ollama:11434", "8.8.8.8:80"] {
            assert!(!host_allowed(bad), "{bad}");
        }
    }
}
