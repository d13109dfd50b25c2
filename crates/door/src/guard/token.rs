//! The access token. It is sent in an `Authorization` header, never in a cookie, because browsers also send
//! cookies with requests of pages on other ports.

use super::attempts::FailedAttempts;
use super::sessions::Sessions;
use crate::random::random_digits;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use sash_wire::Fault;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use subtle::ConstantTimeEq;

/// Shorter tokens can be guessed.
const MIN_TOKEN_CHARS: usize = 16;

/// A secret of at least 16 characters. `Debug` does not print it.
#[derive(Clone)]
pub struct Token {
    text: String,
    /// If it was generated: what opens the same doors for the pages of addresses that Sash prints.
    sessions: Option<Sessions>,
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.is(other.text.as_bytes())
    }
}

impl Eq for Token {}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// The value of `--token`: a secret, or `auto` for 32 random bytes.
    ///
    /// # Errors
    /// A clause for the person if it is too short, or contains characters that a header or an address cannot.
    pub fn from_flag(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self {
                text: random_digits::<32>()?,
                sessions: Some(Sessions::default()),
            });
        }
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~');
        if text.len() < MIN_TOKEN_CHARS {
            return Err(format!(
                "a token has at least {MIN_TOKEN_CHARS} characters, or is “auto”"
            ));
        }
        if !text.bytes().all(plain) {
            return Err("a token is made of letters, digits and - . _ ~".to_owned());
        }
        Ok(Self {
            text: text.to_owned(),
            sessions: None,
        })
    }

    /// The token, if it was generated: only then the person has to be told.
    #[must_use]
    pub fn made(&self) -> Option<&str> {
        self.sessions.is_some().then_some(&self.text)
    }

    /// The sessions in the place of a token that was generated.
    #[must_use]
    pub fn sessions(&self) -> Option<Sessions> {
        self.sessions.clone()
    }

    fn is(&self, other: &[u8]) -> bool {
        self.text.as_bytes().ct_eq(other).into()
    }

    /// Whether a secret is the token, or one of its sessions.
    fn opens(&self, secret: &[u8]) -> Result<bool, Fault> {
        match &self.sessions {
            _ if self.is(secret) => Ok(true),
            Some(sessions) => sessions.check(secret),
            None => Ok(false),
        }
    }
}

/// Compares tokens and counts failures.
#[derive(Debug)]
pub struct TokenGate {
    token: Token,
    failures: FailedAttempts,
}

impl TokenGate {
    /// A gate that accepts this token.
    #[must_use]
    pub fn new(token: Token) -> Self {
        Self {
            token,
            failures: FailedAttempts::default(),
        }
    }

    /// Checks the `Authorization` header. The token is compared before the attempts are checked: behind a
    /// proxy or a router many clients share one address, and wrong tokens of one client must not lock out the
    /// others.
    ///
    /// # Errors
    /// [`Fault::Unauthorized`] without the token, [`Fault::TooManyAttempts`] instead of it after ten wrong
    /// ones from the same address within a minute (a missing one is not counted), and [`Fault::OpenedTwice`] with the
    /// session of an address that was.
    pub fn check(&self, headers: &HeaderMap, client: Option<IpAddr>) -> Result<(), Fault> {
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let (Some(value), None) = (given.next(), given.next()) else {
            return Err(Fault::Unauthorized);
        };
        let value = value.as_bytes();
        let (scheme, secret) = value.split_at(value.len().min(7));
        if scheme.eq_ignore_ascii_case(b"bearer ") && self.token.opens(secret)? {
            return Ok(());
        }
        self.failures
            .count(client.unwrap_or(Ipv4Addr::UNSPECIFIED.into()))?;
        Err(Fault::Unauthorized)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn gate() -> TokenGate {
        TokenGate::new(Token::from_flag("0123456789abcdef").unwrap())
    }

    fn authorize(gate: &TokenGate, value: &'static str, peer: u8) -> Result<(), u16> {
        let mut headers = HeaderMap::new();
        if !value.is_empty() {
            headers.insert(AUTHORIZATION, HeaderValue::from_static(value));
        }
        let peer = IpAddr::from([10, 0, 0, peer]);
        gate.check(&headers, Some(peer))
            .map_err(|fault| fault.status())
    }

    #[test]
    fn only_the_token_opens() {
        let gate = gate();
        assert_eq!(authorize(&gate, "Bearer 0123456789abcdef", 1), Ok(()));
        assert_eq!(authorize(&gate, "bearer 0123456789abcdef", 1), Ok(()));
        for wrong in [
            "",
            "0123456789abcdef",
            "Bearer",
            "Bearer ",
            "Bearer 0123456789abcdeF",
            "Bearer 0123456789abcdef0",
            "Basic 0123456789abcdef",
        ] {
            assert_eq!(authorize(&gate, wrong, 1), Err(401), "{wrong}");
        }
    }

    #[test]
    fn after_ten_wrong_ones_an_address_is_told_to_wait_and_the_right_one_passes() {
        let gate = gate();
        for _ in 0..20 {
            assert_eq!(authorize(&gate, "", 1), Err(401));
        }
        for _ in 0..10 {
            assert_eq!(authorize(&gate, "Bearer nonsense", 1), Err(401));
        }
        assert_eq!(authorize(&gate, "Bearer nonsense", 1), Err(429));
        assert_eq!(authorize(&gate, "Bearer nonsense", 2), Err(401));
        assert_eq!(authorize(&gate, "", 1), Err(401));
        for _ in 0..3 {
            assert_eq!(authorize(&gate, "Bearer 0123456789abcdef", 1), Ok(()));
            assert_eq!(
                authorize(&gate, "Bearer nonsense", 1),
                Err(429),
                "not forgotten"
            );
        }
    }

    #[test]
    fn weak_tokens_are_refused_and_made_ones_are_long() {
        for weak in ["", "short", "with blanks in between", "0123456789abcde#"] {
            assert!(Token::from_flag(weak).is_err(), "{weak}");
        }
        let (one, two) = (
            Token::from_flag("auto").unwrap(),
            Token::from_flag("auto").unwrap(),
        );
        assert_ne!(one, two);
        assert_eq!(one.made().unwrap().len(), 64);
        assert!(!format!("{one:?}").contains(&one.text));
    }
}
