//! Answers requests for the page's files.

use crate::guard::ResponseClass;
use crate::refusal::refusal;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue,
    IF_NONE_MATCH, VARY,
};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use sash_wire::{Fault, PageAddress, SubPath};
use std::borrow::Cow;
use std::sync::Arc;

/// One file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its bytes.
    pub bytes: Cow<'static, [u8]>,
    /// SHA-256 of the bytes.
    pub hash: [u8; 32],
}

/// The source of the files.
pub trait Files: Send + Sync {
    /// The file at this path below the root, without a leading slash.
    fn get(&self, path: &str) -> Option<File>;

    /// The hash of the file at this path.
    fn hash(&self, path: &str) -> Option<[u8; 32]> {
        self.get(path).map(|file| file.hash)
    }
}

/// What is served: the files, and the pages over the chat, which have addresses without files of their own.
pub type Served = (Arc<dyn Files>, &'static [SubPath]);

/// Answers every path that is not a server function.
pub async fn serve(State((files, pages)): State<Served>, request: Request) -> Response {
    let path = request.uri().path();
    let name = match path {
        "/index.html" => "index.html",
        path if PageAddress::parse(path, pages).is_some() => "index.html",
        // Another app on this port may have registered a service worker here; 404 lets it end.
        "/sw.js" | "/service-worker.js" => return refusal(&Fault::NotFound),
        path => path.trim_start_matches('/'),
    };
    // Compressed files are served under the names of the plain ones.
    let hidden = name.ends_with(".br") || name.ends_with(".gz") || name.contains("..");
    let found = (!hidden)
        .then(|| choose(&*files, name, request.headers()))
        .flatten();
    match found {
        Some((file, encoding)) => {
            let class = class(&*files, name, &file, encoding);
            answer(name, class, file, encoding, request.headers())
        }
        None if name == "index.html" => not_built(),
        None => not_found(&*files, request.headers()),
    }
}

/// An unknown address: a page in words for a browser that goes there, a fault for programs.
fn not_found(files: &dyn Files, asked: &HeaderMap) -> Response {
    const PAGE: &str = "not-found.html";
    let accept = asked.get(ACCEPT).and_then(|value| value.to_str().ok());
    let reads_pages = accept.is_some_and(|accept| accept.contains("text/html"));
    match choose(files, PAGE, asked).filter(|_| reads_pages) {
        Some((file, encoding)) => {
            let mut page = answer(PAGE, ResponseClass::Document, file, encoding, asked);
            *page.status_mut() = StatusCode::NOT_FOUND;
            page
        }
        None => refusal(&Fault::NotFound),
    }
}

/// The smallest variant of a file that the browser accepts.
fn choose(
    files: &dyn Files,
    name: &str,
    headers: &HeaderMap,
) -> Option<(File, Option<&'static str>)> {
    for (encoding, suffix) in [("br", ".br"), ("gzip", ".gz")] {
        if accepts(headers, encoding)
            && let Some(file) = files.get(&format!("{name}{suffix}"))
        {
            return Some((file, Some(encoding)));
        }
    }
    files.get(name).map(|file| (file, None))
}

/// Whether `Accept-Encoding` names this encoding with a weight above zero.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter();
    let items = values
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(','));
    items.into_iter().any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let named = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        let weight = parts.find_map(|p| p.strip_prefix("q=").or_else(|| p.strip_prefix("Q=")));
        named && weight.and_then(|q| q.parse::<f32>().ok()).unwrap_or(1.0) > 0.0
    })
}

fn answer(
    name: &str,
    class: ResponseClass,
    file: File,
    encoding: Option<&'static str>,
    asked: &HeaderMap,
) -> Response {
    let tag = tag(&file.hash);
    let mut headers = HeaderMap::new();
    headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    if class == ResponseClass::Plain
        && let Ok(tag) = HeaderValue::try_from(&tag)
    {
        headers.insert(ETAG, tag);
    }
    let known = class == ResponseClass::Plain
        && asked
            .get_all(IF_NONE_MATCH)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|item| item.trim().trim_start_matches("W/") == tag || item.trim() == "*");
    let mut answer = if known {
        (StatusCode::NOT_MODIFIED, headers).into_response()
    } else {
        if let Ok(kind) = HeaderValue::try_from(content_type(name)) {
            headers.insert(CONTENT_TYPE, kind);
        }
        if let Some(encoding) = encoding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        let body = match file.bytes {
            Cow::Borrowed(bytes) => Body::from(bytes),
            Cow::Owned(bytes) => Body::from(bytes),
        };
        (headers, body).into_response()
    };
    answer.extensions_mut().insert(class);
    answer
}

/// The class of a file. It is cached for ever only if its name contains the hash of its uncompressed content:
/// another content under the same name would never be requested.
fn class(files: &dyn Files, name: &str, file: &File, encoding: Option<&str>) -> ResponseClass {
    if name.ends_with(".html") {
        return ResponseClass::Document;
    }
    let plain = match encoding {
        None => Some(file.hash),
        Some(_) => files.hash(name),
    };
    match plain {
        Some(hash) if is_named_after(name, &hash) => ResponseClass::Hashed,
        _ => ResponseClass::Plain,
    }
}

/// Whether a part of the name is the beginning of the hash: `sash-0123456789abcdef_bg.wasm`.
fn is_named_after(name: &str, hash: &[u8; 32]) -> bool {
    let tag = tag(hash);
    let beginning = tag.get(1..17);
    name.split(['/', '-', '.', '_'])
        .any(|part| Some(part) == beginning)
}

fn tag(hash: &[u8; 32]) -> String {
    let digits: String = hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("\"{digits}\"")
}

fn content_type(name: &str) -> String {
    let extension = name.rsplit('.').next().unwrap_or_default();
    let kind = match extension {
        "html" => "text/html",
        "js" | "mjs" => "text/javascript",
        "css" => "text/css",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        "json" => "application/json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain",
        _ => "application/octet-stream",
    };
    if kind.starts_with("text/") {
        format!("{kind}; charset=utf-8")
    } else {
        kind.to_owned()
    }
}

fn not_built() -> Response {
    let text = "The client is not built: run cargo xtask run\n";
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    (StatusCode::SERVICE_UNAVAILABLE, kind, text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_taken_by_name_and_weight() {
        for (value, br, gzip) in [
            ("gzip, deflate, br, zstd", true, true),
            ("br;q=0, gzip;q=0.5", false, true),
            ("BR", true, false),
            ("identity", false, false),
            ("xbr", false, false),
            ("", false, false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(value));
            assert_eq!(
                (accepts(&headers, "br"), accepts(&headers, "gzip")),
                (br, gzip),
                "{value}"
            );
        }
    }

    #[test]
    fn only_what_is_named_after_its_bytes_is_kept_for_ever() {
        let mut hash = [0; 32];
        hash[..8].copy_from_slice(&[0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]);
        for named in [
            "sash-0123456789abcdef.js",
            "sash-0123456789abcdef_bg.wasm",
            "snippets/sash-0123456789abcdef/inline0.js",
        ] {
            assert!(is_named_after(named, &hash), "{named}");
        }
        for not in [
            "boot.js",
            "icon.svg",
            "sash-01234567.js",
            "sash-0123456789abcdee.js",
            "sash-0123456789abcdef0.js",
            "sash-fedcba9876543210.css",
        ] {
            assert!(!is_named_after(not, &hash), "{not}");
        }
    }

    #[test]
    fn webassembly_has_its_type() {
        assert_eq!(content_type("a_bg.wasm"), "application/wasm");
        assert_eq!(content_type("boot.js"), "text/javascript; charset=utf-8");
        assert_eq!(content_type("noextension"), "application/octet-stream");
    }
}
