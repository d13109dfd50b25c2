//! The name of a browser, by which a person tells it from the others that write the backup. It has no words of a language: each
//! browser reads the names of all.

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

/// The name of the browser with this user agent: *Firefox (Linux)*; empty for one that does not tell what it is.
#[must_use]
pub fn browser_name(user_agent: &str) -> String {
    let found = |known: &[(&str, &'static str)]| {
        let found = known.iter().find(|(part, _)| user_agent.contains(part));
        found.map(|(_, name)| *name)
    };
    match (found(&BROWSERS), found(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} ({system})"),
        (one, other) => one.or(other).unwrap_or_default().to_owned(),
    }
}
