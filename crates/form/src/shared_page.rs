//! The records in the page of a shared chat.

/// What stands before the records in the page.
pub const DATA_START: &str = "<template id=\"sash-chat\">\n";
/// What stands behind them.
pub const DATA_END: &str = "</template>";

/// The records in a shared page; any other text is returned unchanged.
#[must_use]
pub fn records_in(text: String) -> String {
    let is_page = text
        .get(..15)
        .is_some_and(|start| start.eq_ignore_ascii_case("<!doctype html>"));
    let data = text
        .split_once(DATA_START)
        .and_then(|(_, rest)| rest.rsplit_once(DATA_END))
        .filter(|_| is_page);
    match data {
        // The inverse of `escape`; `&amp;` last, because it is in what the others stand for.
        Some((records, _)) => records
            .replace("&#13;", "\r")
            .replace("&quot;", "\"")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&"),
        None => text,
    }
}
