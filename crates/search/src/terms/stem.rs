//! The stem of a word.

use super::irregular;
use fnv::FnvHashMap;
use rust_stemmers::{Algorithm, Stemmer};
use sash_text::TextLanguage;
use sash_text::fold;
use std::borrow::Cow;

/// The longest word that is stemmed, in bytes: longer ones are hashes, addresses and data, and the stemmer's
/// time is not linear in length.
const MAX_STEMMED: usize = 40;

/// The most stems that are remembered for one language.
const MAX_REMEMBERED: usize = 4096;

/// Stems of words seen before. A log repeats its words, and stemming takes ten times as long as looking one up.
#[derive(Debug, Default)]
pub(crate) struct StemCache([FnvHashMap<Box<str>, Box<str>>; 4]);

impl StemCache {
    /// The stem of a word in lower case, see [`stem`].
    pub(super) fn stem(&mut self, word: &str, language: TextLanguage) -> &str {
        let known = &mut self.0[language as usize];
        if known.len() >= MAX_REMEMBERED && !known.contains_key(word) {
            known.clear();
        }
        if !known.contains_key(word) {
            known.insert(word.into(), stem(word, language).into());
        }
        known.get(word).map_or("", |stem| stem)
    }
}

/// The stem of a word in lower case: the base of an irregular form, else what Snowball leaves; without accents.
/// Numbers lose nothing but the ending of an ordinal, so "12th" meets "12".
pub(crate) fn stem(word: &str, language: TextLanguage) -> String {
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return number(word).to_owned();
    }
    let mut word = Cow::Borrowed(word);
    if language == TextLanguage::English {
        if let Some(base) = irregular::base(&word) {
            word = Cow::Borrowed(base);
        } else if let Some(american) = american(&word) {
            word = Cow::Owned(american);
        }
    }
    let mut stemmed = match word.len() {
        ..=MAX_STEMMED => Stemmer::create(algorithm(language)).stem(&word),
        _ => word.clone(),
    };
    if language == TextLanguage::English
        && stemmed.len() > 5
        && let Some(before) = stemmed.strip_suffix("our")
    {
        stemmed = Cow::Owned(format!("{before}or"));
    }
    if stemmed.is_ascii() {
        return stemmed.into_owned();
    }
    let mut folded = String::with_capacity(stemmed.len());
    stemmed.chars().for_each(|c| fold(c, &mut folded));
    folded
}

fn algorithm(language: TextLanguage) -> Algorithm {
    match language {
        TextLanguage::English => Algorithm::English,
        TextLanguage::German => Algorithm::German,
        TextLanguage::French => Algorithm::French,
        TextLanguage::Spanish => Algorithm::Spanish,
    }
}

/// British endings, whose s is a z in American ones; the stemmer removes "ize" and not "ise".
const BRITISH: [&str; 10] = [
    "ise", "ised", "ises", "ising", "iser", "isation", "isations", "yse", "ysed", "ysing",
];
/// Words in "ise" that no one writes with z.
const WITH_S: [&str; 4] = ["promis", "precis", "concis", "premis"];

/// The word as Americans write it: "organised" with a z.
fn american(word: &str) -> Option<String> {
    let ending = BRITISH.iter().find(|ending| word.ends_with(**ending))?;
    let before = word.len() - ending.len();
    let british = before >= 4 && !WITH_S.iter().any(|stem| word.starts_with(stem));
    british.then(|| format!("{}{}", &word[..before], ending.replacen('s', "z", 1)))
}

/// A number without the ending of an English ordinal.
fn number(word: &str) -> &str {
    let without = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending));
    without
        .filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
        .unwrap_or(word)
}
