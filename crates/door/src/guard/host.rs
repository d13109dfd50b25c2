//! The host names that the server answers under. A foreign page can point its own name at this machine (DNS
//! rebinding), but it cannot make the browser send another name than its own.

use axum::http::header::{HOST, HeaderValue};
use axum::http::request::Parts;
use sash_wire::Fault;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

/// The names of this server, ports included.
#[derive(Debug)]
pub struct HostList {
    /// Names of this machine.
    local: Vec<String>,
    /// Names from the configuration.
    configured: Vec<String>,
    /// The one origin of the page.
    origin: Option<HeaderValue>,
    canonical: String,
}

impl HostList {
    /// The names of a server bound to `listen`, and the configured ones.
    #[must_use]
    pub fn new(listen: SocketAddr, allow_host: &[String]) -> Self {
        let port = listen.port();
        let canonical = if listen.ip().is_unspecified() {
            SocketAddr::from((Ipv4Addr::LOCALHOST, port))
        } else {
            listen
        };
        let local = vec![
            canonical.to_string(),
            SocketAddr::from((Ipv4Addr::LOCALHOST, port)).to_string(),
            SocketAddr::from((Ipv6Addr::LOCALHOST, port)).to_string(),
            format!("localhost:{port}"),
        ];
        Self {
            // Browsers leave port 80 out.
            local: match port {
                80 => local
                    .iter()
                    .flat_map(|name| [name.clone(), name.trim_end_matches(":80").to_owned()])
                    .collect(),
                _ => local,
            },
            configured: allow_host.to_vec(),
            origin: HeaderValue::try_from(format!("http://{canonical}/")).ok(),
            canonical: canonical.to_string(),
        }
    }

    /// Whether the server answers under this name. `reached` is the local address of the connection, given if
    /// other machines can connect: an address literal cannot be rebound.
    #[must_use]
    pub fn contains(&self, host: &str, reached: Option<SocketAddr>) -> bool {
        let same = |name: &String| name.eq_ignore_ascii_case(host);
        self.local.iter().any(same)
            || self.configured.iter().any(same)
            || reached.is_some_and(|reached| {
                let plain = SocketAddr::new(reached.ip().to_canonical(), reached.port());
                !plain.ip().is_unspecified() && same(&plain.to_string())
            })
    }

    /// Whether the name is one of `--allow-host`, where a proxy may speak https.
    #[must_use]
    pub fn is_configured(&self, host: &str) -> bool {
        self.configured
            .iter()
            .any(|name| name.eq_ignore_ascii_case(host))
    }

    /// The canonical origin to redirect to from `localhost` and `[::1]`; `None` if the name is canonical.
    #[must_use]
    pub fn canonical_for(&self, host: &str) -> Option<&HeaderValue> {
        let same = |name: &String| name.eq_ignore_ascii_case(host);
        let other = self.local.iter().any(same)
            && !self.is_configured(host)
            && !self.canonical.eq_ignore_ascii_case(host)
            && self.canonical.trim_end_matches(":80") != host;
        self.origin.as_ref().filter(|_| other)
    }
}

/// The one well-formed Host of a request.
///
/// # Errors
/// [`Fault::BadHost`] for none, two, a malformed one, or one that differs from an absolute target.
pub fn of(request: &Parts) -> Result<&str, Fault> {
    let bad = || Fault::BadHost;
    let mut hosts = request.headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err(bad());
    };
    let host = host.to_str().map_err(|_| bad())?;
    let target = request.uri.authority().map(|authority| authority.as_str());
    if !is_host(host) || target.is_some_and(|target| !target.eq_ignore_ascii_case(host)) {
        return Err(bad());
    }
    Ok(host)
}

/// Whether the text has the form `name`, `name:port`, `[v6]` or `[v6]:port`, with valid characters.
#[must_use]
pub fn is_host(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(inner) => {
            let Some((ip, rest)) = inner.split_once(']') else {
                return false;
            };
            if !ip
                .bytes()
                .all(|b| b.is_ascii_hexdigit() || matches!(b, b':' | b'.'))
            {
                return false;
            }
            match rest.strip_prefix(':') {
                None if rest.is_empty() => (ip, None),
                None => return false,
                port => (ip, port),
            }
        }
        None => match host.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (host, None),
        },
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    let name_fits =
        (1..=253).contains(&name.len()) && (host.starts_with('[') || name.bytes().all(plain));
    let port_fits = port
        .is_none_or(|port| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok());
    name_fits && port_fits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(listen: &str, allowed: &[&str]) -> HostList {
        let allowed: Vec<String> = allowed.iter().map(|a| (*a).to_owned()).collect();
        HostList::new(listen.parse().unwrap(), &allowed)
    }

    #[test]
    fn only_the_names_of_this_server_are_on_the_list() {
        let hosts = list("127.0.0.1:7274", &["chat.example", "other.example:8443"]);
        for good in [
            "127.0.0.1:7274",
            "localhost:7274",
            "LocalHost:7274",
            "[::1]:7274",
            "chat.example",
            "CHAT.example",
            "other.example:8443",
        ] {
            assert!(hosts.contains(good, None), "{good}");
        }
        for bad in [
            "0.0.0.0:7274",
            "evil.example:7274",
            "localhost.:7274",
            "127.1:7274",
            "0x7f.1:7274",
            "[::ffff:127.0.0.1]:7274",
            "127.0.0.1",
            "localhost",
            "localhost:80",
            "127.0.0.2:7274",
            "other.example",
            "chat.example:80",
        ] {
            assert!(!hosts.contains(bad, None), "{bad}");
        }
    }

    #[test]
    fn on_the_lan_the_address_that_was_reached_is_a_name_too() {
        let hosts = list("0.0.0.0:7274", &[]);
        let reached: SocketAddr = "192.168.1.2:7274".parse().unwrap();
        assert!(hosts.contains("192.168.1.2:7274", Some(reached)));
        assert!(!hosts.contains("192.168.1.3:7274", Some(reached)));
        assert!(!hosts.contains("0.0.0.0:7274", Some(reached)));
        let mapped: SocketAddr = "[::ffff:192.168.1.2]:7274".parse().unwrap();
        assert!(hosts.contains("192.168.1.2:7274", Some(mapped)));
        assert!(!hosts.contains("[::ffff:192.168.1.2]:7274", Some(mapped)));
    }

    #[test]
    fn other_names_of_this_machine_lead_to_the_one_origin() {
        let hosts = list("127.0.0.1:7274", &["localhost:7274x"]);
        assert_eq!(
            hosts.canonical_for("localhost:7274").unwrap(),
            "http://127.0.0.1:7274/"
        );
        assert_eq!(
            hosts.canonical_for("[::1]:7274").unwrap(),
            "http://127.0.0.1:7274/"
        );
        assert_eq!(hosts.canonical_for("127.0.0.1:7274"), None);
        let hosts = list("[::1]:7274", &[]);
        assert_eq!(
            hosts.canonical_for("localhost:7274").unwrap(),
            "http://[::1]:7274/"
        );
        assert_eq!(hosts.canonical_for("[::1]:7274"), None);
    }

    #[test]
    fn malformed_hosts_are_no_hosts() {
        for good in [
            "a",
            "a.b:1",
            "[::1]",
            "[::1]:7274",
            "localhost.",
            "127.0.0.1:7274",
        ] {
            assert!(is_host(good), "{good}");
        }
        for bad in [
            "", ":80", "a:", "a:b", "a:1:2", "a b", "u@a", "a/b", "[::1", "[]", "[::1]x", "[g]",
            "a:65536", "é", "a,b",
        ] {
            assert!(!is_host(bad), "{bad}");
        }
    }
}
