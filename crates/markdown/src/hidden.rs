//! Bidi controls and tag characters: invisible, and used to hide prompts and to reorder code.
//!
//! Zero-width joiners and the two plain direction marks stay: scripts and emoji need them.

/// Whether a character must be shown as a mark.
pub(super) fn is_hidden(c: char) -> bool {
    is_tag(c) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// The length in bytes of the run of hidden characters that `text` begins with, at most 1,000 of them; a run
/// is one mark.
pub(super) fn run_len(text: &str) -> usize {
    let hidden = text.chars().take(1000).take_while(|c| is_hidden(*c));
    hidden.map(char::len_utf8).sum()
}

/// How many different characters of a run are named.
const MAX_NAMED_CHARS: usize = 8;

/// The description shown in place of a hidden run, with Unicode's names; the text that tag characters encode
/// is spelled out.
pub fn describe(run: &str) -> String {
    let mut words = Vec::new();
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        // Consecutive tag characters encode one text.
        let same = |c: &char| *c == first || is_tag(*c) && is_tag(first);
        let length = rest.chars().take_while(same).map(char::len_utf8).sum();
        let (group, after) = rest.split_at(length);
        if words.len() == MAX_NAMED_CHARS {
            words.push(format!("{} more", rest.chars().count()));
            break;
        }
        words.push(match (name(first), group.chars().count()) {
            (Some(name), 1) => name.to_owned(),
            (Some(name), count) => format!("{name} × {count}"),
            (None, _) => format!("hidden text: {}", spelled(group)),
        });
        rest = after;
    }
    words.join(", ")
}

/// The text that tag characters encode.
fn spelled(tags: &str) -> String {
    let ascii = |c| char::from_u32(u32::from(c) - 0xe0000);
    let letters = tags.chars().filter(|c| is_tag(*c)).filter_map(ascii);
    letters.filter(|c| !c.is_control()).collect()
}

/// Unicode's name of a bidi control.
fn name(c: char) -> Option<&'static str> {
    Some(match u32::from(c) {
        0x202a => "U+202A left-to-right embedding",
        0x202b => "U+202B right-to-left embedding",
        0x202c => "U+202C pop directional formatting",
        0x202d => "U+202D left-to-right override",
        0x202e => "U+202E right-to-left override",
        0x2066 => "U+2066 left-to-right isolate",
        0x2067 => "U+2067 right-to-left isolate",
        0x2068 => "U+2068 first strong isolate",
        0x2069 => "U+2069 pop directional isolate",
        _ => return None,
    })
}

/// The text with short codes in brackets in place of hidden characters, for text with too many of them for
/// marks.
pub(super) fn coded(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_hidden)
        && let Some((before, hidden)) = rest.split_at_checked(at)
        && let Some(first) = hidden.chars().next()
    {
        shown.push_str(before);
        let same = |c: &char| *c == first || is_tag(*c) && is_tag(first);
        let run = hidden.chars().take_while(same).map(char::len_utf8).sum();
        let (run, after) = hidden.split_at(run);
        shown.push('[');
        match name(first).and_then(|name| name.split(' ').next()) {
            Some(code) => shown.push_str(code),
            None => shown.push_str(&spelled(run)),
        }
        shown.push(']');
        rest = after;
    }
    shown.push_str(rest);
    shown
}

/// The text with descriptions in brackets in place of hidden characters.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_hidden)
        && let Some((before, hidden)) = rest.split_at_checked(at)
        && let Some((run, after)) = hidden.split_at_checked(run_len(hidden))
    {
        shown.push_str(before);
        shown.push('[');
        shown.push_str(&describe(run));
        shown.push(']');
        rest = after;
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_in_plain_text_is_told_in_its_place() {
        assert_eq!(visible("a 日本 é"), "a 日本 é");
        assert_eq!(
            visible("let \u{202e}x\u{202c} = 1; \u{e0048}\u{e0069}"),
            "let [U+202E right-to-left override]x[U+202C pop directional formatting] = 1; [hidden text: Hi]"
        );
        // A long run is split into runs of a thousand.
        let long = "\u{e0041}".repeat(2_500);
        assert_eq!(visible(&long).matches("hidden text: ").count(), 3);
    }

    #[test]
    fn names_and_spells() {
        assert_eq!(describe("\u{202e}"), "U+202E right-to-left override");
        let tags = "\u{e0001}\u{e0068}\u{e0069}\u{e007f}";
        assert_eq!(run_len(&format!("{tags}x")), tags.len());
        assert_eq!(describe(tags), "hidden text: hi");
        assert_eq!(run_len("\u{200d}"), 0);
        assert_eq!(run_len("\u{2066}\u{2069}x"), 6);
        assert_eq!(
            describe(&format!("\u{202e}\u{202e}{tags}\u{202c}")),
            "U+202E right-to-left override × 2, hidden text: hi, U+202C pop directional formatting"
        );
        let many = "\u{202e}\u{202c}".repeat(300);
        assert!(
            describe(&many).ends_with(", 592 more"),
            "{}",
            describe(&many)
        );
        assert_eq!(
            coded(&format!("a\u{202e}\u{202e}b{tags}c")),
            "a[U+202E]b[hi]c"
        );
        assert!(
            ('\u{0}'..=char::MAX)
                .filter(|c| is_hidden(*c))
                .all(|c| !describe(&c.to_string()).is_empty())
        );
    }
}
