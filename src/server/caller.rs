//! How a request reached the server: whether the whole way from the page to Sash is on this machine.

use crate::server::guard::ConnectionAddrs;
use axum::http::HeaderMap;

/// The header by which a caller switches reading ahead off for itself: its value is `never`.
const READ_AHEAD: &str = "x-sash-read-ahead";

/// How a request reached the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// Whether Sash listens on a loopback address alone, was asked there, and no header says that a proxy passed the
    /// request on.
    pub is_on_this_machine: bool,
    /// Whether no header says that a proxy passed the request on.
    pub is_direct: bool,
    /// Whether no header of it switches reading ahead off.
    pub takes_reading_ahead: bool,
}

impl Caller {
    /// The caller of a request with these addresses and headers, to a server that listens where others cannot reach it,
    /// or can.
    #[must_use]
    pub fn of(
        listens_on_loopback: bool,
        addresses: Option<&ConnectionAddrs>,
        headers: &HeaderMap,
    ) -> Self {
        let is_loopback = addresses.is_some_and(|at| {
            let peer = at.peer.ip().to_canonical();
            peer.is_loopback() && at.local.ip().to_canonical().is_loopback()
        });
        let is_direct = !is_forwarded(headers);
        Self {
            is_on_this_machine: listens_on_loopback && is_loopback && is_direct,
            is_direct,
            takes_reading_ahead: headers.get(READ_AHEAD).is_none_or(|value| value != "never"),
        }
    }
}

/// Whether a proxy says that it passed a request on. One that says nothing cannot be told from a browser.
fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| {
        let name = name.as_str();
        name.starts_with("x-forwarded-") || matches!(name, "forwarded" | "x-real-ip" | "via")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn is_here(listens_on_loopback: bool, peer: &str, local: &str, header: Option<&str>) -> bool {
        let addresses = ConnectionAddrs {
            peer: peer.parse().unwrap(),
            local: local.parse().unwrap(),
        };
        let headers = header.map(|name| {
            let name: HeaderName = name.parse().unwrap();
            (name, HeaderValue::from_static("x"))
        });
        let headers = HeaderMap::from_iter(headers);
        Caller::of(listens_on_loopback, Some(&addresses), &headers).is_on_this_machine
    }

    #[test]
    fn only_a_plain_request_over_loopback_is_on_this_machine() {
        let (here, there) = ("127.0.0.1:5000", "192.168.1.2:5000");
        assert!(is_here(true, here, "127.0.0.1:7274", None));
        assert!(is_here(true, "[::1]:5000", "[::1]:7274", Some("Accept")));
        assert!(is_here(true, "[::ffff:127.0.0.1]:1", "127.0.0.1:2", None));
        assert!(!is_here(false, here, "127.0.0.1:7274", None));
        assert!(!is_here(true, there, "127.0.0.1:7274", None));
        assert!(!is_here(true, here, there, None));
        for header in [
            "Forwarded",
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "X-Real-IP",
            "Via",
        ] {
            assert!(!is_here(true, here, here, Some(header)), "{header}");
        }
        assert!(!Caller::of(true, None, &HeaderMap::new()).is_on_this_machine);
    }
}
