//! What is looked for, taken apart.

use super::words::{SegmentKind, each_part, each_word};
use std::ops::Range;

/// A query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Words that must stand there as they are.
    pub(super) words: Vec<String>,
    /// The last word, while it is being typed: any that begins so.
    pub(super) begun: Option<String>,
    /// Runs of characters without blanks, which must stand there in one piece.
    pub(super) runs: Vec<String>,
}

impl Query {
    /// Takes a query apart.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut query = Self::default();
        each_word(text, &mut |kind, word, at| match kind {
            SegmentKind::Word if at.end == text.len() => query.begun = Some(word.to_owned()),
            SegmentKind::Word => query.words.push(word.to_owned()),
            SegmentKind::Run => query.runs.push(word.to_owned()),
        });
        query
    }

    /// Whether nothing is looked for: no letter and no digit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.begun.is_none() && self.runs.is_empty()
    }

    /// Whether the index alone cannot tell: it knows pairs of characters, and a run has more.
    pub(super) fn needs_text(&self) -> bool {
        self.runs.iter().any(|run| run.chars().nth(2).is_some())
    }

    /// Whether a text has every run in one piece.
    pub(super) fn has_runs(&self, text: &str) -> bool {
        let mut missing: Vec<&String> = self.runs.iter().collect();
        each_word(text, &mut |kind, found, _| {
            if kind == SegmentKind::Run {
                missing.retain(|run| !found.contains(run.as_str()));
            }
        });
        missing.is_empty()
    }

    /// The keys in the index that must all be there, apart from the word that is only begun.
    pub(super) fn each_key(&self, each: &mut dyn FnMut(&str)) {
        for word in &self.words {
            each(word);
        }
        for run in &self.runs {
            let single = run.chars().nth(1).is_none();
            each_part(run, &mut |part| {
                // A pair says all that its two characters say.
                if single || part.chars().nth(1).is_some() {
                    each(part);
                }
            });
        }
    }

    /// How many words and runs there are.
    pub(super) fn len(&self) -> usize {
        self.words.len() + self.runs.len() + usize::from(self.begun.is_some())
    }

    /// Where a text has what is looked for, in order: the places, each with the number of the word it is.
    pub(super) fn places(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        let mut places = Vec::new();
        each_word(text, &mut |kind, word, at| match kind {
            SegmentKind::Word => {
                let begun = self
                    .begun
                    .iter()
                    .position(|begun| word.starts_with(begun.as_str()))
                    .map(|_| self.words.len());
                let whole = self.words.iter().position(|wanted| wanted == word);
                if let Some(which) = whole.or(begun) {
                    places.push((at, which));
                }
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
}

/// Where `run` stands in a part of a text, which is not folded yet: folding keeps the number of characters
/// of these scripts, apart from marks, which belong to the character before.
fn run_places(text: &str, run: &str) -> Vec<Range<usize>> {
    let mut folded = String::new();
    // For each byte of the folded text, which bytes of the text it stands for.
    let mut from: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices() {
        super::fold::fold(c, &mut folded);
        from.resize(folded.len(), at..at + c.len_utf8());
    }
    let found = folded
        .match_indices(run)
        .filter_map(|(at, run)| Some(from.get(at)?.start..from.get(at + run.len() - 1)?.end));
    found.collect()
}
