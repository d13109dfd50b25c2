//! Counts of a text from which its tokens are estimated without a tokenizer, because Ollama has no endpoint for counting. A
//! text is split as byte-pair tokenizers do, into runs of letters, digits, signs and blanks. What a run costs
//! depends on the vocabulary: [`Estimate`](super::Estimate) multiplies the counts by the factors of its family.

use crate::{Message, Tool};
use std::ops::{Add, AddAssign};

/// What is counted. The order is that of the factors in `families.rs`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    /// Words of Latin letters; "camelCase" is two.
    Words,
    /// Words that follow something else than a blank.
    JoinedWords,
    /// The third letter of a word to its fifth.
    MiddleLetters,
    /// Letters of a word after the fifth.
    LateLetters,
    /// Words that begin with a capital, as nouns of German do.
    CapitalizedWords,
    /// The third and further capitals of a word of capitals.
    Capitals,
    /// Common English words: they tell English, which every vocabulary knows best, from other languages.
    EnglishWords,
    /// Accented Latin letters of European languages.
    Accented,
    /// Accented Latin letters of Vietnamese.
    Vietnamese,
    /// Characters of hexadecimal numbers, base64 and the like.
    RandomChars,
    Digits,
    /// Groups of up to three digits.
    DigitGroups,
    SignRuns,
    Signs,
    /// Runs of several blanks.
    Indents,
    /// Blanks that follow a blank.
    Blanks,
    BreakRuns,
    /// Line breaks that follow a line break.
    Breaks,
    Greek,
    Cyrillic,
    /// Cyrillic letters that Russian has not.
    UnRussian,
    Hebrew,
    Arabic,
    Devanagari,
    /// Other scripts of South Asia.
    Indic,
    Thai,
    /// Other alphabets.
    Foreign,
    /// Words of all these scripts.
    ForeignWords,
    Kana,
    Han,
    Hangul,
    /// Punctuation of Chinese and Japanese, and full-width forms.
    WideSigns,
    /// Typographic punctuation.
    Punctuation,
    /// Mathematical signs, arrows, lines.
    Symbols,
    Emoji,
    /// Messages; a chat template puts marks around each.
    Messages,
    /// Definitions of tools: 1 for a request that has some, because a template explains how to call them.
    Tools,
}

/// The number of counts.
pub(super) const COUNTS: usize = Count::Tools as usize + 1;

/// The size of a text, a message or a request, as far as no vocabulary decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub(super) counts: [u32; COUNTS],
}

impl Default for Size {
    fn default() -> Self {
        Self {
            counts: [0; COUNTS],
        }
    }
}

impl Size {
    /// The size of a message with this text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut size = Self::of_part(text);
        size.count(Count::Messages, 1);
        size
    }

    /// The size of a text within a message.
    #[must_use]
    pub fn of_part(text: &str) -> Self {
        let mut size = Self::default();
        let mut rest = text;
        let mut before = Class::Blank;
        while let Some(first) = rest.chars().next() {
            let class = Class::of(first);
            let end = rest.find(|c| !class.continues(c)).unwrap_or(rest.len());
            let (run, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            size.add_run(class, run, before);
            before = match run.ends_with(' ') {
                true => Class::Blank,
                false => class,
            };
            rest = after;
        }
        size
    }

    /// What the definitions of tools add to the size of a request. They stand before the messages and are none.
    #[must_use]
    pub fn of_tools(tools: &[Tool]) -> Self {
        let texts = tools.iter().map(|tool| tool.definition().to_string());
        let mut size = texts.fold(Self::default(), |sum, text| sum + Self::of_part(&text));
        size.count(Count::Tools, usize::from(!tools.is_empty()));
        size
    }

    /// The size of a message of the log, with what was recalled for it or without.
    #[must_use]
    pub fn of_message(message: &Message, recalled: bool) -> Self {
        let size = Self::of(&message.sent_text(recalled));
        let calls = message.tool_calls.as_ref().map(ToString::to_string);
        size + calls.map_or_else(Self::default, |calls| Self::of_part(&calls))
    }

    /// The number of messages.
    #[must_use]
    pub const fn messages(&self) -> u32 {
        self.counts[Count::Messages as usize]
    }

    /// The same text as one message, whose parts were joined.
    #[must_use]
    pub const fn as_one_message(mut self) -> Self {
        self.counts[Count::Messages as usize] = 1;
        self
    }

    /// The same size without the marks of one message, which is joined to another.
    pub(super) const fn with_one_message_less(mut self) -> Self {
        let messages = &mut self.counts[Count::Messages as usize];
        *messages = messages.saturating_sub(1);
        self
    }

    pub(super) fn count(&mut self, count: Count, n: usize) {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let sum = &mut self.counts[count as usize];
        *sum = sum.saturating_add(n);
    }

    /// Counts a run of characters of one class, which follows one of another class.
    fn add_run(&mut self, class: Class, run: &str, before: Class) {
        let length = run.chars().count();
        match class {
            Class::Word if is_random(run) => self.count(Count::RandomChars, length),
            Class::Word => self.add_word(run, before == Class::Blank),
            Class::Sign => {
                self.count(Count::SignRuns, 1);
                self.count(Count::Signs, length);
            }
            // A single blank belongs to the word after it and costs nothing.
            Class::Blank => {
                self.count(Count::Indents, usize::from(length > 1));
                self.count(Count::Blanks, length - 1);
            }
            Class::Break => {
                self.count(Count::BreakRuns, 1);
                self.count(Count::Breaks, length - 1);
            }
            Class::Script(script) => self.add_script(script, run),
        }
    }

    /// Counts the characters of a run of one script.
    fn add_script(&mut self, script: Count, run: &str) {
        self.count(script, run.chars().count());
        if (Count::Greek as u8..Count::ForeignWords as u8).contains(&(script as u8)) {
            self.count(Count::ForeignWords, 1);
        }
        if script == Count::Cyrillic {
            let russian = |c: &char| matches!(c, 'А'..='я' | 'ё' | 'Ё');
            let other = run.chars().filter(|c| !russian(c)).count();
            self.count(Count::UnRussian, other);
        }
    }

    /// Counts the words and numbers in a run of letters and digits.
    fn add_word(&mut self, run: &str, after_blank: bool) {
        let mut after_blank = after_blank;
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let end = part_end(rest);
            let (part, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            if first.is_ascii_digit() {
                self.count(Count::Digits, part.len());
                self.count(Count::DigitGroups, part.len().div_ceil(3));
            } else {
                self.add_letters(part, after_blank);
            }
            after_blank = false;
            rest = after;
        }
    }

    fn add_letters(&mut self, word: &str, after_blank: bool) {
        self.count(Count::Words, 1);
        self.count(Count::JoinedWords, usize::from(!after_blank));
        self.count(
            Count::EnglishWords,
            usize::from(ENGLISH_WORDS.contains(&word)),
        );
        let (mut letters, mut capitals) = (0_usize, 0_usize);
        for c in word.chars() {
            letters += 1;
            capitals += usize::from(c.is_ascii_uppercase());
            match c {
                '\0'..='\u{7f}' => {}
                'Ạ'..='ỹ' | 'ă' | 'đ' | 'ơ' | 'ư' => self.count(Count::Vietnamese, 1),
                _ => self.count(Count::Accented, 1),
            }
        }
        self.count(Count::MiddleLetters, letters.saturating_sub(2).min(3));
        self.count(Count::LateLetters, letters.saturating_sub(5));
        let capitalized = word.starts_with(|c: char| c.is_ascii_uppercase()) && capitals < letters;
        self.count(Count::CapitalizedWords, usize::from(capitalized));
        if capitals == letters {
            self.count(Count::Capitals, capitals.saturating_sub(2));
        }
    }
}

impl Add for Size {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        for (sum, n) in self.counts.iter_mut().zip(other.counts) {
            *sum = sum.saturating_add(n);
        }
    }
}

/// The most frequent words of English.
const ENGLISH_WORDS: [&str; 32] = [
    "the", "of", "and", "to", "in", "is", "it", "that", "for", "was", "with", "on", "as", "be",
    "I", "you", "this", "have", "not", "are", "but", "from", "or", "by", "at", "which", "we",
    "can", "has", "what", "my", "when",
];

/// The length in bytes of the number or word at the start of a run of letters and digits. A capital within a
/// word starts a new one.
fn part_end(run: &str) -> usize {
    let digits = run.starts_with(|c: char| c.is_ascii_digit());
    let mut lower = false;
    let end = run.find(|c: char| {
        let hump = lower && c.is_ascii_uppercase();
        lower = !c.is_ascii_uppercase();
        hump || c.is_ascii_digit() != digits
    });
    end.unwrap_or(run.len())
}

/// Whether a run of letters and digits is no word but a piece of a hexadecimal number, of base64 and the like:
/// letters and digits alternate in it.
fn is_random(run: &str) -> bool {
    let digits = || run.bytes().map(|byte| byte.is_ascii_digit());
    let alternations = digits().zip(digits().skip(1)).filter(|(a, b)| a != b);
    run.len() >= MIN_RANDOM_CHARS && alternations.count() >= MIN_ALTERNATIONS
}

const MIN_RANDOM_CHARS: usize = 8;
const MIN_ALTERNATIONS: usize = 2;

/// The class of the characters of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Latin letters and digits.
    Word,
    Sign,
    Blank,
    Break,
    Script(Count),
}

impl Class {
    /// The class of a character.
    fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => Self::Word,
            ' ' | '\t' => Self::Blank,
            '\n' | '\r' => Self::Break,
            '\0'..='\u{7f}' => Self::Sign,
            '\u{80}'..='\u{bf}' | '×' | '÷' => Self::Script(Count::Punctuation),
            '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Self::Word,
            _ => Self::Script(script(c)),
        }
    }

    fn continues(self, c: char) -> bool {
        Self::of(c) == self
    }
}

/// What a character counts as that is no Latin letter.
fn script(c: char) -> Count {
    match c {
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Count::Greek,
        '\u{400}'..='\u{52f}' => Count::Cyrillic,
        '\u{590}'..='\u{5ff}' => Count::Hebrew,
        '\u{600}'..='\u{8ff}' => Count::Arabic,
        '\u{900}'..='\u{97f}' => Count::Devanagari,
        '\u{980}'..='\u{dff}' => Count::Indic,
        '\u{e00}'..='\u{eff}' => Count::Thai,
        '\u{2000}'..='\u{206f}' | '\u{20a0}'..='\u{20bf}' => Count::Punctuation,
        // Variation selectors and the joiner are parts of emoji.
        '\u{2600}'..='\u{27bf}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f000}'..='\u{1ffff}' => {
            Count::Emoji
        }
        '\u{2070}'..='\u{2bff}' => Count::Symbols,
        '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}' => Count::WideSigns,
        '\u{3040}'..='\u{30ff}' => Count::Kana,
        '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}' => Count::Hangul,
        '\u{2e80}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}' => Count::Han,
        _ => Count::Foreign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BuiltinTool;

    /// The counts of a text that are not zero.
    fn counts(text: &str) -> Vec<(usize, u32)> {
        let counts = Size::of_part(text).counts.into_iter().enumerate();
        counts.filter(|(_, n)| *n > 0).collect()
    }

    #[test]
    fn a_text_is_split_as_tokenizers_do() {
        use Count::*;
        let check = |text: &str, expected: &[(Count, u32)]| {
            let expected: Vec<_> = expected
                .iter()
                .map(|(count, n)| (*count as usize, *n))
                .collect();
            assert_eq!(counts(text), expected, "{text:?}");
        };
        check("", &[]);
        check("a word", &[(Words, 2), (MiddleLetters, 2)]);
        check("the", &[(Words, 1), (MiddleLetters, 1), (EnglishWords, 1)]);
        check(
            "aBc",
            &[(Words, 2), (JoinedWords, 1), (CapitalizedWords, 1)],
        );
        check("ABCD", &[(Words, 1), (MiddleLetters, 2), (Capitals, 2)]);
        check("grün", &[(Words, 1), (MiddleLetters, 2), (Accented, 1)]);
        check("12345", &[(Digits, 5), (DigitGroups, 2)]);
        check("7f3a90cc", &[(RandomChars, 8)]);
        check(
            "a:\n\n    b",
            &[
                (Words, 2),
                (SignRuns, 1),
                (Signs, 1),
                (Indents, 1),
                (Blanks, 3),
                (BreakRuns, 1),
                (Breaks, 1),
            ],
        );
        check("привет", &[(Cyrillic, 6), (ForeignWords, 1)]);
        check("їжак", &[(Cyrillic, 4), (UnRussian, 1), (ForeignWords, 1)]);
        check("日本、", &[(Han, 2), (WideSigns, 1)]);
        check("👍", &[(Emoji, 1)]);
    }

    #[test]
    fn tools_have_a_size_and_are_no_messages() {
        assert_eq!(Size::of_tools(&[]), Size::default());
        let tools = BuiltinTool::ALL.map(Tool::Builtin);
        let (one, all) = (Size::of_tools(&tools[..1]), Size::of_tools(&tools));
        assert_eq!((one.messages(), all.messages()), (0, 0));
        // What a template explains of tools stands once, however many there are.
        let explained = |size: Size| size.counts[Count::Tools as usize];
        assert_eq!((explained(one), explained(all)), (1, 1));
        assert!(all.counts[Count::Words as usize] > one.counts[Count::Words as usize]);
    }
}
