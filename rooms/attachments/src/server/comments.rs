//! Comments of pages and of their styles.

/// A text without its comments, each between these marks.
pub fn without_comments(text: &str, begin: &str, end: &str) -> String {
    let mut parts = text.split(begin);
    let mut out = parts.next().unwrap_or_default().to_owned();
    out.extend(parts.filter_map(|part| Some(part.split_once(end)?.1)));
    out
}
