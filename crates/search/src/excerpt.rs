//! An excerpt of a message around the words that found it.

/// The byte offset of the first match of `bytes` in `among`, ignoring ASCII case.
#[must_use]
pub fn find_ignore_case(among: &[u8], bytes: &[u8]) -> Option<usize> {
    let mut places = among.windows(bytes.len().max(1));
    places.position(|place| place.eq_ignore_ascii_case(bytes))
}

/// One line of a message: the text around the first match of `words`, or its beginning.
#[must_use]
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, words: &[&str], expect: &str) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(excerpt(text, &words), expect);
    }

    #[test]
    fn an_excerpt_is_the_beginning_or_what_is_around_the_first_match_on_one_line() {
        check(
            "## **Red** wine\n\n> goes `with` it",
            &[],
            "Red wine goes with it",
        );
        check("Red wine", &["WINE"], "Red wine");
        let long = format!("{}the cellar is cold", "word ".repeat(40));
        check(&long, &["cellar"], "… word word the cellar is cold");
        check(
            &"word ".repeat(40),
            &["other"],
            &format!("{}…", "word ".repeat(13).get(..64).unwrap()),
        );
    }

    #[test]
    fn a_match_is_found_whatever_its_case_and_an_empty_text_has_none() {
        assert_eq!(
            find_ignore_case("Füße Und Hände".as_bytes(), b"und"),
            Some(7)
        );
        assert_eq!(find_ignore_case(b"", b"abc"), None);
    }
}
