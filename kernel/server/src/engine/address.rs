//! The address of an engine. Ollama's is parsed by Ollama's own rules for `OLLAMA_HOST` (its `envconfig/config.go`), with two
//! differences: an address to *bind* (`0.0.0.0`) becomes one to *dial*, and a value that makes no sense is
//! refused instead of dialled.

use sha2::{Digest, Sha256};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The bytes of a digest of an address.
const DIGEST_BYTES: usize = 8;
/// Ollama's default port.
const DEFAULT_PORT: u16 = 11434;

/// A base address of an engine: scheme, host, port and an optional path prefix. Never credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    base: String,
    loopback: Vec<SocketAddr>,
    warnings: Vec<String>,
}

/// Why an address is refused. Never repeats the address, which may hold credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// The scheme is neither http nor https.
    Scheme,
    /// It contains a user name or a password.
    Credentials,
    /// The host is neither a name nor an IP address.
    Host,
    /// The port is 0.
    Port,
    /// It has a query, a fragment, or a path with characters that a prefix does not need.
    Path,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scheme => "only http:// and https:// are possible",
            Self::Credentials => "user names and passwords in the address are not possible",
            Self::Host => "this is neither a host name nor an IP address",
            Self::Port => "port 0 is not a port to connect to",
            Self::Path => "the path may only be a plain prefix such as /ollama",
        })
    }
}

impl std::error::Error for AddressError {}

impl Address {
    /// Parses a value of `--ollama`, `SASH_OLLAMA` or `OLLAMA_HOST`.
    ///
    /// # Errors
    /// [`AddressError`] for a value that cannot be dialled.
    pub fn parse(value: &str) -> Result<Self, AddressError> {
        let value = value.trim().trim_matches(['"', '\'']).trim();
        let mut warnings = Vec::new();
        let (scheme, rest, default_port) = split_scheme(value, &mut warnings)?;
        let (host_port, path) = rest.split_once('/').unwrap_or((rest, ""));
        if host_port.contains('@') {
            return Err(AddressError::Credentials);
        }
        let (host, port) = split_host_port(host_port);
        let port = match port {
            None => default_port,
            Some(text) => read_port(text).unwrap_or_else(|| {
                warnings.push(format!(
                    "The port in Ollama's address is not a number from 0 to 65535; using {default_port}, as Ollama does."
                ));
                default_port
            }),
        };
        if port == 0 {
            return Err(AddressError::Port);
        }
        let (host, loopback) = dialable(host)?;
        let prefix = read_prefix(path)?;
        Ok(Self {
            base: format!("{scheme}://{host}:{port}{prefix}"),
            loopback: loopback.iter().map(|ip| (*ip, port).into()).collect(),
            warnings,
        })
    }

    /// The address of a server on this machine, such as the demo.
    #[must_use]
    pub fn local(address: SocketAddr) -> Self {
        Self {
            base: format!("http://{address}"),
            loopback: only_loopback(address.ip(), address),
            warnings: Vec::new(),
        }
    }

    /// The base without a trailing slash, such as `http://127.0.0.1:11434` or `https://box.lan:443/ollama`.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The full URL of one of the engine's paths, such as `/api/chat`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Whether it is a loopback address, so that no proxy is used. What listens there may pass everything on to another
    /// machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        !self.loopback.is_empty()
    }

    /// The sockets that are dialled, of a loopback address.
    #[must_use]
    pub fn loopback(&self) -> &[SocketAddr] {
        &self.loopback
    }

    /// A digest of the address for the engine of this name, by which the page knows whether it is still the same one.
    #[must_use]
    pub fn digest(&self, name: &str) -> String {
        let digest = Sha256::digest(format!("{name}\n{}", self.base));
        let digest = digest.iter().take(DIGEST_BYTES);
        digest.map(|byte| format!("{byte:02x}")).collect()
    }

    /// Warnings about the value, as sentences for the person.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

fn split_scheme<'a>(
    value: &'a str,
    warnings: &mut Vec<String>,
) -> Result<(&'static str, &'a str, u16), AddressError> {
    match value.split_once("://") {
        None if value == "ollama.com" => Ok(("https", value, 443)),
        None => Ok(("http", value, DEFAULT_PORT)),
        Some(("http", rest)) => Ok(("http", rest, 80)),
        Some(("https", rest)) => Ok(("https", rest, 443)),
        Some((scheme, rest)) => {
            let known = match scheme.to_ascii_lowercase().as_str() {
                "http" => ("http", rest, 80),
                "https" => ("https", rest, 443),
                _ => return Err(AddressError::Scheme),
            };
            warnings.push(format!(
                "The scheme of Ollama's address is not in lower case; reading it as {}://.",
                known.0
            ));
            Ok(known)
        }
    }
}

/// Splits host and port as Go's `net.SplitHostPort` does; a text that it refuses is a host as a whole.
fn split_host_port(text: &str) -> (&str, Option<&str>) {
    if let Some(inner) = text.strip_prefix('[') {
        return match inner.split_once(']') {
            Some((host, rest)) => (host, rest.strip_prefix(':')),
            None => (text, None),
        };
    }
    match text.split_once(':') {
        Some((host, port)) if !port.contains(':') => (host, Some(port)),
        _ => (text, None),
    }
}

fn read_port(text: &str) -> Option<u16> {
    // Go's ParseInt accepts a sign: to Ollama, "+80" is 80.
    let digits = text.strip_prefix('+').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// The host as written in a URL, with unspecified addresses replaced by the loopback of their family
/// (Ollama's `ConnectableHost`), and the loopback addresses that it stands for.
fn dialable(host: &str) -> Result<(String, Vec<IpAddr>), AddressError> {
    let ip = match host {
        "" => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => host.parse::<IpAddr>().ok().map(|ip| match ip {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        }),
    };
    match ip {
        Some(ip @ IpAddr::V4(_)) => Ok((ip.to_string(), only_loopback(ip, ip))),
        Some(ip @ IpAddr::V6(_)) => Ok((format!("[{ip}]"), only_loopback(ip, ip))),
        None if host.eq_ignore_ascii_case("localhost") => Ok((
            host.to_owned(),
            vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
        )),
        None if is_name(host) => Ok((host.to_owned(), Vec::new())),
        None => Err(AddressError::Host),
    }
}

/// The value, if the address is one of loopback.
fn only_loopback<T>(ip: IpAddr, value: T) -> Vec<T> {
    ip.is_loopback().then_some(value).into_iter().collect()
}

fn is_name(host: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    host.len() <= 253 && host.bytes().all(fits) && !host.starts_with(['-', '.'])
}

fn read_prefix(path: &str) -> Result<String, AddressError> {
    let path = path.trim_end_matches('/');
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~' | b'/');
    if !path.bytes().all(fits) || path.split('/').any(|part| part == "..") {
        return Err(AddressError::Path);
    }
    Ok(match path {
        "" => String::new(),
        path => format!("/{path}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(value: &str) -> String {
        let address = Address::parse(value).unwrap();
        assert!(
            address.warnings().is_empty(),
            "{value}: {:?}",
            address.warnings()
        );
        address.base().to_owned()
    }

    fn warned(value: &str) -> String {
        let address = Address::parse(value).unwrap();
        assert_eq!(address.warnings().len(), 1, "{value}");
        address.base().to_owned()
    }

    #[test]
    fn addresses_are_read_as_ollama_reads_them() {
        for (value, dialled) in [
            ("", "http://127.0.0.1:11434"),
            ("192.168.7.20", "http://192.168.7.20:11434"),
            ("box.lan:8080", "http://box.lan:8080"),
            (":8080", "http://127.0.0.1:8080"),
            ("::1", "http://[::1]:11434"),
            ("[::1]", "http://[::1]:11434"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            ("0.0.0.0:8080", "http://127.0.0.1:8080"),
            ("[::]", "http://[::1]:11434"),
            ("https://[::]:4000", "https://[::1]:4000"),
            ("http://box.lan", "http://box.lan:80"),
            ("https://box.lan", "https://box.lan:443"),
            ("http://box.lan:8080", "http://box.lan:8080"),
            ("https://box.lan/ollama", "https://box.lan:443/ollama"),
            ("https://box.lan/ollama/", "https://box.lan:443/ollama"),
            ("box.lan/ollama", "http://box.lan:11434/ollama"),
            ("ollama.com", "https://ollama.com:443"),
            ("ollama.com:443", "http://ollama.com:443"),
            ("\" box.lan \"", "http://box.lan:11434"),
            ("'box.lan'", "http://box.lan:11434"),
        ] {
            assert_eq!(base(value), dialled, "{value:?}");
        }
    }

    #[test]
    fn what_ollama_takes_silently_is_taken_with_a_warning() {
        for (value, dialled) in [
            (":99999", "http://127.0.0.1:11434"),
            ("box.lan:", "http://box.lan:11434"),
            ("box.lan:x", "http://box.lan:11434"),
            ("http://box.lan:x", "http://box.lan:80"),
            ("HTTP://box.lan", "http://box.lan:80"),
        ] {
            assert_eq!(warned(value), dialled, "{value:?}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (value, error) in [
            (":0", AddressError::Port),
            ("foo://box.lan", AddressError::Scheme),
            ("http://u:p@box.lan", AddressError::Credentials),
            ("u:p@box.lan", AddressError::Credentials),
            ("a:b:c", AddressError::Host),
            ("bad host", AddressError::Host),
            ("[::1", AddressError::Host),
            ("http://box.lan/?x=1", AddressError::Path),
            ("http://box.lan/#x", AddressError::Path),
            ("http://box.lan/../x", AddressError::Path),
        ] {
            let refused = Address::parse(value).unwrap_err();
            assert_eq!(refused, error, "{value:?}");
            assert!(!refused.to_string().contains("u:p"));
        }
    }

    #[test]
    fn a_path_prefix_is_kept_with_one_slash() {
        let address = Address::parse("https://box.lan/ollama/").unwrap();
        assert_eq!(
            address.url("/api/chat"),
            "https://box.lan:443/ollama/api/chat"
        );
    }

    #[test]
    fn a_digest_is_of_the_whole_address_and_of_the_name_and_does_not_tell_them() {
        let digest = |value: &str, name: &str| Address::parse(value).unwrap().digest(name);
        let one = digest("http://10.0.0.1:8000", "box");
        assert_eq!(one, digest("http://10.0.0.1:8000/", "box"));
        assert_eq!((one.len(), one.contains("10.0")), (16, false));
        for (value, name) in [
            ("http://10.0.0.1:8000", "other"),
            ("https://10.0.0.1:8000", "box"),
            ("http://10.0.0.2:8000", "box"),
            ("http://10.0.0.1:8001", "box"),
            ("http://10.0.0.1:8000/v", "box"),
        ] {
            assert_ne!(one, digest(value, name), "{value} {name}");
        }
    }

    #[test]
    fn both_families_are_dialled_for_localhost() {
        let at = |value: &str| {
            let address = Address::parse(value).unwrap();
            let all = address.loopback().iter().map(ToString::to_string);
            all.collect::<Vec<_>>()
        };
        assert_eq!(at("localhost:1"), ["127.0.0.1:1", "[::1]:1"]);
        assert_eq!(at("0.0.0.0"), ["127.0.0.1:11434"]);
        assert_eq!(at("https://[::1]"), ["[::1]:443"]);
        assert!(at("box.lan").is_empty());
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for (value, loopback) in [
            ("", true),
            ("localhost", true),
            ("127.8.8.8", true),
            ("[::]", true),
            ("box.lan", false),
            ("10.0.0.1", false),
        ] {
            assert_eq!(
                Address::parse(value).unwrap().is_loopback(),
                loopback,
                "{value}"
            );
        }
    }
}
