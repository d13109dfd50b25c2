//! The excerpt of a message that is shown with a result.

use super::SearchQuery;
use sash_chat::{Message, shown_text};
use std::ops::Range;

/// The longest excerpt, in characters.
const MAX_SNIPPET_CHARS: usize = 180;
/// How many characters of it come before the match.
const LEAD_CHARS: usize = 40;

/// An excerpt of a message, on one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The text.
    pub text: String,
    /// The byte ranges of the matches, in order.
    pub marks: Vec<Range<usize>>,
}

impl Snippet {
    /// The excerpt of a message, as [`Snippet::new`]: what a person wrote is as it is, an answer is without its marks.
    #[must_use]
    pub fn of(message: &Message, query: &SearchQuery) -> Self {
        let find = |text: &str| {
            let places = query.places(text);
            let best = best(&places, query.len());
            best.map(|(place, _)| place.start)
        };
        Self::new(&shown_text(message, find), query)
    }

    /// The excerpt of `text` that has the most different words of the query close together; the beginning if
    /// it has none.
    #[must_use]
    pub fn new(text: &str, query: &SearchQuery) -> Self {
        let places = query.places(text);
        let best = best(&places, query.len());
        let from = start(text, best.map_or(0, |(at, _)| at.start));
        let mut snippet = Self::default();
        if from > 0 {
            snippet.text.push_str("… ");
        }
        let mut left = MAX_SNIPPET_CHARS;
        let mut marked = places
            .iter()
            .skip_while(|(at, _)| at.start < from)
            .peekable();
        let mut open: Option<(usize, usize)> = None;
        for (at, c) in text[from..].char_indices() {
            let at = from + at;
            if let Some((end, begun)) = open
                && at >= end
            {
                snippet.marks.push(begun..snippet.text.len());
                open = None;
            }
            // Do not cut within a match.
            if left == 0 && open.is_none() {
                snippet.text.truncate(snippet.text.trim_end().len());
                snippet.text.push('…');
                return snippet;
            }
            while let Some((place, _)) = marked.next_if(|(place, _)| place.start <= at) {
                let begun = open.map_or(snippet.text.len(), |(_, begun)| begun);
                open = Some((place.end.max(open.map_or(0, |(end, _)| end)), begun));
            }
            let fresh = snippet.text.is_empty() || snippet.text.ends_with(' ');
            if c.is_whitespace() || c.is_control() {
                if !fresh {
                    snippet.text.push(' ');
                }
                continue;
            }
            left = left.saturating_sub(1);
            snippet.text.push(c);
        }
        if let Some((_, begun)) = open {
            snippet.marks.push(begun..snippet.text.len());
        }
        snippet.text.truncate(snippet.text.trim_end().len());
        snippet
    }

    /// The text in parts, each with whether it is a match.
    pub fn parts(&self) -> impl Iterator<Item = (&str, bool)> {
        let mut at = 0;
        let ends = self
            .marks
            .iter()
            .flat_map(|mark| [(mark.start, false), (mark.end, true)]);
        ends.chain([(self.text.len(), false)])
            .filter_map(move |(end, marked)| {
                let part = self.text.get(at..end)?;
                at = end;
                (!part.is_empty()).then_some((part, marked))
            })
    }
}

/// The position after which the most different words are close together.
fn best(places: &[(Range<usize>, usize)], words: usize) -> Option<(Range<usize>, usize)> {
    let mut best: Option<(Range<usize>, usize)> = None;
    for (at, (place, _)) in places.iter().enumerate() {
        let near = places[at..]
            .iter()
            .take_while(|(other, _)| other.end < place.start + MAX_SNIPPET_CHARS - LEAD_CHARS);
        let mut seen: Vec<usize> = Vec::new();
        for (_, which) in near {
            if !seen.contains(which) {
                seen.push(*which);
            }
        }
        if best.as_ref().is_none_or(|(_, most)| seen.len() > *most) {
            let all = seen.len() == words;
            best = Some((place.clone(), seen.len()));
            if all {
                break;
            }
        }
    }
    best
}

/// Start of the excerpt: a word a little before `at`, or the beginning of the text.
fn start(text: &str, at: usize) -> usize {
    let before = &text[..at];
    if before.chars().count() <= LEAD_CHARS {
        return 0;
    }
    let from = before
        .char_indices()
        .rev()
        .nth(LEAD_CHARS)
        .map_or(0, |(at, _)| at);
    let blank = text[from..at].find(char::is_whitespace);
    blank.map_or(from, |blank| {
        let rest = &text[from + blank..at];
        from + blank + rest.len() - rest.trim_start().len()
    })
}
