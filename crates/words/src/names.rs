//! Names from outside (of chats, folders, files, models, engines) within a sentence.
//!
//! A name may have characters that are not seen and change what stands around them: an escape sequence speaks to a
//! terminal, U+202E turns round the rest of a line. They are shown as what they are. A name that is written in the other
//! direction than the sentence is isolated (UAX #9), so that it has no effect on its neighbours. A name without any of that
//! is left as it is.

use crate::language;
use std::borrow::Cow;
use std::fmt::Display;

const LEFT_TO_RIGHT_ISOLATE: char = '\u{2066}';
const RIGHT_TO_LEFT_ISOLATE: char = '\u{2067}';
const FIRST_STRONG_ISOLATE: char = '\u{2068}';
const POP_ISOLATE: char = '\u{2069}';

/// A value in a text of the catalogue: numbers are as they are, which plural forms need; all else is [`isolated`].
pub trait Argument {
    /// The value as the text takes it.
    type Shown;
    /// The value as the text shows it.
    fn shown(self) -> Self::Shown;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Argument for $number {
            type Shown = Self;
            fn shown(self) -> Self {
                self
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 usize i32 i64 f32 f64);

impl Argument for String {
    type Shown = Self;
    fn shown(self) -> Self {
        match isolated(&self) {
            Cow::Borrowed(_) => self,
            Cow::Owned(text) => text,
        }
    }
}

impl<T: Display + ?Sized> Argument for &T {
    type Shown = String;
    fn shown(self) -> String {
        self.to_string().shown()
    }
}

/// A name as a sentence of the spoken language shows it.
#[must_use]
pub fn isolated(name: &str) -> Cow<'_, str> {
    // Nearly all names: nothing in them has a direction that differs, or is not seen.
    let is_rtl = language().direction == "rtl";
    if !is_rtl && name.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(name);
    }
    let name = visible(name);
    let (mut depth, mut has_own, mut has_other) = (0_usize, false, false);
    for c in name.chars() {
        match c {
            LEFT_TO_RIGHT_ISOLATE..=FIRST_STRONG_ISOLATE => depth += 1,
            POP_ISOLATE => depth -= 1,
            // What is isolated already has no direction for its surroundings.
            _ if depth > 0 => {}
            _ => match direction(c) {
                Some(direction) if (direction == Direction::RightToLeft) == is_rtl => {
                    has_own = true
                }
                Some(_) => has_other = true,
                None => {}
            },
        }
    }
    let opening = match (has_other, has_own, is_rtl) {
        (false, ..) => return name,
        // A name, or a clause with a name in it, that is read from the side from which the sentence is read.
        (true, true, false) => LEFT_TO_RIGHT_ISOLATE,
        (true, true, true) => RIGHT_TO_LEFT_ISOLATE,
        (true, false, _) => FIRST_STRONG_ISOLATE,
    };
    Cow::Owned(format!("{opening}{name}{POP_ISOLATE}"))
}

/// A text whose characters are all seen: control characters have their pictures (`␛`), characters that turn the direction
/// their number (`\u{202e}`). Line breaks and tabs stay, and so do isolates that are closed.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !is_hidden(c) && !is_isolate(c);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let isolates_match = are_isolates_closed(text);
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if is_plain(c) || (is_isolate(c) && isolates_match) => shown.push(c),
            '\0'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + u32::from(c))),
            '\u{7f}' => shown.push('\u{2421}'),
            c => shown.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(shown)
}

/// A text in one line of a terminal or a log.
#[must_use]
pub fn in_one_line(text: &str) -> Cow<'_, str> {
    let shown = visible(text);
    match shown.contains(['\n', '\t']) {
        true => Cow::Owned(shown.replace('\n', "\u{240a}").replace('\t', "\u{2409}")),
        false => shown,
    }
}

/// Whether a character changes a terminal, or the direction of what follows it.
fn is_hidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}')
}

fn is_isolate(c: char) -> bool {
    matches!(c, LEFT_TO_RIGHT_ISOLATE..=POP_ISOLATE)
}

/// Whether each isolate of a text ends in it, and none ends that did not begin there.
fn are_isolates_closed(text: &str) -> bool {
    let mut depth = 0_usize;
    for c in text.chars().filter(|c| is_isolate(*c)) {
        depth = match (c, depth.checked_sub(1)) {
            (POP_ISOLATE, None) => return false,
            (POP_ISOLATE, Some(outer)) => outer,
            _ => depth + 1,
        };
    }
    depth == 0
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    LeftToRight,
    RightToLeft,
}

/// The direction of a letter, by blocks: Unicode's tables are too large for the page. Digits, blanks and most signs have none.
fn direction(c: char) -> Option<Direction> {
    match c {
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' => {
            Some(Direction::RightToLeft)
        }
        '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}' => Some(Direction::RightToLeft),
        'A'..='Z' | 'a'..='z' => Some(Direction::LeftToRight),
        // Signs: of Latin-1, of punctuation, arrows, mathematics and boxes, and pictures.
        '\0'..='\u{bf}'
        | '\u{d7}'
        | '\u{f7}'
        | '\u{2000}'..='\u{2bff}'
        | '\u{3000}'..='\u{3004}' => None,
        '\u{fe00}'..='\u{fe6f}'
        | '\u{feff}'
        | '\u{1f000}'..='\u{1faff}'
        | '\u{e0000}'..='\u{e01ef}' => None,
        _ => Some(Direction::LeftToRight),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::t;

    #[test]
    fn a_name_that_changes_nothing_around_it_is_left_as_it_is() {
        for name in [
            "",
            "llama3:8b",
            "Notes (2)",
            "Größe",
            "日本語",
            "→ 50 %",
            "👩‍👩‍👧 family",
            "two\nlines\tand more",
        ] {
            assert!(
                matches!(isolated(name), Cow::Borrowed(shown) if shown == name),
                "{name}"
            );
        }
    }

    /// A folder named with U+202E turned round what followed it in the sentence.
    #[test]
    fn characters_that_are_not_seen_are_shown_and_turn_nothing_round() {
        for (name, shown) in [
            ("annex\u{202e}gpj.exe", "annex\\u{202e}gpj.exe"),
            ("a\u{1b}[31mred\u{7}\u{7f}\u{9b}", "a␛[31mred␇␡\\u{9b}"),
            // Ends an isolate that it did not begin: that of the sentence.
            ("a\u{2069}b", "a\\u{2069}b"),
            ("a\u{2067}b", "a\\u{2067}b"),
            ("\r", "␍"),
        ] {
            assert_eq!(isolated(name), shown);
            assert_eq!(t!(state.quoted, title = name).matches(shown).count(), 1);
        }
        assert_eq!(in_one_line("one\ntwo\u{1b}"), "one␊two␛");
    }

    #[test]
    fn a_name_of_the_other_direction_is_isolated_once() {
        let hebrew = "\u{2068}שלום 1\u{2069}";
        assert_eq!(isolated("שלום 1"), hebrew);
        // A clause with such a name in it, within another sentence.
        let clause = format!("{hebrew} is there");
        assert_eq!(isolated(&clause), clause);
        assert_eq!(isolated("Chat שלום"), "\u{2066}Chat שלום\u{2069}");
        assert_eq!(isolated("שלום\u{202e}"), "\u{2066}שלום\\u{202e}\u{2069}");
        let name = String::from("שלום 1");
        for sentence in [
            t!(state.quoted, title = &name),
            t!(state.quoted, title = name.as_str()),
            t!(state.quoted, title = name.clone()),
            t!(state.quoted, title = &&name),
        ] {
            assert_eq!(sentence, format!("“{hebrew}”"));
        }
    }

    #[test]
    fn numbers_and_what_is_stored_are_as_they_are() {
        assert_eq!(t!(count.messages, count = 2, number = "2"), "2 messages");
        let title = crate::plain_t!(chat.fork_of, title = "שלום\u{1b}");
        assert!(title.contains("שלום\u{1b}") && !title.contains('\u{2068}'));
    }
}
