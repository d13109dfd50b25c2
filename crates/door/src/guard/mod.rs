//! Access control: the outermost layer on every route and every status. Ollama has no authentication and
//! receives our requests without an Origin, so this is the only check.
//!
//! The order of the checks is fixed, the first failure determines the answer, and no answer repeats any part
//! of the request.

mod attempts;
mod client;
mod headers;
mod host;
mod origin;
mod paths;
mod sessions;
mod token;

pub use attempts::FailedAttempts;
pub use client::{Network, Proxies, client_network};
pub use headers::{ResponseClass, apply_headers};
pub use host::{HostList, is_host};
pub use paths::{EXCHANGE_PATH, MCP_PATH};
pub use sessions::Sessions;
pub use token::Token;

use self::paths::{is_api, methods};
use crate::body_guard::attach;
use crate::clients::Clients;
use crate::refusal::refusal;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{ALLOW, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use axum::http::{Method, StatusCode, request::Parts};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use sash_wire::Fault;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;

/// The longest request target, in bytes.
const MAX_URI_BYTES: usize = 8 * 1024;
/// The most header lines of a request.
const MAX_HEADER_LINES: usize = 64;
/// The longest request header, in bytes.
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// The two addresses of the connection of a request; the accept loop puts them into the request.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionAddrs {
    /// The client's address.
    pub peer: SocketAddr,
    /// The server's address that was reached.
    pub local: SocketAddr,
}

/// The network of the client that a request comes from, read from the headers of trusted proxies; the guard puts it
/// into the request.
#[derive(Clone, Copy, Debug)]
pub struct ClientNetwork(pub IpAddr);

impl Default for ClientNetwork {
    /// A request without a connection.
    fn default() -> Self {
        Self(Ipv4Addr::UNSPECIFIED.into())
    }
}

/// Marks a request of a connection beyond the limits: only `/health` is answered.
#[derive(Clone, Copy, Debug)]
pub struct OverLimit;

/// The rules of one server.
#[derive(Debug)]
pub struct Guard {
    hosts: HostList,
    /// Whether only this machine can connect.
    loopback: bool,
    token: Option<token::TokenGate>,
    proxies: Proxies,
    /// Running requests per client behind the trusted proxies.
    clients: Arc<Clients>,
}

impl Guard {
    /// The rules for a server that listens on this address.
    #[must_use]
    pub fn new(listen: SocketAddr, allow_host: &[String], token: Option<Token>) -> Self {
        Self {
            hosts: HostList::new(listen, allow_host),
            loopback: listen.ip().is_loopback(),
            token: token.map(token::TokenGate::new),
            proxies: Proxies::default(),
            clients: Clients::new(usize::MAX),
        }
    }

    /// The same rules with trusted proxies, behind which each client may have `requests_each` requests at
    /// once.
    #[must_use]
    pub fn with_proxies(self, proxies: Proxies, requests_each: usize) -> Self {
        Self {
            proxies,
            clients: Clients::new(requests_each),
            ..self
        }
    }

    /// Checks a request without its body.
    ///
    /// # Errors
    /// The fault of the first check that fails.
    pub fn check(&self, request: &Parts, addresses: Option<ConnectionAddrs>) -> Result<(), Fault> {
        let host = host::of(request)?;
        let local = addresses.map(|addresses| addresses.local);
        if !self.hosts.contains(host, local.filter(|_| !self.loopback)) {
            return Err(Fault::UnknownHost);
        }
        let api = is_api(request.uri.path());
        if !methods(request.uri.path()).contains(&request.method) {
            return Err(Fault::MethodNotAllowed);
        }
        if api {
            let secure_names = self.hosts.is_configured(host);
            let anonymous = self.loopback || self.token.is_some();
            origin::check(&request.headers, host, secure_names, anonymous)?;
            // A page that has a code has no token yet.
            let needs_token = request.uri.path() != EXCHANGE_PATH;
            if let Some(gate) = self.token.as_ref().filter(|_| needs_token) {
                let peer = addresses.map(|addresses| addresses.peer.ip());
                let client = peer.map(|peer| self.proxies.client(peer, &request.headers));
                gate.check(&request.headers, client)?;
            }
            // Requests of other methods have no body.
            if request.method == Method::POST && !is_json(&request.headers) {
                return Err(Fault::NotJson);
            }
        }
        check_lengths(request)
    }

    /// The client behind a trusted proxy; the accept loop sees only the proxy's connections.
    fn proxied_client(
        &self,
        request: &Parts,
        addresses: Option<ConnectionAddrs>,
    ) -> Option<IpAddr> {
        let peer = addresses?.peer.ip();
        let trusted = self.proxies.trusts(peer);
        trusted.then(|| self.proxies.client(peer, &request.headers))
    }

    /// The canonical origin to redirect a navigation to another name of this machine: the log is bound to one
    /// origin. Built from the configuration, never from the request.
    fn canonical_redirect(&self, request: &Parts) -> Option<&HeaderValue> {
        let document = matches!(request.uri.path(), "/" | "/index.html");
        let host = host::of(request).ok()?;
        document.then(|| self.hosts.canonical_for(host)).flatten()
    }
}

/// Wraps a router: headers outermost, then panic handling, then the checks.
pub fn protect(router: Router, guard: Arc<Guard>) -> Router {
    router
        .layer(from_fn_with_state(guard, check_request))
        .layer(CatchPanicLayer::custom(|_| refusal(&Fault::Internal)))
        .layer(from_fn(headers::layer))
}

async fn check_request(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let addresses = parts.extensions.get::<ConnectionAddrs>().copied();
    if let Err(fault) = guard.check(&parts, addresses) {
        tracing::info!(status = fault.status(), "the guard refused a request");
        let mut answer = refusal(&fault);
        if fault == Fault::MethodNotAllowed {
            let allowed = methods(parts.uri.path()).iter().map(Method::as_str);
            let allow = allowed.collect::<Vec<_>>().join(", ");
            answer.headers_mut().extend(
                HeaderValue::try_from(allow)
                    .ok()
                    .map(|allow| (ALLOW, allow)),
            );
        }
        return answer;
    }
    if let Some(location) = guard.canonical_redirect(&parts) {
        return (
            StatusCode::PERMANENT_REDIRECT,
            [(LOCATION, location.clone())],
        )
            .into_response();
    }
    // Without an answer here a load balancer would consider the server dead.
    if parts.uri.path() == "/health" {
        return next.run(Request::from_parts(parts, body)).await;
    }
    if let Some(addresses) = addresses {
        let client = guard.proxies.client(addresses.peer.ip(), &parts.headers);
        parts
            .extensions
            .insert(ClientNetwork(client_network(client)));
    }
    let client = guard.proxied_client(&parts, addresses);
    let slot = client.map(|client| guard.clients.enter(client_network(client)));
    if parts.extensions.get::<OverLimit>().is_some() || matches!(slot, Some(None)) {
        tracing::warn!("too many connections; a request was refused");
        return refusal(&Fault::TooManyConnections);
    }
    let answer = next.run(Request::from_parts(parts, body)).await;
    answer.map(|body| attach(body, slot))
}

/// Whether the content type is `application/json`, with or without `charset=utf-8`.
fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return false;
    };
    let value = value.to_str().unwrap_or_default().to_ascii_lowercase();
    let (kind, parameter) = value.split_once(';').unwrap_or((&value, ""));
    let parameter = parameter.trim();
    kind.trim() == "application/json"
        && (parameter.is_empty() || matches!(parameter, "charset=utf-8" | "charset=\"utf-8\""))
}

fn check_lengths(request: &Parts) -> Result<(), Fault> {
    let uri = request
        .uri
        .path_and_query()
        .map_or(0, |target| target.as_str().len());
    if uri > MAX_URI_BYTES {
        return Err(Fault::UriTooLong);
    }
    let headers = &request.headers;
    // Name, colon, space, value and line end.
    let bytes: usize = headers
        .iter()
        .map(|(n, v)| n.as_str().len() + v.len() + 4)
        .sum();
    if headers.len() > MAX_HEADER_LINES || bytes > MAX_HEADER_BYTES {
        return Err(Fault::HeadersTooLarge);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content_types(values: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(CONTENT_TYPE, HeaderValue::from_static(value));
        }
        is_json(&headers)
    }

    #[test]
    fn only_json_is_json() {
        for good in [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/json;charset=UTF-8",
        ] {
            assert!(content_types(&[good]), "{good}");
        }
        for bad in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/json; charset=utf-16",
            "application/json, text/plain",
            "text/plain; application/json",
            "application/jsonp",
            "",
        ] {
            assert!(!content_types(&[bad]), "{bad}");
        }
        assert!(!content_types(&[]));
        assert!(!content_types(&["application/json", "text/plain"]));
    }
}
