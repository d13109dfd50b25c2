//! Reads a prompt: its words, and for each the terms of the log that stand for it.

use super::days::{NamedDays, named_days};
use super::near::spelled_alike;
use super::participle::participles;
use crate::rank::{LogIndex, QueryTerm, Variant, Weights, speaker_term};
use crate::terms::conversation::is_conversation;
use crate::terms::thesaurus::related;
use crate::terms::{each_word, stem};
use sash_text::{LANGUAGES, Language};
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
}

/// A prompt, read against a log.
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
    pub(super) fn read(
        prompt: &str,
        now_ms: Option<u64>,
        log: &LogIndex,
        weights: &Weights,
    ) -> Self {
        let language = Language::of(prompt, None);
        let days = now_ms
            .map(|now| named_days(prompt, now))
            .unwrap_or_default();
        let mut query = Self {
            words: Vec::new(),
            terms: Vec::new(),
            telling: 0,
            days: 0,
        };
        let mut repeats: Vec<f32> = Vec::new();
        let mut scans = match language {
            Language::German => MAX_SCANS,
            _ => 0,
        };
        each_word(prompt, language, &mut |word, at| {
            let is_in = |days: &NamedDays| days.at.contains(&at.start);
            if days.iter().any(is_in) {
                return;
            }
            if let Some(known) = query.words.iter().position(|known| known.lower == word) {
                repeats[known] += 1.0;
            } else if query.words.len() < MAX_WORDS {
                let own = stem(word, language);
                let speaker = speaker(word, log);
                let frame = FRAME_WORDS.split(' ').any(|frame| frame == word);
                if !frame && !is_conversation(&own) {
                    query.telling |= 1 << query.words.len();
                }
                let gain = match (frame, &speaker) {
                    (true, _) => weights.frame,
                    (false, Some(_)) => weights.speaker,
                    (false, None) => 1.0,
                };
                let variants = match speaker {
                    Some(speaker) => name(speaker, own, weights),
                    None => {
                        let mut variants = Variants::default();
                        variants.of(word, &own, language, log, weights);
                        if scans > 0 && log.terms.postings(&own).is_empty() {
                            scans -= 1;
                            compounds_ending(&own, log, &mut |term| {
                                variants.put(term, weights.compound);
                            });
                        }
                        variants.0
                    }
                };
                query.terms.push(QueryTerm { variants, gain });
                repeats.push(1.0);
                query.words.push(PromptWord {
                    at,
                    lower: word.to_owned(),
                });
            }
        });
        for (term, times) in query.terms.iter_mut().zip(repeats) {
            term.gain *= times;
        }
        for days in days {
            query.add_days(days, prompt);
        }
        query
    }
}

impl RecallQuery {
    /// Adds the days that a prompt names, as one more word of it.
    fn add_days(&mut self, days: NamedDays, prompt: &str) {
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
            lower: prompt[days.at.clone()].to_lowercase(),
            at: days.at,
        });
    }
}

/// The term of the speaker with that name.
fn speaker(word: &str, log: &LogIndex) -> Option<String> {
    let terms = LANGUAGES.map(|language| speaker_term(&stem(word, language)));
    let speaks = |term: &String| !log.terms.postings(term).is_empty();
    terms.into_iter().find(speaks)
}

/// The terms for a speaker's name. A question that names someone asks about what this person said more often than
/// about where they were called by name.
fn name(speaker: String, name: String, weights: &Weights) -> Vec<Variant> {
    let variant = |term, weight| Variant { term, weight };
    vec![variant(speaker, 1.0), variant(name, weights.addressed)]
}

/// The terms that stand for a word.
#[derive(Default)]
struct Variants(Vec<Variant>);

impl Variants {
    fn put(&mut self, term: &str, weight: f32) {
        let known = self.0.iter().any(|variant| variant.term == term);
        if weight > 0.0 && !known && self.0.len() < MAX_VARIANTS {
            let term = term.to_owned();
            self.0.push(Variant { term, weight });
        }
    }

    /// Puts a word's stem in each language, since a message may be in another one than the prompt; related and
    /// similar terms with less weight.
    fn of(&mut self, word: &str, own: &str, language: Language, log: &LogIndex, weights: &Weights) {
        self.put(own, 1.0);
        for other in LANGUAGES {
            self.put(&stem(word, other), 1.0);
        }
        match language {
            // "movin": the ending as it is typed in a hurry.
            Language::English => self.put(&format!("{own}in"), 1.0),
            Language::German => participles(own, &mut |term| self.put(term, 1.0)),
            Language::French | Language::Spanish => {}
        }
        if !own.starts_with(|c: char| c.is_ascii_digit()) {
            misspelled(own, log, weights, &mut |term, weight| {
                self.put(term, weight)
            });
            compounds(own, log, &mut |term| self.put(term, weights.compound));
        }
        if language == Language::English {
            for term in related(own) {
                self.put(term, weights.related);
            }
        }
    }
}

/// Terms of the log that are spelled almost alike, with their weight.
fn misspelled(own: &str, log: &LogIndex, weights: &Weights, put: &mut dyn FnMut(&str, f32)) {
    let (weight, least) = match log.terms.postings(own).is_empty() {
        true => (weights.typo, MIN_MISSPELLED[0]),
        false => (weights.typo_known, MIN_MISSPELLED[1]),
    };
    let Some(first) = own.chars().next() else {
        return;
    };
    if weight > 0.0 && own.chars().count() >= least {
        // The first letter is seldom wrong, and all words with it stand together.
        for (term, _) in log.terms.words_with_prefix(first.encode_utf8(&mut [0; 4])) {
            if spelled_alike(term, own) {
                put(term, weight);
            }
        }
    }
}

/// Compounds of the log that begin with a stem, and terms of the log that it begins or ends with: "Prepaidtarif"
/// has "tarif".
fn compounds(own: &str, log: &LogIndex, put: &mut dyn FnMut(&str)) {
    if own.chars().count() < MIN_IN_COMPOUND[0] {
        return;
    }
    for (term, _) in log.terms.words_with_prefix(own) {
        put(term);
    }
    for (at, _) in own.char_indices().skip(1) {
        for part in [&own[..at], &own[at..]] {
            if part.len() >= MIN_IN_COMPOUND[1] && !log.terms.postings(part).is_empty() {
                put(part);
            }
        }
    }
}

/// Compounds of the log that end with a stem which it does not have alone: "Brennnesseljauche" for "Jauche". All
/// words are looked through, which is only worth it in German: there the last part says what a compound is.
fn compounds_ending(own: &str, log: &LogIndex, put: &mut dyn FnMut(&str)) {
    if own.chars().count() >= MIN_IN_COMPOUND[0] {
        for (term, _) in log.terms.words_with_prefix("") {
            if term.ends_with(own) {
                put(term);
            }
        }
    }
}
