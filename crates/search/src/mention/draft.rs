//! Analyses the draft: its words, the weight of each, and whether it refers back.

use crate::terms::{StemCache, conversation, each_term};
use sash_text::TextLanguage;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// Names of languages, days and formats: they occur in every second prompt and identify no message.
const UBIQUITOUS_NAMES: &str = "english german french spanish italian chinese japanese russian american european english \
deutsch englisch französisch monday tuesday wednesday thursday friday saturday sunday january february march april \
june july august september october november december montag dienstag mittwoch donnerstag freitag samstag sonntag \
python java javascript typescript rust sql html css json csv xml yaml pdf api url http ai llm gpt usa uk eu \
windows linux mac android iphone google excel word file code text function program app website page email mail";

/// Words that refer back to earlier messages, unstemmed.
const BACK_REFERENCE_WORDS: &str = "ago already described discussed earlier explained gave listed mentioned original originally \
previous previously proposed recall recalled recommended remember said showed suggested talked told wrote \
besprochen damals empfohlen empfohlene empfohlenen erinnerst erklärt erwähnt erwähnte erwähnten erwähntest \
gesagt geschrieben meintest sagtest vorgeschlagen vorgeschlagene vorgeschlagenen vorher vorhin vorigen";

/// Words by which people name what is theirs, unstemmed.
const OWN_WORDS: &str = "my mine our ours mein meine meinem meinen meiner meines unser unsere unserem unseren unserer mon ma mes \
notre nos mi mis nuestro nuestra";

/// Words that identify a draft as German, where every noun is capitalised.
const GERMAN_MARKER_WORDS: &str =
    "aber das dem den der die ein eine einen für ich ist mit nicht und von was wie zu";

/// The most words of a draft that are read: a longer text contains its own context.
const MAX_DRAFT_WORDS: usize = 64;

/// A word of a draft.
pub(super) struct Word {
    pub(super) stem: String,
    /// Its first position in the draft.
    pub(super) at: Range<usize>,
    /// Its weight by itself: 0 for words of conversation, the highest for names and identifiers.
    pub(super) weight: f32,
    /// How often it occurs in the draft.
    pub(super) times: f32,
}

/// An analysed draft.
#[derive(Default)]
pub(super) struct DraftAnalysis {
    /// Its different words, in order, at most 64; the rest of the draft is not read.
    pub(super) words: Vec<Word>,
    /// Whether it refers back: "the index you suggested".
    pub(super) back: bool,
    /// Whether it names something of the person's own: "my code word".
    pub(super) own: bool,
}

/// Analyses a draft.
pub(super) fn analyse(draft: &str) -> DraftAnalysis {
    static UBIQUITOUS_STEMS: LazyLock<BTreeSet<String>> =
        LazyLock::new(|| conversation::stems(UBIQUITOUS_NAMES));
    let mut analysis = DraftAnalysis::default();
    // Capitals identify names only if not everything, or every noun, is capitalised.
    let mut capitals_name = draft.contains(|c: char| c.is_alphabetic() && !c.is_uppercase());
    for word in draft.split(|c: char| !c.is_alphanumeric()) {
        analysis.back |= is_among(BACK_REFERENCE_WORDS, word);
        analysis.own |= is_among(OWN_WORDS, word);
        capitals_name &= !is_among(GERMAN_MARKER_WORDS, word);
    }
    let language = TextLanguage::of(draft, None);
    each_term(
        draft,
        language,
        &mut StemCache::default(),
        &mut |stem, at| {
            if let Some(word) = analysis.words.iter_mut().find(|word| word.stem == stem) {
                word.times += 1.0;
            } else if analysis.words.len() < MAX_DRAFT_WORDS {
                let weight = if conversation::is_conversation(stem) {
                    0.0
                } else if UBIQUITOUS_STEMS.contains(stem) {
                    0.5
                } else {
                    word_weight(draft, at.clone(), capitals_name)
                };
                analysis.words.push(Word {
                    stem: stem.to_owned(),
                    at,
                    weight,
                    times: 1.0,
                });
            }
        },
    );
    analysis
}

/// The weight of a word, judged by its spelling.
fn word_weight(draft: &str, at: Range<usize>, capitals_name: bool) -> f32 {
    let word = &draft[at.clone()];
    let (mut letters, mut digits, mut capitals) = (0, 0, 0);
    for c in word.chars() {
        letters += 1;
        digits += u32::from(c.is_ascii_digit());
        capitals += u32::from(c.is_uppercase());
    }
    let begins_capital = u32::from(word.starts_with(char::is_uppercase));
    let named = capitals > begins_capital || capitals > 0 && !begins_sentence(&draft[..at.start]);
    if digits == letters {
        // Short numbers occur everywhere.
        if letters > 2 { 0.7 } else { 0.0 }
    } else if digits > 0 || named && capitals_name {
        1.8
    } else if word.is_ascii() && letters < 4 {
        0.5
    } else {
        1.0
    }
}

/// Whether a sentence, or a line, begins after `before`.
fn begins_sentence(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '"', '\'', '(', '*', '`', '>', '-']);
    before.is_empty() || before.ends_with(['.', '!', '?', ':', '\n'])
}

/// Whether a list contains a word, ignoring case.
fn is_among(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight_of(draft: &str, word: &str) -> f32 {
        let analysis = analyse(draft);
        let at = draft.find(word).unwrap();
        analysis
            .words
            .iter()
            .find(|w| w.at.start == at)
            .unwrap()
            .weight
    }

    #[test]
    fn names_and_identifiers_say_most_and_talk_says_nothing() {
        let draft = "Thanks, tell me more about Dijkstra, getUserName and utf8 in the tables of 404 css pages";
        assert_eq!(weight_of(draft, "Thanks"), 0.0);
        assert_eq!(weight_of(draft, "more"), 0.0);
        for name in ["Dijkstra", "getUserName", "utf8"] {
            assert_eq!(weight_of(draft, name), 1.8, "{name}");
        }
        assert_eq!(weight_of(draft, "tables"), 1.0);
        assert_eq!(weight_of(draft, "404"), 0.7);
        assert_eq!(weight_of(draft, "css"), 0.5);
    }

    #[test]
    fn a_capital_that_any_word_would_have_names_nothing() {
        assert_eq!(weight_of("Metro lines? Trams are nicer", "Metro"), 1.0);
        assert_eq!(weight_of("Metro lines? Trams are nicer", "Trams"), 1.0);
        assert_eq!(weight_of("WHY DOES THE LEXER FAIL", "LEXER"), 1.0);
        assert_eq!(weight_of("wie lange geht der Teig", "Teig"), 1.0);
        assert_eq!(weight_of("see *Metro* lines", "Metro"), 1.8);
    }

    #[test]
    fn a_draft_that_looks_back_is_known_in_both_languages() {
        assert!(analyse("the index you suggested").back);
        assert!(analyse("Earlier we had a lexer").back);
        assert!(analyse("der vorhin erwähnte Topf").back);
        assert!(!analyse("suggest an index").back);
    }

    #[test]
    fn repeats_are_counted_and_the_rest_of_a_long_text_is_not_read() {
        let analysis = analyse("index, Index and tables, indexes");
        assert_eq!(analysis.words.len(), 2);
        assert_eq!(analysis.words[0].times, 3.0);
        let long: Vec<String> = (0..1000).map(|n| format!("word{n}")).collect();
        assert_eq!(analyse(&long.join(" ")).words.len(), MAX_DRAFT_WORDS);
    }
}
