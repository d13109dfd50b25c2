//! Destinations that may become links. The rules are strict rather than complete: anything that is not
//! clearly a web or mail address is shown as text (relative addresses, user info, unusual slashes, hosts that
//! are not ASCII). A small check on purpose: the `url` crate would double the parser's share of the page.

use super::hidden::is_hidden;
use super::work::searched;
use std::ops::Range;

/// A checked destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The address: `http:`, `https:` or `mailto:`.
    pub href: String,
    /// The destination as shown to the reader: host and port, or the mail address.
    pub host: String,
}

/// Checks a destination whose entities and escapes are already decoded, as the parser returns it
/// (`&#106;avascript:` arrives as `javascript:`).
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

/// Host and port of the text after `//`.
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

/// The address of the text after `mailto:`.
fn mailbox(rest: &str) -> Option<&str> {
    let address = rest.split('?').next()?;
    let (user, host) = address.split_once('@')?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"!#$&'*+-._~=%".contains(&b);
    let ok = !user.is_empty() && user.bytes().all(plain) && authority(host) == Some(host);
    ok.then_some(address)
}

/// A bare address in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bare {
    /// Its byte range.
    pub at: Range<usize>,
    /// Its destination.
    pub to: String,
}

/// The first bare address in `text`: `http://`, `https://`, `www.` or a mail address, as in GFM's extended
/// autolinks, with two differences: a host needs no dot (`http://localhost:11434`), and full-width
/// punctuation ends an address, because Chinese and Japanese put no spaces around it.
pub(super) fn find_bare(text: &str) -> Option<Bare> {
    let mut from = 0;
    while let Some(at) = text[from..].find([':', '.', '@']).map(|at| at + from) {
        from = at + 1;
        let before = &text[..at];
        let found = match text.as_bytes()[at] {
            b':' if text[at..].starts_with("://") => {
                let scheme = ["https", "http"].iter().find(|s| before.ends_with(**s));
                let Some(scheme) = scheme else { continue };
                let start = at - scheme.len();
                let inside = before[..start].ends_with(|c: char| c.is_ascii_alphanumeric());
                (!inside).then(|| (start, address_end(text, at + 3), ""))
            }
            b'.' if before.ends_with("www") => {
                let start = at - 3;
                let outside = before[..start].chars().next_back();
                let outside = outside
                    .is_none_or(|c| !c.is_ascii() || c.is_whitespace() || "*_~(".contains(c));
                // Scan a word of many addresses once, not once for each of them.
                let end = if outside {
                    address_end(text, start)
                } else {
                    from
                };
                let dotted = text[from..end].contains('.');
                dotted.then_some((start, end, "http://"))
            }
            b'@' => mail_around(text, at).map(|range| (range.start, range.end, "mailto:")),
            _ => None,
        };
        let Some((start, end, scheme)) = found else {
            continue;
        };
        let end = match scheme {
            "mailto:" => end,
            _ => start + trimmed(&text[start..end]),
        };
        let to = format!("{scheme}{}", &text[start..end]);
        if check(&to).is_some() {
            return Some(Bare { at: start..end, to });
        }
        from = from.max(end); // so that the same characters are not scanned twice
    }
    None
}

/// The latest possible end of an address that continues at `from`.
fn address_end(text: &str, from: usize) -> usize {
    let end = text[from..].find(ends_address);
    let end = end.map_or(text.len(), |end| from + end);
    searched(end - from);
    end
}

/// Start of the last word of a text, which may be an address that still grows.
pub(super) fn last_word(text: &str) -> usize {
    let rest = text.rsplit(ends_address).next();
    let length = rest.map_or(0, str::len);
    searched(length);
    text.len() - length
}

fn ends_address(c: char) -> bool {
    let wide = matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}');
    wide || c.is_whitespace() || c.is_control() || "<>\"`|\\".contains(c) || is_hidden(c)
}

/// The mail address around the `@` at `at`.
fn mail_around(text: &str, at: usize) -> Option<Range<usize>> {
    let name = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    let host = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    // Addresses are not longer, and a text of many `@` must not be scanned again for each of them.
    let user: usize = text[..at]
        .chars()
        .rev()
        .take(64)
        .take_while(|c| name(*c))
        .count();
    let rest = &text[at + 1..];
    let length = rest.chars().take(255).take_while(|c| host(*c)).count();
    let found = rest[..length].trim_end_matches('.');
    let whole =
        user > 0 && found.contains('.') && !found.contains("..") && !found.ends_with(['-', '_']);
    whole.then(|| at - user..at + 1 + found.len())
}

/// The length of an address without trailing punctuation of the sentence.
fn trimmed(address: &str) -> usize {
    let count = |c: char| address.matches(c).count();
    let mut unclosed = [(')', '(', 0), (']', '[', 0)]
        .map(|(close, open, _)| (close, count(close).saturating_sub(count(open))));
    let mut end = address.len();
    while let Some(c) = address[..end].chars().next_back() {
        let spare = unclosed.iter_mut().find(|(close, n)| *close == c && *n > 0);
        match spare {
            Some((_, n)) => *n -= 1,
            None if c == ';' => {
                // A trailing entity is removed completely.
                let name = address[..end - 1].trim_end_matches(|c: char| c.is_ascii_alphanumeric());
                if name.len() < end - 1 && name.ends_with('&') {
                    end = name.len();
                }
            }
            None if "?!.,:*_~'".contains(c) => {}
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
            ("(www.a.b/c&d;)", Some("www.a.b/c")),
            ("xwww.a.b www. www.a", None),
            ("to a.b+c@d-e.f_g.h. and", Some("a.b+c@d-e.f_g.h")),
            ("a@b @c.d e@f- g@h.i_", None),
        ] {
            assert_eq!(
                find_bare(text).map(|found| &text[found.at]),
                found,
                "{text}"
            );
        }
    }
}
