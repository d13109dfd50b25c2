//! An excerpt of a message around the words that found it.

/// The byte offset of the first match of `bytes` in `among`, ignoring ASCII case.
pub(crate) fn find_ignore_case(among: &[u8], bytes: &[u8]) -> Option<usize> {
    let mut places = among.windows(bytes.len().max(1));
    places.position(|place| place.eq_ignore_ascii_case(bytes))
}

/// One line of a message: the text around the first match of `words`, or its beginning.
pub fn excerpt(text: &str, words: &[String]) -> String {
    const BEFORE: usize = 16;
    const LONGEST: usize = 64;
    let found = words
        .iter()
        .find_map(|word| find_ignore_case(text.as_bytes(), word.as_bytes()));
    // A match far from the beginning: start at a word boundary shortly before it.
    let from = found.filter(|at| *at > LONGEST / 2).map_or(0, |at| {
        let before = text.get(..at).unwrap_or_default();
        let before = before.char_indices().rev().take(BEFORE);
        let blank = before.filter(|(_, c)| c.is_whitespace()).last();
        blank.map_or(at, |(place, _)| place)
    });
    let mut out = String::new();
    let mut left = LONGEST;
    for c in text.get(from..).unwrap_or_default().chars() {
        let c = if c.is_whitespace() { ' ' } else { c };
        // Markdown markers carry no meaning in an excerpt.
        let fresh = out.is_empty() || out.ends_with(' ');
        if matches!(c, '*' | '`') || fresh && matches!(c, ' ' | '#' | '>') {
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        out.push(c);
    }
    let before = if from > 0 { "… " } else { "" };
    let after = if left == 0 { "…" } else { "" };
    format!("{before}{}{after}", out.trim_end())
}
