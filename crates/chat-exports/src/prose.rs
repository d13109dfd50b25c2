//! Walks over a text in Markdown and changes what is not code: marks that an answer quotes as code stay as they are.

/// How far the end of a code span is searched, in bytes: without a limit, many marks without a partner would take time
/// that grows with the square of the text.
const MAX_SPAN_BYTES: usize = 10_000;
/// How many bytes of quote and list marks may stand before a fence.
const MAX_INDENT_BYTES: usize = 20;

/// Copies a text and calls `change` at each of the characters `starts` outside of code. It gets the text that is copied so
/// far and the place of the character; when it writes something else there, it returns where the text goes on.
pub fn change_prose(
    text: &str,
    starts: &[char],
    mut change: impl FnMut(&mut String, usize) -> Option<usize>,
) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut at, mut copied) = (0, 0);
    while let Some((found, c)) = text.get(at..).and_then(|rest| {
        let mut places = rest.char_indices();
        places.find(|(_, c)| matches!(c, '`' | '~') || starts.contains(c))
    }) {
        at += found;
        if matches!(c, '`' | '~') {
            at = after_code(text, at);
            continue;
        }
        out.push_str(text.get(copied..at).unwrap_or_default());
        copied = at;
        match change(&mut out, at) {
            Some(next) => {
                at = next.max(at + c.len_utf8());
                copied = at;
            }
            None => at += c.len_utf8(),
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}

/// The paragraphs of a text. Blank lines within a fence divide nothing.
pub fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let (mut parts, mut from, mut at, mut fenced) = (Vec::new(), 0, 0, 0);
    for line in text.split_inclusive('\n') {
        let before = at;
        at += line.len();
        if before < fenced {
            continue;
        }
        let mark = line.char_indices().find(|(_, c)| matches!(c, '`' | '~'));
        if let Some((place, mark)) = mark.filter(|(place, _)| begins_line(text, before + place)) {
            let run = line.get(place..).unwrap_or_default();
            let length = run.len() - run.trim_start_matches(mark).len();
            // Code within a line ends nowhere but in its paragraph.
            if length >= 3 {
                fenced = after_code(text, before + place);
            }
        } else if line.trim().is_empty() {
            parts.extend(text.get(from..before));
            from = at;
        }
    }
    parts.extend(text.get(from..));
    let parts = parts.into_iter().map(|part| part.trim_end());
    parts.filter(|part| !part.is_empty())
}

/// Drops the blank before something that is left out, if another one or the end of the sentence follows in `rest`.
pub fn drop_blank(out: &mut String, rest: &str) {
    let next = rest.chars().next();
    let is_end =
        next.is_none_or(|c| c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | '!' | '?'));
    if is_end && out.ends_with(' ') {
        out.pop();
    }
}

/// The place after the code that begins with the mark at `at`, or after the mark where no code begins.
fn after_code(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let mark = rest.chars().next().unwrap_or('`');
    let length = rest.len() - rest.trim_start_matches(mark).len();
    let after = at + length;
    let rest = text.get(after..).unwrap_or_default();
    let info = rest.lines().next().unwrap_or_default();
    if length >= 3 && begins_line(text, at) && !(mark == '`' && info.contains('`')) {
        return after_fence(text, after, mark, length);
    }
    match mark {
        '`' => after + after_span(rest, length).unwrap_or_default(),
        _ => after,
    }
}

/// Whether only blanks and the marks of quotes and lists are before a place in its line.
fn begins_line(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default().iter().rev();
    let mut before = before.take(MAX_INDENT_BYTES).skip_while(|byte| {
        matches!(byte, b' ' | b'\t' | b'>' | b'-' | b'*' | b'+' | b'.' | b')')
            || byte.is_ascii_digit()
    });
    before.next().is_none_or(|byte| *byte == b'\n')
}

fn after_fence(text: &str, from: usize, mark: char, length: usize) -> usize {
    let mut at = from;
    for line in text.get(from..).unwrap_or_default().split_inclusive('\n') {
        at += line.len();
        let line = line.trim_start_matches([' ', '\t', '>']).trim_end();
        if line.len() >= length && line.chars().all(|c| c == mark) {
            return at;
        }
    }
    text.len()
}

/// The length up to the end of the code span whose text begins `rest`. A paragraph's end is the end of the search.
fn after_span(rest: &str, length: usize) -> Option<usize> {
    let mut at = 0;
    while at < MAX_SPAN_BYTES {
        let found = rest.get(at..)?.find(['`', '\n'])?;
        at += found;
        let here = rest.get(at..)?;
        if here.starts_with('\n') {
            if here
                .get(1..)?
                .trim_start_matches([' ', '\t'])
                .starts_with('\n')
            {
                return None;
            }
            at += 1;
            continue;
        }
        let run = here.len() - here.trim_start_matches('`').len();
        at += run;
        if run == length {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str) -> String {
        change_prose(text, &['x'], |out, at| {
            out.push('-');
            Some(at + 1)
        })
    }

    #[test]
    fn code_is_left_alone() {
        for (text, expected) in [
            ("axa", "a-a"),
            ("x `x` x", "- `x` -"),
            ("`` x`x `` x", "`` x`x `` -"),
            ("x ` x", "- ` -"),
            ("` x\n\nx `", "` -\n\n- `"),
            ("```\nx\n```\nx", "```\nx\n```\n-"),
            ("> ```rust\n> x\n> ```\n> x", "> ```rust\n> x\n> ```\n> -"),
            ("- ~~~\n  x `\n  ~~~\nx", "- ~~~\n  x `\n  ~~~\n-"),
            ("```\nx", "```\nx"),
            ("~~x~~", "~~-~~"),
            ("```a` x", "```a` -"),
            ("", ""),
        ] {
            assert_eq!(changed(text), expected, "{text}");
        }
    }

    #[test]
    fn paragraphs_end_at_blank_lines_outside_of_fences() {
        for (text, expected) in [
            ("a\nb\n\nc", &["a\nb", "c"] as &[&str]),
            ("a\n \n\n\nb\n", &["a", "b"]),
            ("```\na\n\nb\n```\n\nc", &["```\na\n\nb\n```", "c"]),
            (
                "- ~~~\n  a\n\n  ~~~\nb\n\nc",
                &["- ~~~\n  a\n\n  ~~~\nb", "c"],
            ),
            ("a `b\n\nc` d", &["a `b", "c` d"]),
            ("```\na\n\nb", &["```\na\n\nb"]),
            ("", &[]),
        ] {
            assert_eq!(paragraphs(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn marks_without_a_partner_take_no_more_than_their_length() {
        let runs: String = (1..1_500).map(|n| "`".repeat(n) + "x").collect();
        assert_eq!(changed(&runs).matches('-').count(), 1_499);
    }
}
