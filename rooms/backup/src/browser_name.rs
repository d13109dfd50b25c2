//! The name of a browser, by which a person tells it from the others that write the backup.

use sash_words::{plain_t, t};

/// Browsers by what their user agents have; most name others behind themselves.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Vivaldi/", "Vivaldi"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];
/// Systems by what user agents have.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// The name of the browser with this user agent: *Firefox on Linux*.
#[must_use]
pub fn browser_name(user_agent: &str) -> String {
    let found = |known: &[(&str, &'static str)]| {
        let found = known.iter().find(|(part, _)| user_agent.contains(part));
        found.map(|(_, name)| *name)
    };
    match (found(&BROWSERS), found(&SYSTEMS)) {
        (Some(browser), Some(system)) => {
            plain_t!(backup.browser_named, browser = browser, system = system)
        }
        (one, other) => one
            .or(other)
            .unwrap_or(t!(backup.browser_nameless))
            .to_owned(),
    }
}
