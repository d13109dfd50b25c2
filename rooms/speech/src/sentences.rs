//! Splits a text into what is spoken at once.

use std::ops::Range;

/// The longest part, in bytes of UTF-8: Chromium breaks off what it speaks for longer than 15 seconds. Bytes, and not
/// characters, because a Chinese character takes three of them and about as much longer to say.
const MAX_BYTES: usize = 160;

/// The sentences of a text, in order, without the space around them. A long one is split between its words. A line ends
/// a sentence, because headings and the items of lists have no full stop.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let is_end = match char {
            '\n' | '。' | '！' | '？' => true,
            // 3.5 and example.com go on.
            '.' | '!' | '?' | '…' | ':' | ';' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if is_end {
            let end = at + char.len_utf8();
            push(text, start..end, &mut found);
            start = end;
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

/// Adds a sentence, in parts that are short enough. What has no letter and no digit is not spoken.
fn push(text: &str, at: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut rest = trimmed(text, at);
    while rest.len() > MAX_BYTES {
        let limit = (rest.start..=rest.start + MAX_BYTES)
            .rev()
            .find(|end| text.is_char_boundary(*end))
            .unwrap_or(rest.end);
        let part = &text[rest.start..limit];
        let space = part.rfind([',', '–']).map(|at| at + 1);
        let space = space.filter(|at| *at > MAX_BYTES / 2 && part.is_char_boundary(*at));
        let cut = space.or_else(|| part.rfind(char::is_whitespace));
        let cut = rest.start + cut.filter(|at| *at > 0).unwrap_or(part.len());
        add(text, trimmed(text, rest.start..cut), found);
        rest = trimmed(text, cut..rest.end);
    }
    add(text, rest, found);
}

fn add(text: &str, at: Range<usize>, found: &mut Vec<Range<usize>>) {
    if text[at.clone()].contains(char::is_alphanumeric) {
        found.push(at);
    }
}

fn trimmed(text: &str, at: Range<usize>) -> Range<usize> {
    let part = &text[at.clone()];
    let start = at.end - part.trim_start().len();
    start..start + text[start..at.end].trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn sentences_end_at_their_marks_and_at_lines() {
        check(
            "It is 3.5 km. See example.com! A heading\nand an item\n\n***\n",
            &[
                "It is 3.5 km.",
                "See example.com!",
                "A heading",
                "and an item",
            ],
        );
        check("我来了。你呢？", &["我来了。", "你呢？"]);
        check("  ", &[]);
        check("", &[]);
    }

    #[test]
    fn a_long_sentence_is_split_between_its_words_and_nothing_is_lost() {
        let words = "word ".repeat(200);
        let found = sentences(&words);
        assert!(found.iter().all(|at| at.len() <= MAX_BYTES));
        let joined: Vec<&str> = found.iter().map(|at| &words[at.clone()]).collect();
        assert_eq!(joined.join(" "), words.trim());
        // Without any space it is split between characters.
        for letter in ["é", "漢", "a"] {
            let text = letter.repeat(500);
            let found = sentences(&text);
            assert!(found.iter().all(|at| at.len() <= MAX_BYTES));
            assert_eq!(
                found.iter().map(ExactSizeIterator::len).sum::<usize>(),
                text.len()
            );
        }
        // A comma in the second half is a better place than the last space.
        let half = "word ".repeat(20);
        let text = format!("{half}comma, {}", "more ".repeat(20));
        assert!(text[sentences(&text)[0].clone()].ends_with("comma,"));
    }
}
