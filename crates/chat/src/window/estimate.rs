//! Estimates tokens without a tokenizer, because Ollama has no endpoint for counting. The estimate splits a
//! text as byte-pair tokenizers do, into runs of letters, digits, signs and blanks, and takes an average cost
//! for each run; [`Calibration`](super::Calibration) fits the sum to the counts that Ollama reports.

use crate::{Message, Tool};
use std::ops::{Add, AddAssign};

/// The size of a text before calibration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// The text, in hundredths of a token of an average vocabulary.
    pub units: u64,
    /// Blanks that follow a blank, as in indented text: one token per run in most vocabularies, one per blank
    /// in old ones.
    pub blanks: u64,
    /// Number of messages; a chat template puts marks around each.
    pub messages: u64,
}

impl Size {
    /// The size of a message with this text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let (units, blanks) = measure(text);
        Self {
            units,
            blanks,
            messages: 1,
        }
    }

    /// What the definitions of tools add to the size of a request. They stand before the messages and are none.
    #[must_use]
    pub fn of_tools(tools: &[Tool]) -> Self {
        let texts = tools.iter().map(|tool| tool.definition().to_string());
        let size = texts.fold(Self::default(), |sum, text| sum + Self::of(&text));
        Self {
            messages: 0,
            ..size
        }
    }

    /// The size of a message of the log, with what was recalled for it or without.
    #[must_use]
    pub fn of_message(message: &Message, recalled: bool) -> Self {
        let calls = message.tool_calls.as_ref().map(ToString::to_string);
        let mut size = Self::of(&message.sent_text(recalled));
        size += Self {
            messages: 0,
            ..Self::of(calls.as_deref().unwrap_or_default())
        };
        size
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            units: self.units + other.units,
            blanks: self.blanks + other.blanks,
            messages: self.messages + other.messages,
        }
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// The character class of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Letters,
    Digits,
    Signs,
    Blanks,
    Breaks,
    /// Accented Latin letters; they split a word in two.
    Accented,
    /// Letters of other alphabets.
    Foreign,
    /// Scripts without spaces, and emoji: each character is a run of its own.
    Alone(u64),
}

/// The size of a text in hundredths of a token, and its number of repeated blanks.
fn measure(text: &str) -> (u64, u64) {
    let (mut sum, mut blanks) = (0, 0);
    let mut class = CharClass::Blanks;
    let mut length = 0;
    let mut capitals = 0;
    for c in text.chars() {
        let (now, upper) = (char_class(c), c.is_ascii_uppercase());
        // A capital within a word starts a new run: "camelCase" is two words.
        let hump = class == CharClass::Letters && upper && capitals < length;
        if now == class && !hump {
            length += 1;
            blanks += u64::from(now == CharClass::Blanks && length > 1);
        } else {
            sum += run(class, length, capitals);
            // A single blank belongs to the word after it and costs nothing.
            (class, length, capitals) = (now, 1, 0);
        }
        capitals += u64::from(upper);
    }
    (sum + run(class, length, capitals), blanks)
}

/// The cost of a run with this many capitals. A word of capitals alone is rare and is split into several
/// tokens.
fn run(class: CharClass, length: u64, capitals: u64) -> u64 {
    let shouted = match capitals > 2 && capitals == length {
        true => (length - 2) * CAPITAL_COST,
        false => 0,
    };
    cost(class, length) + shouted
}

/// Extra cost of each capital, from the third on, in a word of capitals.
const CAPITAL_COST: u64 = 25;

fn char_class(c: char) -> CharClass {
    match c {
        'a'..='z' | 'A'..='Z' => CharClass::Letters,
        '0'..='9' => CharClass::Digits,
        ' ' | '\t' => CharClass::Blanks,
        '\n' | '\r' => CharClass::Breaks,
        '\0'..='\u{7f}' | '\u{2010}'..='\u{206f}' => CharClass::Signs,
        '\u{80}'..='\u{24f}' => CharClass::Accented,
        '\u{250}'..='\u{2dff}' => CharClass::Foreign,
        '\u{1f000}'.. => CharClass::Alone(220),
        _ => CharClass::Alone(105),
    }
}

/// The average cost of a run of `n` characters: least squares over English, German, French and program texts,
/// counted with two vocabularies of 100,000 and 200,000 entries.
fn cost(class: CharClass, n: u64) -> u64 {
    match class {
        CharClass::Letters => 95 + n.saturating_sub(7) * 30,
        CharClass::Digits => n.div_ceil(3) * 130,
        CharClass::Signs => 55 + n * 16,
        CharClass::Blanks if n > 1 => 35,
        CharClass::Blanks => 0,
        CharClass::Breaks => 95,
        CharClass::Accented => 80 * n,
        CharClass::Foreign => 45 * n,
        CharClass::Alone(each) => each * n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BuiltinTool;

    #[test]
    fn tools_have_a_size_and_are_no_messages() {
        assert_eq!(Size::of_tools(&[]), Size::default());
        let tools = BuiltinTool::ALL.map(Tool::Builtin);
        let (one, all) = (Size::of_tools(&tools[..1]), Size::of_tools(&tools));
        assert!(one.units > 0 && all.units > one.units);
        assert_eq!(all.messages, 0);
    }

    fn units(text: &str) -> u64 {
        measure(text).0
    }

    #[test]
    fn the_guess_follows_the_script() {
        assert_eq!(units(""), 0);
        assert_eq!(units("a"), 95);
        assert_eq!(units("four words of text"), 380);
        assert_eq!(units("日本語"), 315);
        assert_eq!(units("привет"), 270);
        assert_eq!(units("12345"), 260);
        assert_eq!(units("camelCase"), 190);
        assert_eq!(units("SASH LISTEN"), 145 + 195);
        assert_eq!(units("end.\n\n    indented"), 95 + 71 + 95 + 35 + 125);
    }

    #[test]
    fn blanks_behind_blanks_are_counted() {
        assert_eq!(Size::of("a b").blanks, 0);
        assert_eq!(Size::of("a\n    b  c").blanks, 4);
    }

    #[test]
    fn a_text_costs_no_more_than_its_parts() {
        for (a, b) in [
            ("some ", "words"),
            ("wo", "rds"),
            ("12", "34"),
            ("\n", "\n"),
        ] {
            assert!(units(&format!("{a}{b}")) <= units(a) + units(b));
        }
    }
}
