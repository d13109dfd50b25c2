//! The caller of a request: whether the whole way from the page to Sash is on this machine.

use crate::config::ServerConfig;
use axum::http::HeaderMap;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use sash_door::guard::{ConnectionAddrs, Proxies};
use std::net::IpAddr;

/// How a request reached the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// Whether the request was made on this machine, as far as [`CallerRules`] can tell.
    pub is_on_this_machine: bool,
    /// Whether no header says that a proxy passed the request on.
    pub is_direct: bool,
}

/// What the configuration says of how requests reach the server.
#[derive(Clone, Debug)]
pub struct CallerRules {
    /// Whether Sash listens on a loopback address alone.
    listens_on_loopback: bool,
    /// The proxies that are believed.
    proxies: Proxies,
    /// Whether a proxy is to be expected: it is named, or another host name is.
    expects_proxy: bool,
}

impl CallerRules {
    /// The rules of a server with these settings.
    #[must_use]
    pub fn new(settings: &ServerConfig) -> Self {
        let proxies = settings.trust_proxy.clone();
        Self {
            listens_on_loopback: settings.listen.ip().is_loopback(),
            expects_proxy: proxies != Proxies::default() || !settings.allow_host.is_empty(),
            proxies,
        }
    }

    /// The caller of a request with these addresses and headers.
    #[must_use]
    pub fn caller(&self, addresses: Option<&ConnectionAddrs>, headers: &HeaderMap) -> Caller {
        Caller {
            is_on_this_machine: addresses.is_some_and(|at| self.is_on_this_machine(at, headers)),
            is_direct: !is_forwarded(headers),
        }
    }

    /// A request over loopback is on this machine only if it was made to a name of loopback, because a proxy on loopback
    /// that says nothing passes the name on. Where a proxy is to be expected it has to say so itself.
    fn is_on_this_machine(&self, at: &ConnectionAddrs, headers: &HeaderMap) -> bool {
        let (peer, local) = (at.peer.ip().to_canonical(), at.local.ip().to_canonical());
        let is_over_loopback =
            self.listens_on_loopback && peer.is_loopback() && local.is_loopback();
        is_over_loopback
            && asks_for_loopback(headers)
            && match self.expects_proxy {
                true => self.proxies.say_loopback(peer, headers),
                false => !is_forwarded(headers),
            }
    }
}

/// Whether the request was made to a name of loopback: `localhost`, a name below it, or an address.
fn asks_for_loopback(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let Ok(authority) = Authority::try_from(host.as_bytes()) else {
        return false;
    };
    let name = authority.host().to_ascii_lowercase();
    let ip = name.trim_start_matches('[').trim_end_matches(']');
    match ip.parse::<IpAddr>() {
        Ok(ip) => ip.to_canonical().is_loopback(),
        Err(_) => name == "localhost" || name.ends_with(".localhost"),
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
    use sash_door::guard::Network;

    /// Whether a request from here, with these headers, counts as made on this machine.
    fn is_here(change: impl FnOnce(&mut ServerConfig), headers: &[(&str, &str)]) -> bool {
        is_at(change, "127.0.0.1:5000", "127.0.0.1:7274", headers)
    }

    fn is_at(
        change: impl FnOnce(&mut ServerConfig),
        peer: &str,
        local: &str,
        headers: &[(&str, &str)],
    ) -> bool {
        let mut settings = ServerConfig::default();
        change(&mut settings);
        let addresses = ConnectionAddrs {
            peer: peer.parse().unwrap(),
            local: local.parse().unwrap(),
        };
        let headers = headers.iter().map(|(name, value)| {
            let name: HeaderName = name.parse().unwrap();
            (name, HeaderValue::from_str(value).unwrap())
        });
        let headers = HeaderMap::from_iter(headers);
        let rules = CallerRules::new(&settings);
        rules.caller(Some(&addresses), &headers).is_on_this_machine
    }

    const HERE: (&str, &str) = ("host", "127.0.0.1:7274");

    #[test]
    fn only_a_plain_request_over_loopback_is_on_this_machine() {
        let (here, there) = ("127.0.0.1:5000", "192.168.1.2:5000");
        let listens_for_others = |it: &mut ServerConfig| it.listen = "0.0.0.0:1".parse().unwrap();
        assert!(is_at(|_| {}, here, "127.0.0.1:7274", &[HERE]));
        assert!(is_at(|_| {}, "[::1]:5000", "[::1]:7274", &[HERE]));
        assert!(is_at(|_| {}, "[::ffff:127.0.0.1]:1", here, &[HERE]));
        assert!(!is_at(listens_for_others, here, here, &[HERE]));
        assert!(!is_at(|_| {}, there, here, &[HERE]));
        assert!(!is_at(|_| {}, here, there, &[HERE]));
        for header in [
            "Forwarded",
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "X-Real-IP",
            "Via",
        ] {
            assert!(!is_here(|_| {}, &[HERE, (header, "x")]), "{header}");
        }
        let rules = CallerRules::new(&ServerConfig::default());
        assert!(!rules.caller(None, &HeaderMap::new()).is_on_this_machine);
    }

    /// A proxy on loopback that passes `Host` on and sends no header of its own.
    #[test]
    fn a_request_to_another_name_was_made_elsewhere() {
        for (host, expected) in [
            ("127.0.0.1:7274", true),
            ("127.8.8.8", true),
            ("[::1]:7274", true),
            ("localhost:7274", true),
            ("LocalHost", true),
            ("sash.localhost:7274", true),
            ("chat.example.org", false),
            ("192.168.1.2:7274", false),
            ("[2001:db8::1]:7274", false),
            ("localhost.example.org", false),
            ("notlocalhost", false),
            ("127.0.0.1.example.org", false),
        ] {
            assert_eq!(is_here(|_| {}, &[("host", host)]), expected, "{host}");
        }
        assert!(!is_here(|_| {}, &[]));
        assert!(!is_here(|_| {}, &[HERE, HERE]));
    }

    #[test]
    fn a_sash_that_was_told_of_a_proxy_believes_it_alone() {
        let trusts = |network: &'static str| {
            move |settings: &mut ServerConfig| {
                settings.trust_proxy = Proxies::new(vec![network.parse::<Network>().unwrap()]);
            }
        };
        let allows = |it: &mut ServerConfig| it.allow_host = vec!["chat.example.org".to_owned()];
        let says = |value: &'static str| [HERE, ("x-forwarded-for", value)];
        // The one who is named passes nothing on unnoticed, and nobody else is believed.
        assert!(!is_here(trusts("127.0.0.1"), &[HERE]));
        assert!(!is_here(trusts("10.0.0.1"), &[HERE]));
        assert!(!is_here(allows, &[HERE]));
        assert!(!is_here(allows, &says("127.0.0.1")));
        assert!(!is_here(trusts("10.0.0.1"), &says("127.0.0.1")));
        assert!(!is_here(|_| {}, &says("127.0.0.1")));
        for (value, expected) in [
            ("127.0.0.1", true),
            ("::1", true),
            ("127.0.0.1, 127.0.0.1", true),
            ("203.0.113.7", false),
            ("127.0.0.1, 203.0.113.7", false),
            ("203.0.113.7, 127.0.0.1", false),
            ("unknown, 127.0.0.1", false),
            ("unknown", false),
            ("", false),
        ] {
            let trusted = trusts("127.0.0.1");
            assert_eq!(is_here(trusted, &says(value)), expected, "{value}");
        }
        let both = |forwarded| {
            [
                HERE,
                ("x-forwarded-for", "127.0.0.1"),
                ("forwarded", forwarded),
            ]
        };
        assert!(is_here(
            trusts("127.0.0.1"),
            &both("for=127.0.0.1;proto=https")
        ));
        assert!(!is_here(trusts("127.0.0.1"), &both("for=203.0.113.7")));
        assert!(!is_here(trusts("127.0.0.1"), &both("proto=https")));
        let named = [
            ("host", "chat.example.org"),
            ("x-forwarded-for", "127.0.0.1"),
        ];
        assert!(!is_here(trusts("127.0.0.1"), &named));
    }
}
