//! Reads a prompt: its words, and for each the terms of the log that stand for it.

use super::days::{NamedDays, named_days};
use super::participle::participles;
use crate::index::speaker_term;
use crate::rank::{QueryTerm, RecallScope, Variant};
use crate::terms::conversation::is_conversation;
use crate::terms::thesaurus::related;
use crate::terms::{each_word, stem};
use sash_text::{LANGUAGES, TextLanguage};
use std::ops::Range;

/// The most different words of a prompt that are read: a longer one contains its own context.
const MAX_WORDS: usize = 64;
/// The most terms that stand for one word.
const MAX_VARIANTS: usize = 40;
/// The least letters of a stem whose misspellings are looked for, where the log does not have it and where it does.
/// Shorter words that differ by one letter are most often others.
const MIN_MISSPELLED: [usize; 2] = [6, 7];
/// The least letters of a stem and of a part of it in a compound.
const MIN_IN_COMPOUND: [usize; 2] = [5, 4];

/// The weight of words by which a question is put, rather than asked about.
const FRAME: f32 = 0.5;
/// The weight of a speaker's name, and of that name in a text, relative to the speaker's own messages.
const SPEAKER: f32 = 1.4;
const ADDRESSED: f32 = 0.6;
/// The weight of a term that is spelled almost like a word of the prompt, where the log does not have it and where it does.
const TYPO: f32 = 0.3;
const TYPO_KNOWN: f32 = 0.2;
/// The weight of a compound for its part, and of a part for its compound.
const COMPOUND: f32 = 0.3;
/// The weight of a related word.
const RELATED: f32 = 0.3;
/// How many words of a German prompt are looked for at the end of all words of the log, which takes longest.
const MAX_SCANS: usize = 8;

/// Words by which a question is put, rather than asked about.
const FRAME_WORDS: &str = "kind type sort many much long often name mention mentioned say said tell told describe described \
according discuss discussed happen happened thing things give list explain show please again recommend recommended suggest \
suggested advise ever still also like get got way different various each other more most some any one both who's what's";

/// A word of the prompt.
pub(super) struct PromptWord {
    /// Its first position.
    pub(super) at: Range<usize>,
    lower: String,
    /// How much it counts each time that the prompt has it.
    gain: f32,
}

/// A prompt, read against a log.
#[derive(Default)]
pub(super) struct RecallQuery {
    pub(super) words: Vec<PromptWord>,
    /// The terms for each of `words`.
    pub(super) terms: Vec<QueryTerm>,
    /// The words that name a subject, one bit each.
    pub(super) telling: u64,
    /// Those that are days of which the prompt asks what was said, one bit each.
    pub(super) days: u64,
}

impl RecallQuery {
    /// Reads a prompt; a word that it repeats counts as often. `now_ms` is the reader's local time, for which words like
    /// *yesterday* are resolved.
    pub(super) fn read(prompt: &str, now_ms: Option<u64>, log: &RecallScope<'_>) -> Self {
        let language = TextLanguage::of(prompt, None);
        let days = now_ms.map(|now| named_days(prompt, now));
        let days = days.unwrap_or_default();
        let mut query = Self::default();
        let mut scans = match language {
            TextLanguage::German => MAX_SCANS,
            _ => 0,
        };
        each_word(prompt, language, &mut |word, at| {
            if days.iter().any(|days| days.at.contains(&at.start)) {
                return;
            }
            if let Some(known) = query.words.iter().position(|known| known.lower == word) {
                query.terms[known].gain += query.words[known].gain;
            } else if query.words.len() < MAX_WORDS {
                let own = stem(word, language);
                let is_frame = FRAME_WORDS.split(' ').any(|frame| frame == word);
                if !is_frame && !is_conversation(&own) {
                    query.telling |= 1 << query.words.len();
                }
                let speaker = speaker(word, log);
                let gain = match (is_frame, &speaker) {
                    (true, _) => FRAME,
                    (false, Some(_)) => SPEAKER,
                    (false, None) => 1.0,
                };
                let mut variants = Vec::new();
                if let Some(speaker) = speaker {
                    put(&mut variants, &speaker, 1.0);
                    put(&mut variants, &own, ADDRESSED);
                } else {
                    put_variants(word, &own, language, log, &mut variants);
                    if scans > 0 && !log.has(&own) {
                        scans -= 1;
                        compounds_ending(&own, log, &mut |term| {
                            put(&mut variants, term, COMPOUND);
                        });
                    }
                }
                query.terms.push(QueryTerm { variants, gain });
                let lower = word.to_owned();
                query.words.push(PromptWord { at, lower, gain });
            }
        });
        for days in days {
            query.add_days(days);
        }
        query
    }

    /// Adds the days that a prompt names, as one more word of it.
    fn add_days(&mut self, days: NamedDays) {
        if self.words.len() >= MAX_WORDS {
            return;
        }
        if days.asks_for_talk {
            let bit = 1 << self.words.len();
            self.telling |= bit;
            self.days |= bit;
        }
        let variant = |term| Variant { term, weight: 1.0 };
        self.terms.push(QueryTerm {
            variants: days.terms.into_iter().map(variant).collect(),
            gain: 1.0,
        });
        self.words.push(PromptWord {
            at: days.at,
            lower: String::new(),
            gain: 1.0,
        });
    }
}

/// Adds a term that stands for a word, unless it is known or they are many.
fn put(variants: &mut Vec<Variant>, term: &str, weight: f32) {
    let is_known = variants.iter().any(|variant| variant.term == term);
    if !is_known && variants.len() < MAX_VARIANTS {
        let term = term.to_owned();
        variants.push(Variant { term, weight });
    }
}

/// The term of the speaker with that name. A question that names someone asks about what this person said more often than
/// about where they were called by name.
fn speaker(word: &str, log: &RecallScope<'_>) -> Option<String> {
    let terms = LANGUAGES.map(|language| speaker_term(&stem(word, language)));
    terms.into_iter().find(|term| log.has(term))
}

/// Adds the terms that stand for a word: its stem in each language, since a message may be in another one than the prompt;
/// related and similar terms with less weight.
fn put_variants(
    word: &str,
    own: &str,
    language: TextLanguage,
    log: &RecallScope<'_>,
    all: &mut Vec<Variant>,
) {
    put(all, own, 1.0);
    for other in LANGUAGES {
        put(all, &stem(word, other), 1.0);
    }
    match language {
        // "movin": the ending as it is typed in a hurry.
        TextLanguage::English => put(all, &format!("{own}in"), 1.0),
        TextLanguage::German => participles(own, &mut |term| put(all, term, 1.0)),
        TextLanguage::French | TextLanguage::Spanish => {}
    }
    if !own.starts_with(|c: char| c.is_ascii_digit()) {
        misspelled(own, log, &mut |term, weight| put(all, term, weight));
        compounds(own, log, &mut |term| put(all, term, COMPOUND));
    }
    if language == TextLanguage::English {
        for term in related(own) {
            put(all, term, RELATED);
        }
    }
}

/// Terms of the log that are spelled almost alike, with their weight.
fn misspelled(own: &str, log: &RecallScope<'_>, put: &mut dyn FnMut(&str, f32)) {
    let (weight, least) = match log.has(own) {
        false => (TYPO, MIN_MISSPELLED[0]),
        true => (TYPO_KNOWN, MIN_MISSPELLED[1]),
    };
    let Some(first) = own.chars().next() else {
        return;
    };
    if own.chars().count() >= least {
        // The first letter is seldom wrong, and all words with it stand together.
        let first = first.to_string();
        for term in log.terms_like(&first, |term| spelled_alike(term, own)) {
            put(term, weight);
        }
    }
}

/// True if two words differ by one letter put in, left out, replaced, or swapped with the next (Damerau, 1964: one such step
/// makes four in five misspellings). Words that are the same do not.
pub(super) fn spelled_alike(one: &str, other: &str) -> bool {
    if one == other || one.len().abs_diff(other.len()) > 4 {
        return false;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    let (ends, other_ends) = (one.iter().rev(), other.iter().rev());
    let same = ends.zip(other_ends).take_while(|(a, b)| a == b).count();
    match (&one[..one.len() - same], &other[..other.len() - same]) {
        ([] | [_], [] | [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

/// Compounds of the log that begin with a stem, and terms of the log that it begins or ends with: "Prepaidtarif"
/// has "tarif".
fn compounds(own: &str, log: &RecallScope<'_>, put: &mut dyn FnMut(&str)) {
    if own.chars().count() < MIN_IN_COMPOUND[0] {
        return;
    }
    for term in log.terms_like(own, |_| true) {
        put(term);
    }
    for (at, _) in own.char_indices().skip(1) {
        for part in [&own[..at], &own[at..]] {
            if part.len() >= MIN_IN_COMPOUND[1] && log.has(part) {
                put(part);
            }
        }
    }
}

/// Compounds of the log that end with a stem which it does not have alone: "Brennnesseljauche" for "Jauche". All
/// words are looked through, which is only worth it in German: there the last part says what a compound is.
fn compounds_ending(own: &str, log: &RecallScope<'_>, put: &mut dyn FnMut(&str)) {
    if own.chars().count() >= MIN_IN_COMPOUND[0] {
        for term in log.terms_like("", |term| term.ends_with(own)) {
            put(term);
        }
    }
}
