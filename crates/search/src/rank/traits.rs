//! What kind of text a message is, as far as a question can ask for it.

use fnv::FnvHashMap;
use sash_text::lower_case;
use sash_text::{SegmentKind, segments};
use std::sync::LazyLock;

/// Words that say when. Months and days of the week count as well.
const TIME_WORDS: &str = "yesterday today tonight tomorrow ago last next week weeks month months year years weekend morning \
evening night since until january february march april june july august september october november december monday \
tuesday wednesday thursday friday saturday sunday yestrday tmrw nxt sat sun mon tue wed thu fri gestern heute morgen \
letzte letzten nächste nächsten woche monat jahr hier demain dernier dernière prochain semaine mois ayer mañana \
próximo semana mes año";

/// Words of numbers.
const NUMBER_WORDS: &str = "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty \
seventy eighty ninety hundred thousand million half once twice";

/// Kinds of a text, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits(u8);

impl Traits {
    /// It asks something.
    pub(crate) const QUESTION: Self = Self(1);
    /// It says when something was or will be.
    pub(crate) const TIME: Self = Self(2);
    /// It has a number.
    pub(crate) const NUMBER: Self = Self(4);
    /// It has a name: a word with a capital within a sentence.
    pub(crate) const NAME: Self = Self(8);
    /// The kinds of a text; its first 400 words are read.
    pub(crate) fn of(text: &str) -> Self {
        let mut all = Self::default();
        let mut lower = String::new();
        if text.contains(['?', '？']) {
            all.add(Self::QUESTION);
        }
        for (kind, at) in segments(text).take(400) {
            let word = &text[at.clone()];
            if kind != SegmentKind::Word {
                continue;
            }
            if word.starts_with(|c: char| c.is_ascii_digit()) {
                all.add(Self::NUMBER);
            } else if word.starts_with(char::is_uppercase) && word.len() > 1 {
                let before = text[..at.start].trim_end_matches(['"', '“', '«', '(', '*', ' ']);
                if before.ends_with(|c: char| c.is_alphanumeric() || c == ',') {
                    all.add(Self::NAME);
                }
            }
            if word.len() <= 12 {
                lower_case(word, &mut lower);
                all.add(of_word(&lower));
            }
        }
        all
    }

    fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Whether it has one of the traits of `other`.
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What a word in lower case says.
fn of_word(word: &str) -> Traits {
    static WORDS: LazyLock<FnvHashMap<&str, Traits>> = LazyLock::new(|| {
        let time = TIME_WORDS.split(' ').map(|word| (word, Traits::TIME));
        let number = NUMBER_WORDS.split(' ').map(|word| (word, Traits::NUMBER));
        time.chain(number).collect()
    });
    WORDS.get(word).copied().unwrap_or_default()
}
