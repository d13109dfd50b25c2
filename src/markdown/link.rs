//! Which destinations may become links. The rules are strict, not complete: what is not plainly a
//! web or mail address is shown as text (relative addresses, user info, odd slashes, hosts that
//! are not ASCII). Small on purpose: the `url` crate would double the parser's share of the page.

use super::hidden::is_hidden;

/// A checked destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The address: `http:`, `https:` or `mailto:`.
    pub href: String,
    /// Where it leads, for the reader: host and port, or the mail address.
    pub host: String,
}

/// Checks a destination in which entities and escapes are already decoded, which is what the
/// parser gives (`&#106;avascript:` arrives as `javascript:`).
pub(super) fn check(destination: &str) -> Option<Destination> {
    let text = destination.trim_matches(|c: char| c <= ' ');
    let odd = |c: char| c.is_control() || c == '\\' || is_hidden(c);
    if text.len() > 2048 || text.contains(odd) {
        return None;
    }
    let (scheme, rest) = text.split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    let host = match scheme.as_str() {
        "http" | "https" => authority(rest.strip_prefix("//")?)?,
        "mailto" => mailbox(rest)?,
        _ => return None,
    };
    Some(Destination {
        href: format!("{scheme}:{}", rest.replace(' ', "%20")),
        host: host.to_ascii_lowercase(),
    })
}

/// Host and port of what follows `//`.
fn authority(rest: &str) -> Option<&str> {
    let authority = rest.split(['/', '?', '#']).next()?;
    let (host, port) = match authority.rfind(':') {
        Some(at) if !authority.ends_with(']') => (&authority[..at], &authority[at + 1..]),
        _ => (authority, "0"),
    };
    let number = !port.is_empty() && port.len() <= 5 && port.bytes().all(|b| b.is_ascii_digit());
    let name = match host.strip_prefix('[') {
        Some(v6) => {
            let v6 = v6.strip_suffix(']')?;
            v6.contains(':')
                && v6
                    .bytes()
                    .all(|b| b.is_ascii_hexdigit() || b":.".contains(&b))
        }
        None => {
            host.bytes().any(|b| b.is_ascii_alphanumeric())
                && host
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
        }
    };
    (number && name).then_some(authority)
}

/// The address of what follows `mailto:`.
fn mailbox(rest: &str) -> Option<&str> {
    let address = rest.split('?').next()?;
    let (user, host) = address.split_once('@')?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"!#$&'*+-._~=%".contains(&b);
    let ok = !user.is_empty() && user.bytes().all(plain) && authority(host) == Some(host);
    ok.then_some(address)
}

/// The first bare web address in `text`, as a range of bytes; ends are trimmed as GFM's autolinks.
pub(super) fn find_bare(text: &str) -> Option<std::ops::Range<usize>> {
    let mut from = 0;
    while let Some(at) = text[from..].find("://").map(|at| at + from) {
        from = at + 3;
        let Some(scheme) = ["https", "http"].iter().find(|s| text[..at].ends_with(**s)) else {
            continue;
        };
        let start = at - scheme.len();
        if text[..start].ends_with(|c: char| c.is_ascii_alphanumeric()) {
            continue;
        }
        let stop = |c: char| {
            let wide = matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}');
            wide || c.is_whitespace() || c.is_control() || "<>\"`|\\".contains(c)
        };
        let end = text[from..]
            .find(|c| stop(c) || is_hidden(c))
            .map_or(text.len(), |e| from + e);
        let inner = start..start + trimmed(&text[start..end]);
        if check(&text[inner.clone()]).is_some() {
            return Some(inner);
        }
        from = end; // not to look at the same letters twice
    }
    None
}

/// The length of an address without the punctuation of the sentence around it.
fn trimmed(address: &str) -> usize {
    let count = |c: char| address.matches(c).count();
    let mut unclosed = [(')', '(', 0), (']', '[', 0)]
        .map(|(close, open, _)| (close, count(close).saturating_sub(count(open))));
    let mut end = address.len();
    while let Some(c) = address[..end].chars().next_back() {
        let spare = unclosed.iter_mut().find(|(close, n)| *close == c && *n > 0);
        match spare {
            Some((_, n)) => *n -= 1,
            None if "?!.,:;*_~'".contains(c) => {}
            None => break,
        }
        end -= c.len_utf8();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lets_plain_addresses_through() {
        for (text, href, host) in [
            ("https://example.com", "https://example.com", "example.com"),
            (
                " HTTPS://Example.com/A b?c#d ",
                "https://Example.com/A%20b?c#d",
                "example.com",
            ),
            (
                "http://localhost:11434/api",
                "http://localhost:11434/api",
                "localhost:11434",
            ),
            ("http://[::1]:80/", "http://[::1]:80/", "[::1]:80"),
            ("http://[::1]/", "http://[::1]/", "[::1]"),
            (
                "mailto:a.b@example.com?subject=x",
                "mailto:a.b@example.com?subject=x",
                "a.b@example.com",
            ),
        ] {
            let host = host.to_owned();
            let href = href.to_owned();
            assert_eq!(check(text), Some(Destination { href, host }), "{text}");
        }
    }

    #[test]
    fn stops_everything_else() {
        for text in [
            "",
            "a",
            "/a",
            "./a",
            "#a",
            "?a",
            "//example.com",
            "\\\\example.com",
            "https:example.com",
            "https:/example.com",
            "https:///example.com",
            "https:\\\\example.com",
            "https://",
            "https://user@example.com",
            "https://a:b@example.com",
            "https://example.com\\@evil.com",
            "https://exa mple.com",
            "https://%65vil.com",
            "https://ex\u{430}mple.com",
            "https://.",
            "https://a:b",
            "https://a:",
            "https://a:123456",
            "https://[::1",
            "https://[a]",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "java\tscript:alert(1)",
            "\u{1}javascript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "ftp://a",
            "blob:https://a/b",
            "https://example.com/\u{202e}gpj",
            "https://a\n.com",
            "mailto:",
            "mailto:a",
            "mailto:a@b c",
            "mailto:a@b,c@d",
            "mailto://a@b",
            "tel:1",
            "view-source:https://a",
            "intent://a",
        ] {
            assert_eq!(check(text), None, "{text}");
        }
        assert_eq!(check(&format!("https://a/{}", "a".repeat(3000))), None);
    }

    #[test]
    fn finds_bare_addresses() {
        for (text, found) in [
            ("see https://a.b/c_(d), and", Some("https://a.b/c_(d)")),
            ("(https://a.b/c)", Some("https://a.b/c")),
            ("((https://a.b))).", Some("https://a.b")),
            ("**http://a.b**", Some("http://a.b")),
            ("xhttps://a.b http://c.d", Some("http://c.d")),
            ("https://u@a.b", None),
            ("\u{770b}https://a.b/c\u{3002}", Some("https://a.b/c")),
            ("http://http://http:// https://a.b", Some("https://a.b")),
            ("ftp://a.b :// http:// https://", None),
            ("https://a.b\u{202e}c", Some("https://a.b")),
        ] {
            assert_eq!(find_bare(text).map(|at| &text[at]), found, "{text}");
        }
    }
}
