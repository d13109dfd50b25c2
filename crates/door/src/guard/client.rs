//! Determines the client of a request. Behind a proxy all connections come from the proxy; its forwarding
//! headers are trusted only if the person named it (`--trust-proxy`), because anybody can send these headers.

use axum::http::HeaderMap;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// An address, or a network in CIDR form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    /// The length of the prefix in bits.
    prefix: u8,
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let wrong =
            || format!("“{text}” is neither an IP address nor a network such as 10.0.0.0/8");
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let widest = if address.is_ipv4() { 32 } else { 128 };
        let prefix: u8 = match prefix {
            None => widest,
            Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => digits
                .parse()
                .ok()
                .filter(|prefix| *prefix <= widest)
                .ok_or_else(wrong)?,
            Some(_) => return Err(wrong()),
        };
        // Peer addresses are converted to IPv4 where they are mapped, so mapped networks must be converted
        // too.
        let mapped = match address {
            IpAddr::V6(v6) => v6.to_ipv4_mapped(),
            IpAddr::V4(_) => None,
        };
        Ok(match (mapped, prefix.checked_sub(96)) {
            (Some(v4), Some(prefix)) => Self {
                address: v4.into(),
                prefix,
            },
            _ => Self { address, prefix },
        })
    }
}

impl Network {
    fn contains(self, other: IpAddr) -> bool {
        let differing = match (self.address, other) {
            (IpAddr::V4(a), IpAddr::V4(b)) => u128::from(a.to_bits() ^ b.to_bits()) << 96,
            (IpAddr::V6(a), IpAddr::V6(b)) => a.to_bits() ^ b.to_bits(),
            _ => return false,
        };
        differing.leading_zeros() >= u32::from(self.prefix)
    }
}

/// The trusted proxies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies(Vec<Network>);

impl Proxies {
    /// Trusts these networks and no others.
    #[must_use]
    pub fn new(networks: Vec<Network>) -> Self {
        Self(networks)
    }

    /// Whether this address is a trusted proxy.
    #[must_use]
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(address))
    }

    /// The client's address: the peer of the connection, or, if that is a trusted proxy, the last hop before
    /// the trusted ones.
    ///
    /// Each proxy appends the address it received the request from, so the hops are read from the right, as
    /// far as trusted proxies wrote them; entries further left may be forged. A hop that is not an address
    /// ends the search; the client is then the proxy that wrote it. A proxy writes one of the two headers and
    /// may pass the other on unchanged, so if both are present and differ, neither is trusted.
    #[must_use]
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let peer = peer.to_canonical();
        if !self.trusts(peer) {
            return peer;
        }
        let [forwarded, x_forwarded_for] =
            hops(headers).map(|hops| hops.map(|hops| self.nearest_stranger(peer, hops)));
        match (forwarded, x_forwarded_for) {
            (Some(one), Some(other)) if one != other => peer,
            (Some(client), _) | (None, Some(client)) => client,
            (None, None) => peer,
        }
    }

    /// Whether a trusted proxy says that the client is on this machine: it names a client, and each hop that either
    /// header names is a loopback address.
    #[must_use]
    pub fn say_loopback(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let named = hops(headers).into_iter().flatten().flatten();
        let named: Vec<_> = named.collect();
        let is_loopback = |hop: &Option<IpAddr>| hop.is_some_and(|hop| hop.is_loopback());
        self.trusts(peer) && !named.is_empty() && named.iter().all(is_loopback)
    }

    fn nearest_stranger(&self, peer: IpAddr, hops: Vec<Option<IpAddr>>) -> IpAddr {
        let mut nearest = peer;
        for hop in hops.into_iter().rev() {
            let Some(hop) = hop else { break };
            nearest = hop;
            if !self.trusts(hop) {
                break;
            }
        }
        nearest
    }
}

/// The hops of `Forwarded` and of `X-Forwarded-For`, where such a header is there; `None` for one that is no address.
fn hops(headers: &HeaderMap) -> [Option<Vec<Option<IpAddr>>>; 2] {
    let read = |name: &str, hops: fn(&str) -> Vec<Option<IpAddr>>| {
        headers.contains_key(name).then(|| {
            let values = headers.get_all(name).iter();
            let hops = values.flat_map(|value| hops(&String::from_utf8_lossy(value.as_bytes())));
            hops.collect()
        })
    };
    [
        read("forwarded", |value| {
            let elements = elements(value, ',').into_iter();
            elements.map(forwarded_for).collect()
        }),
        read("x-forwarded-for", |value| {
            let items = value.split(',').map(str::trim);
            items.filter(|item| !item.is_empty()).map(node).collect()
        }),
    ]
}

/// The network that counts as one client: one who has an IPv6 address has the whole /64.
#[must_use]
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
        v4 => v4,
    }
}

/// Parses an address with or without a port; an IPv6 address with or without brackets.
fn node(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .filter(|text| text.contains(':'));
    let address = bare.unwrap_or(text).parse::<IpAddr>().ok();
    let with_port = || text.parse::<std::net::SocketAddr>().ok().map(|a| a.ip());
    address.or_else(with_port).map(|ip| ip.to_canonical())
}

/// The `for` of one element of `Forwarded` (RFC 7239). An element with any malformed pair has none: an
/// unterminated quote may have swallowed what a proxy added.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut found = None;
    for pair in elements(element, ';') {
        let (name, value) = pair.split_once('=')?;
        let value = unquoted(value)?;
        if name.eq_ignore_ascii_case("for") && found.replace(value).is_some() {
            return None;
        }
    }
    node(&found?)
}

/// Splits a list into its non-empty parts. A separator within quotes does not count.
fn elements(text: &str, separator: char) -> Vec<&str> {
    let (mut quoted, mut escaped) = (false, false);
    let parts = text.split(|c: char| {
        let splits = c == separator && !quoted;
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && quoted && !escaped;
        splits
    });
    let parts = parts.map(str::trim);
    parts.filter(|part| !part.is_empty()).collect()
}

/// A value without its quotes; a plain token is unchanged.
fn unquoted(value: &str) -> Option<String> {
    let Some(rest) = value.strip_prefix('"') else {
        let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\\' | ',' | ';' | '=');
        return (!value.is_empty() && value.chars().all(plain)).then(|| value.to_owned());
    };
    let mut out = String::new();
    let mut rest = rest.chars();
    loop {
        match rest.next()? {
            '"' => return rest.as_str().is_empty().then_some(out),
            '\\' => out.push(rest.next()?),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn proxies(networks: &[&str]) -> Proxies {
        let networks = networks.iter().map(|text| text.parse().unwrap());
        Proxies::new(networks.collect())
    }

    #[test]
    fn a_network_holds_what_its_first_bits_say() {
        for (network, inside, outside) in [
            (
                "10.0.0.0/8",
                &["10.0.0.0", "10.255.255.255"][..],
                &["11.0.0.0", "9.255.255.255", "::1"][..],
            ),
            ("10.1.2.3/8", &["10.9.9.9"], &["11.1.2.3"]),
            (
                "192.168.1.7",
                &["192.168.1.7", "::ffff:192.168.1.7"],
                &["192.168.1.6"],
            ),
            (
                "192.168.1.6/31",
                &["192.168.1.6", "192.168.1.7"],
                &["192.168.1.8"],
            ),
            ("0.0.0.0/0", &["0.0.0.0", "255.255.255.255"], &["::1"]),
            ("::1", &["::1"], &["::2", "0.0.0.1"]),
            ("2001:db8::/32", &["2001:db8:ffff::1"], &["2001:db9::1"]),
            ("::/0", &["::", "ffff::"], &["1.2.3.4"]),
            ("::ffff:10.0.0.0/104", &["10.3.4.5"], &["11.3.4.5"]),
        ] {
            let proxies = proxies(&[network]);
            for address in inside {
                assert!(
                    proxies.trusts(address.parse().unwrap()),
                    "{network} {address}"
                );
            }
            for address in outside {
                assert!(
                    !proxies.trusts(address.parse().unwrap()),
                    "{network} {address}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for text in [
            "",
            "/",
            "10.0.0.0/",
            "/8",
            "10.0.0.0/33",
            "::/129",
            "10.0.0.0/-1",
            "10.0.0.0/+8",
            "10.0.0.0/8/8",
            "10.0.0/8",
            "010.0.0.1",
            "10.0.0.1:80",
            "[::1]",
            "proxy.example",
            "10.0.0.0/255.0.0.0",
            "10.0.0.0 /8",
            "10.0.0.0/99999999999999999999",
            "*",
            "all",
        ] {
            let error = text.parse::<Network>().unwrap_err();
            assert!(
                error.contains(text) && error.contains("10.0.0.0/8"),
                "{text}"
            );
        }
    }

    /// The client, with trusted proxies at 10.0.0.0/8 and ::1.
    fn client(peer: &str, headers: &[(&str, &str)]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: HeaderName = name.parse().unwrap();
            map.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let proxies = proxies(&["10.0.0.0/8", "::1"]);
        proxies.client(peer.parse().unwrap(), &map).to_string()
    }

    const X: &str = "x-forwarded-for";
    const F: &str = "forwarded";

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        for peer in ["192.0.2.9", "2001:db8::9", "::ffff:192.0.2.9", "::2"] {
            let plain = peer.parse::<IpAddr>().unwrap().to_canonical().to_string();
            assert_eq!(client(peer, &[(X, "1.1.1.1"), (F, "for=1.1.1.1")]), plain);
        }
        for peer in ["10.0.0.1", "::ffff:10.0.0.1", "::1"] {
            assert_eq!(client(peer, &[(X, "1.1.1.1")]), "1.1.1.1");
            assert_eq!(client(peer, &[(F, "for=1.1.1.1")]), "1.1.1.1");
        }
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn the_hop_before_the_trusted_ones_counts_whatever_stands_further_left() {
        for (values, expected) in [
            (&["1.1.1.1"][..], "1.1.1.1"),
            (&["6.6.6.6, 1.1.1.1"], "1.1.1.1"),
            (&["6.6.6.6,1.1.1.1,10.2.2.2"], "1.1.1.1"),
            (&["6.6.6.6", "1.1.1.1", "10.2.2.2"], "1.1.1.1"),
            (&["10.9.9.9, 10.2.2.2"], "10.9.9.9"),
            (&["1.1.1.1, , 10.2.2.2 ,"], "1.1.1.1"),
            (&["1.1.1.1:4711"], "1.1.1.1"),
            (&["2001:db8::1"], "2001:db8::1"),
            (&["[2001:db8::1]"], "2001:db8::1"),
            (&["[2001:db8::1]:4711"], "2001:db8::1"),
            (&["::ffff:1.1.1.1"], "1.1.1.1"),
            (&["\t1.1.1.1 "], "1.1.1.1"),
        ] {
            let headers: Vec<_> = values.iter().map(|value| (X, *value)).collect();
            assert_eq!(client("10.0.0.1", &headers), expected, "{values:?}");
        }
    }

    #[test]
    fn a_hop_that_is_no_address_ends_the_search() {
        for wrong in [
            "unknown",
            "_hidden",
            "1.1.1",
            "1.1.1.1.1",
            "256.1.1.1",
            "01.1.1.1",
            "1.1.1.1:99999",
            "1.1.1.1:",
            "[1.1.1.1]",
            "[::1",
            "::1]",
            "::g",
            "fe80::1%eth0",
            "localhost",
            "1.1.1.1 2.2.2.2",
            "\"1.1.1.1\"",
            "1.1.1.1;",
            "é",
            "'",
            "0x01010101",
            "16843009",
        ] {
            let behind = format!("6.6.6.6, {wrong}");
            assert_eq!(client("10.0.0.1", &[(X, &behind)]), "10.0.0.1", "{wrong}");
            let between = format!("6.6.6.6, {wrong}, 10.2.2.2");
            assert_eq!(client("10.0.0.1", &[(X, &between)]), "10.2.2.2", "{wrong}");
            let before = format!("{wrong}, 1.1.1.1");
            assert_eq!(client("10.0.0.1", &[(X, &before)]), "1.1.1.1", "{wrong}");
        }
        for nothing in ["", " ", ",", ", ,"] {
            assert_eq!(
                client("10.0.0.1", &[(X, nothing)]),
                "10.0.0.1",
                "{nothing:?}"
            );
            assert_eq!(
                client("10.0.0.1", &[(F, nothing)]),
                "10.0.0.1",
                "{nothing:?}"
            );
        }
    }

    #[test]
    fn forwarded_is_read_as_its_standard_says() {
        for (value, expected) in [
            ("for=1.1.1.1", "1.1.1.1"),
            ("For=\"1.1.1.1\"", "1.1.1.1"),
            ("FOR=\"1.1.1.1:80\"", "1.1.1.1"),
            ("for=1.1.1.1:80", "1.1.1.1"),
            ("for=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("for=\"[2001:db8:cafe::17]\"", "2001:db8:cafe::17"),
            ("for=\"1.1.1\\.1\"", "1.1.1.1"),
            ("for=1.1.1.1;proto=http;by=203.0.113.43", "1.1.1.1"),
            ("proto=https; for=1.1.1.1 ;host=\"a,b;c\"", "1.1.1.1"),
            (
                "for=6.6.6.6, for=1.1.1.1, for=10.3.3.3;proto=http",
                "1.1.1.1",
            ),
            ("for=1.1.1.1,, ,for=10.3.3.3", "1.1.1.1"),
            ("for=10.4.4.4", "10.4.4.4"),
        ] {
            assert_eq!(client("10.0.0.1", &[(F, value)]), expected, "{value}");
        }
        let lines = [(F, "for=6.6.6.6"), (F, "for=1.1.1.1"), (F, "for=10.3.3.3")];
        assert_eq!(client("10.0.0.1", &lines), "1.1.1.1");
    }

    #[test]
    fn a_malformed_forwarded_tells_nothing() {
        for value in [
            "for=unknown",
            "for=_hidden",
            "for=",
            "for",
            "for=\"\"",
            "proto=http",
            "by=1.1.1.1",
            "for =1.1.1.1",
            "for= 1.1.1.1",
            "1.1.1.1",
            "for=1.1.1.1;for=2.2.2.2",
            "for=1.1.1.1 for=2.2.2.2",
            "for=\"1.1.1.1",
            "for=1.1.1.1\"",
            "for=\"1.1.1.1\"x",
            "for=[::1]x",
            "for=1.1.1.1;proto",
            "for=1.1.1.1;host=\"a",
            "for=1.1.1.1;host=a\"b\"",
            "for=a=b",
            "for=\"1.1.1.1\\",
            "for=é",
        ] {
            assert_eq!(client("10.0.0.1", &[(F, value)]), "10.0.0.1", "{value}");
        }
    }

    /// The client controls the left part of the header, and its proxy appends to the right.
    #[test]
    fn half_a_quote_hides_nothing_that_a_proxy_added() {
        for start in [
            "for=\"",
            "for=\"6.6.6.6",
            "for=6.6.6.6;x=\"",
            "for=\"6.6.6.6\";x=\"",
            "for=6.6.6.6;x=\"\\",
            "\"",
            "for=6.6.6.6,\"",
            "for=6.6.6.6;x=\"\\\"",
        ] {
            for added in [
                "for=1.1.1.1",
                "for=\"1.1.1.1\"",
                "for=\"1.1.1.1:5\";proto=\"http\"",
            ] {
                let found = client("10.0.0.1", &[(F, &format!("{start}, {added}"))]);
                assert_ne!(found, "6.6.6.6", "{start}, {added}");
            }
        }
    }

    #[test]
    fn headers_that_disagree_are_both_not_believed() {
        let both = |x: &str, f: &str| client("10.0.0.1", &[(X, x), (F, f)]);
        assert_eq!(both("1.1.1.1", "for=1.1.1.1"), "1.1.1.1");
        assert_eq!(both("1.1.1.1", "for=6.6.6.6"), "10.0.0.1");
        assert_eq!(both("6.6.6.6", "for=unknown"), "10.0.0.1");
        assert_eq!(both("6.6.6.6, 1.1.1.1", "for=\"1.1.1.1:9\""), "1.1.1.1");
    }

    #[test]
    fn all_addresses_of_a_household_are_one() {
        let same = |a: &str, b: &str| {
            client_network(a.parse().unwrap()) == client_network(b.parse().unwrap())
        };
        assert!(same("2001:db8:0:1::1", "2001:db8:0:1:ffff::2"));
        assert!(!same("2001:db8:0:1::1", "2001:db8:0:2::1"));
        assert!(same("::ffff:1.2.3.4", "1.2.3.4"));
        assert!(!same("1.2.3.4", "1.2.3.5"));
    }
}
