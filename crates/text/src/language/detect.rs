//! Detection of a text's language by its stop words.

use super::{LANGUAGES, TextLanguage, stop};
use crate::words::{SegmentKind, lower_case, segments};

/// How many words are looked at: the language of a text is clear long before.
const LOOKED_AT: usize = 200;

/// By how many stop words another language must lead the one that was spoken before. One word is no proof: *die*,
/// *man* and *hat* are English, too.
const LEAD: u32 = 2;

impl TextLanguage {
    /// The language whose stop words occur most often in the text; that of the text before, if it is known, unless
    /// another one leads clearly. English where nothing tells. Stop words tell apart the languages of short texts
    /// better than statistics of letters, and need no table (Grefenstette, "Comparing two language identification
    /// schemes", 1995).
    #[must_use]
    pub fn of(text: &str, known: Option<Self>) -> Self {
        let counts = count_stop_words(text);
        let (before, lead) = match known {
            Some(known) => (known, LEAD),
            None => (Self::default(), 1),
        };
        let mut found = (before, counts[before as usize] + lead - 1);
        for (language, count) in LANGUAGES.into_iter().zip(counts) {
            if count > found.1 {
                found = (language, count);
            }
        }
        found.0
    }
}

/// The code of the language of a text, by its stop words; `None` where they do not tell it clearly.
#[must_use]
pub fn detect_language(text: &str) -> Option<&'static str> {
    let counts = count_stop_words(text);
    let most = *counts.iter().max()?;
    let rival = counts.iter().filter(|count| **count != most).max();
    let is_alone = counts.iter().filter(|count| **count == most).count() == 1;
    let leads = is_alone && most >= rival.copied().unwrap_or_default() + LEAD;
    let found = counts.iter().position(|count| *count == most)?;
    leads.then(|| match LANGUAGES[found] {
        TextLanguage::English => "en",
        TextLanguage::German => "de",
        TextLanguage::French => "fr",
        TextLanguage::Spanish => "es",
    })
}

/// How many of the first words of a text are stop words of each language.
fn count_stop_words(text: &str) -> [u32; LANGUAGES.len()] {
    let mut counts = [0; LANGUAGES.len()];
    let mut lower = String::new();
    let words = segments(text).filter(|(kind, _)| *kind == SegmentKind::Word);
    for (_, at) in words.take(LOOKED_AT) {
        lower_case(&text[at], &mut lower);
        let languages = stop::languages_of(&lower);
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += u32::from(languages >> bit & 1);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_a_few_words_and_not_by_one() {
        for (text, language) in [
            ("The sum of the parts is not what it was.", Some("en")),
            ("Das ist nicht die Antwort, die ich wollte.", Some("de")),
            (
                "Ce n'est pas la réponse que je voulais avec vous.",
                Some("fr"),
            ),
            ("No es lo que yo quería para los otros.", Some("es")),
            ("Die", None),
            ("fn main() {}", None),
            ("", None),
        ] {
            assert_eq!(detect_language(text), language, "{text}");
        }
    }
}
