//! The names of browsers.

use crate::browser_name::browser_name;

#[test]
fn a_browser_is_named_by_what_a_person_calls_it_and_the_system() {
    let mozilla = "Mozilla/5.0";
    let webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
    for (agent, name) in [
        (
            format!("{mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
            "Firefox (Linux)",
        ),
        (
            format!("{mozilla} (Windows NT 10.0; Win64) {webkit} Chrome/140.0 Safari/537.36"),
            "Chrome (Windows)",
        ),
        (
            format!("{mozilla} (Windows NT 10.0) {webkit} Chrome/140.0 Safari/537.36 Edg/140.0"),
            "Edge (Windows)",
        ),
        (
            format!("{mozilla} (Linux; Android 15) {webkit} Chrome/140.0 Mobile Safari/537.36"),
            "Chrome (Android)",
        ),
        (
            format!("{mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) {webkit} Safari/604.1"),
            "Safari (iPhone)",
        ),
        (
            format!("{mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) FxiOS/140.0 Safari/605"),
            "Firefox (iPhone)",
        ),
        (
            format!("{mozilla} (Macintosh; Intel Mac OS X 10_15_7) {webkit} Safari/605.1.15"),
            "Safari (macOS)",
        ),
        ("Something/1.0 (Linux)".to_owned(), "Linux"),
        (String::new(), ""),
    ] {
        assert_eq!(browser_name(&agent), name, "{agent}");
    }
}
