//! Placeholders of a prompt: `{{name}}`, each of which stands for a text that the person gives before the prompt is used.

use std::collections::BTreeSet;

/// The longest name of a placeholder, in characters. What is longer is text.
const MAX_NAME_CHARS: usize = 60;

/// A piece of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    /// Text that stays.
    Text(&'a str),
    /// The name of a placeholder.
    Placeholder(&'a str),
}

/// The names of the placeholders of a text, each once, in the order in which they come first.
#[must_use]
pub fn placeholders(text: &str) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let names = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Placeholder(name) => Some(name),
        Piece::Text(_) => None,
    });
    names.filter(|name| seen.insert(*name)).collect()
}

/// The text with the values of its placeholders; one without a value stays as it is. A value is put in as it is, whatever
/// it looks like. `None` if the text would have more than `max_bytes` bytes: a long value may stand in many places.
#[must_use]
pub fn fill_placeholders<'a>(
    text: &str,
    value: impl Fn(&str) -> Option<&'a str>,
    max_bytes: usize,
) -> Option<String> {
    let mut filled = String::new();
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => filled.push_str(text),
            Piece::Placeholder(name) => match value(name) {
                Some(value) => filled.push_str(value),
                None => filled.extend(["{{", name, "}}"]),
            },
        }
        if filled.len() > max_bytes {
            return None;
        }
    }
    Some(filled)
}

/// The pieces of a text, in one walk over it: what was looked at for a name and is none is not looked at again from its
/// beginning.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest, mut at) = (Vec::new(), text, 0);
    while let Some(open) = rest.get(at..).and_then(|rest| rest.find("{{")) {
        let (before, inner) = rest.split_at(at + open);
        let inner = &inner[2..];
        let end = inner.find(['{', '}', '\n']).unwrap_or(inner.len());
        let (name, behind) = inner.split_at(end);
        let name = name.trim();
        if let Some(after) = behind.strip_prefix("}}").filter(|_| is_name(name)) {
            pieces.extend((!before.is_empty()).then_some(Piece::Text(before)));
            pieces.push(Piece::Placeholder(name));
            (rest, at) = (after, 0);
        } else {
            // Of three braces the last two may open a placeholder.
            at += open + if end == 0 { 1 } else { 2 + end };
        }
    }
    pieces.extend((!rest.is_empty()).then_some(Piece::Text(rest)));
    pieces
}

fn is_name(name: &str) -> bool {
    let is_short = name.chars().nth(MAX_NAME_CHARS).is_none();
    !name.is_empty() && is_short && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, names: &[&str], filled: &str) {
        assert_eq!(placeholders(text), names, "{text}");
        let value = |name: &str| Some(if name == "a" { "1" } else { "2" });
        let whole = fill_placeholders(text, value, 1000);
        assert_eq!(whole.as_deref(), Some(filled), "{text}");
    }

    #[test]
    fn each_name_is_asked_once_and_filled_everywhere() {
        check("no placeholder", &[], "no placeholder");
        check("{{a}}", &["a"], "1");
        check("{{ a }} and {{a}}, {{b c}}.", &["a", "b c"], "1 and 1, 2.");
        check("{{b}}{{a}}", &["b", "a"], "21");
        check("日{{Größe}}本", &["Größe"], "日2本");
        check("", &[], "");
    }

    #[test]
    fn what_only_looks_like_a_placeholder_is_text() {
        for text in [
            "{{}}",
            "{{ }}",
            "{{a",
            "{{a}",
            "{a}",
            "{{a\n}}",
            "{{a}b}}",
            "{{\u{7}}}",
            "{{{{{{",
            "}}{{",
            &format!("{{{{{}}}}}", "x".repeat(61)),
        ] {
            check(text, &[], text);
        }
        check("{{{a}}}", &["a"], "{1}");
        check("{{x{{a}}", &["a"], "{{x1");
        check("{{{{a}}}}", &["a"], "{{1}}");
        check("{ {{a}}", &["a"], "{ 1");
    }

    #[test]
    fn a_value_is_not_read_for_placeholders_and_none_leaves_the_name() {
        let filled =
            fill_placeholders("{{a}} {{ b }}", |name| (name == "a").then_some("{{b}}"), 99);
        assert_eq!(filled.as_deref(), Some("{{b}} {{b}}"));
    }

    #[test]
    fn what_would_be_too_long_is_not_made() {
        let text = "{{a}}".repeat(4000);
        let long = "x".repeat(1_000_000);
        assert_eq!(fill_placeholders(&text, |_| Some(&long), 2_000_000), None);
        assert_eq!(fill_placeholders("{{a}}b", |_| Some("xyz"), 3), None);
        assert!(fill_placeholders("{{a}}b", |_| Some("xyz"), 4).is_some());
    }

    #[cfg(not(target_arch = "wasm32"))]
    proptest::proptest! {
        /// Whatever the text, filling each placeholder with itself gives the text again but for spaces beside names, and
        /// the pieces lose nothing.
        #[test]
        fn nothing_of_any_text_is_lost(text in "[{}a \n日]{0,60}") {
            let kept: String = pieces(&text).into_iter().map(|piece| match piece {
                Piece::Text(text) => text.to_owned(),
                Piece::Placeholder(name) => format!("{{{{{name}}}}}"),
            }).collect();
            let squeezed = |text: &str| text.replace(' ', "");
            proptest::prop_assert_eq!(squeezed(&kept), squeezed(&text));
            let same = fill_placeholders(&text, |_| None, usize::MAX);
            proptest::prop_assert_eq!(same, Some(kept));
        }
    }

    /// Texts that open many and close none would be quadratic if each opening looked for its end anew.
    #[test]
    fn a_hostile_text_of_megabytes_is_walked_through_once() {
        for piece in ["{{", "{{a", "{{a}", "{", "{{ "] {
            let text = piece.repeat(1_000_000);
            assert_eq!(placeholders(&text), Vec::<&str>::new());
        }
    }
}
