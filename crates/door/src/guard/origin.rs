//! Detects requests of other pages. Browsers send `Sec-Fetch-Site`, or at least `Origin` (over plain HTTP in
//! a network); scripts send neither.

use axum::http::HeaderMap;
use axum::http::header::ORIGIN;
use sash_wire::Fault;

/// Checks the headers of a request under `/api`.
///
/// `https_too`: the host is a configured name, where a proxy may use https. `anonymous`: requests with
/// neither header are accepted, because only this machine can connect or a token is required.
///
/// # Errors
/// [`Fault::ForeignOrigin`].
pub fn check(
    headers: &HeaderMap,
    host: &str,
    https_too: bool,
    anonymous: bool,
) -> Result<(), Fault> {
    let mut sites = headers.get_all("sec-fetch-site").iter();
    let ours = match (sites.next(), sites.next()) {
        (Some(site), None) => site == "same-origin",
        (Some(_), Some(_)) => false,
        (None, _) => {
            let mut origins = headers.get_all(ORIGIN).iter();
            match (origins.next(), origins.next()) {
                (None, _) => anonymous,
                (Some(origin), None) => is_ours(origin.to_str().unwrap_or("null"), host, https_too),
                (Some(_), Some(_)) => false,
            }
        }
    };
    ours.then_some(()).ok_or(Fault::ForeignOrigin)
}

/// Whether the origin's scheme, host and port are those of the page that this request belongs to.
fn is_ours(origin: &str, host: &str, https_too: bool) -> bool {
    let plain = origin.strip_prefix("http://");
    let secure = origin.strip_prefix("https://").filter(|_| https_too);
    plain
        .or(secure)
        .is_some_and(|name| name.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn passes(headers: &[(&'static str, &'static str)], https_too: bool, anonymous: bool) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        check(&map, "127.0.0.1:7274", https_too, anonymous).is_ok()
    }

    const OURS: (&str, &str) = ("origin", "http://127.0.0.1:7274");
    const SITE: &str = "sec-fetch-site";

    #[test]
    fn the_browser_says_whose_page_it_is() {
        assert!(passes(&[(SITE, "same-origin")], false, false));
        assert!(passes(
            &[(SITE, "same-origin"), ("origin", "http://evil.example")],
            false,
            false
        ));
        for site in [
            "none",
            "same-site",
            "cross-site",
            "",
            "SAME-ORIGIN",
            "same-origin, same-origin",
        ] {
            assert!(!passes(&[(SITE, site), OURS], false, true), "{site}");
        }
        assert!(!passes(
            &[(SITE, "same-origin"), (SITE, "same-origin")],
            false,
            true
        ));
    }

    #[test]
    fn without_it_the_origin_must_be_exactly_ours() {
        assert!(passes(&[OURS], false, false));
        for origin in [
            "null",
            "http://evil.example",
            "http://127.0.0.1",
            "http://127.0.0.1:7275",
            "https://127.0.0.1:7274",
            "http://localhost:7274",
            "http://127.0.0.1:7274/",
            "127.0.0.1:7274",
            "",
        ] {
            assert!(!passes(&[("origin", origin)], false, true), "{origin}");
        }
        assert!(!passes(&[OURS, OURS], false, true));
        assert!(passes(&[("origin", "https://127.0.0.1:7274")], true, false));
    }

    #[test]
    fn a_script_sends_neither_and_passes_where_strangers_cannot() {
        assert!(passes(&[], false, true));
        assert!(!passes(&[], false, false));
    }
}
