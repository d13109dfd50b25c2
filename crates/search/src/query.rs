//! Parses a query.

use sash_text::{SegmentKind, each_emoji_form, each_part, each_word, fold};
use std::collections::BTreeSet;
use std::ops::Range;

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchQuery {
    /// Words and emoji that must occur exactly.
    pub(super) words: Vec<String>,
    /// The last word, while it is being typed: a prefix.
    pub(super) begun: Option<String>,
    /// Runs of a script without spaces, which must occur as a whole.
    pub(super) runs: Vec<String>,
}

impl SearchQuery {
    /// Parses a query.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut query = Self::default();
        each_word(text, &mut |kind, word, at| match kind {
            SegmentKind::Word if at.end == text.len() => query.begun = Some(word.to_owned()),
            SegmentKind::Word | SegmentKind::Emoji => query.words.push(word.to_owned()),
            SegmentKind::Run => query.runs.push(word.to_owned()),
        });
        query
    }

    /// Whether the query has no letters, no digits and no emoji.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.begun.is_none() && self.runs.is_empty()
    }

    /// Whether the index alone cannot decide: it holds pairs of characters, and a run is longer.
    pub(super) fn needs_text(&self) -> bool {
        self.runs.iter().any(|run| run.chars().nth(2).is_some())
    }

    /// Whether a text contains every run as a whole.
    pub(super) fn has_runs(&self, text: &str) -> bool {
        let mut missing: Vec<&String> = self.runs.iter().collect();
        each_word(text, &mut |kind, found, _| {
            if kind == SegmentKind::Run {
                missing.retain(|run| !found.contains(run.as_str()));
            }
        });
        missing.is_empty()
    }

    /// Calls `each` with the index keys that must all be present, without the prefix.
    pub(super) fn each_key(&self, each: &mut dyn FnMut(&str)) {
        // A pasted text has its common words many times.
        let words: BTreeSet<&String> = self.words.iter().collect();
        words.into_iter().for_each(|word| each(word));
        for run in &self.runs {
            let single = run.chars().nth(1).is_none();
            each_part(run, &mut |part| {
                // A pair implies its two characters.
                if single || part.chars().nth(1).is_some() {
                    each(part);
                }
            });
        }
    }

    /// The number of words and runs.
    pub(super) fn len(&self) -> usize {
        self.words.len() + self.runs.len() + usize::from(self.begun.is_some())
    }

    /// The ranges of the matches in a text, in order.
    #[must_use]
    pub fn matches(&self, text: &str) -> Vec<Range<usize>> {
        self.places(text).into_iter().map(|(at, _)| at).collect()
    }

    /// The matches in a text, in order: their ranges, each with the index of its word in the query.
    pub(super) fn places(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        let mut places = Vec::new();
        each_word(text, &mut |kind, word, at| match kind {
            SegmentKind::Word => places.extend(self.place(word).map(|which| (at, which))),
            SegmentKind::Emoji => {
                let mut found = None;
                each_emoji_form(word, &mut |form| found = found.or_else(|| self.place(form)));
                places.extend(found.map(|which| (at, which)));
            }
            SegmentKind::Run => {
                for (place, run) in self.runs.iter().enumerate() {
                    let which = self.words.len() + 1 + place;
                    for found in run_places(&text[at.clone()], run) {
                        places.push((at.start + found.start..at.start + found.end, which));
                    }
                }
            }
        });
        places.sort_by_key(|(at, _)| at.start);
        places
    }

    /// The index of a word of a text in the query, if the query has it.
    fn place(&self, word: &str) -> Option<usize> {
        let whole = self.words.iter().position(|wanted| wanted == word);
        let begun = self.begun.as_deref();
        let begun = begun.filter(|begun| word.starts_with(*begun));
        whole.or(begun.map(|_| self.words.len()))
    }
}

/// The positions of `run` in a part of a text that is not folded yet. Folding keeps the number of characters
/// in these scripts, apart from marks, which belong to the character before.
fn run_places(text: &str, run: &str) -> Vec<Range<usize>> {
    let mut folded = String::new();
    // For each byte of the folded text, the range of bytes in the original.
    let mut from: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices() {
        fold(c, &mut folded);
        from.resize(folded.len(), at..at + c.len_utf8());
    }
    let found = folded
        .match_indices(run)
        .filter_map(|(at, run)| Some(from.get(at)?.start..from.get(at + run.len() - 1)?.end));
    found.collect()
}
