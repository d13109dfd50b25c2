//! Makes the block of earlier messages that goes with a question: the best first until the tokens are used up, in
//! the block in the order of time. Each stands between fences, so that no message can end its quotation and speak as the
//! person. Blocks of earlier versions have no fences; they are stored with their questions and stay as they are.

use super::{Estimate, Size};
use crate::{Id, Message, RecalledBlock, RecalledPiece, Role};
use sash_text::{fence, fenced};
use std::borrow::Cow;

const OPENING: &str = "Earlier messages that may help with what follows, quoted word for word:";
const CLOSING: &str = "(End of the quoted messages.)";
/// Stands where a part of a message is left out.
const OMITTED: &str = "[…]";
/// An excerpt of fewer tokens says too little to be worth its label.
const MIN_EXCERPT_TOKENS: u64 = 32;
/// The words of a match that choose the paragraphs of an excerpt.
const MAX_WORDS: usize = 8;

/// A message that may be recalled.
#[derive(Clone, Debug)]
pub struct RecallCandidate<'a> {
    /// The message.
    pub message: Cow<'a, Message>,
    /// Its chat and that one's title; `None` is the chat of the question.
    pub chat: Option<(Id, String)>,
    /// The day on which it was written, in words.
    pub date: String,
    /// The words by which it was found, as they are written in it or in the prompt.
    pub words: &'a [String],
}

/// Quotes candidates, which come best first, until the next one does not fit into `tokens`. Of a message that is
/// too long by itself the paragraphs are quoted that hold most of the words by which it was found. `None` if
/// nothing fits. Candidates behind the last one that is tried are not asked for.
#[must_use]
pub fn recalled_block<'a>(
    candidates: impl IntoIterator<Item = RecallCandidate<'a>>,
    tokens: u64,
    estimate: Estimate,
) -> Option<RecalledBlock> {
    let cost = |text: &str| estimate.part(Size::of_part(text));
    let mut left = tokens.checked_sub(cost(OPENING) + cost(CLOSING))?;
    let mut quoted = Vec::new();
    for candidate in candidates {
        let label = label(&candidate);
        let text = candidate.message.sent_text(false);
        let text = text.trim();
        let room = left.saturating_sub(cost(&label));
        let whole = fenced(text);
        let (said, excerpt) = match cost(&whole) {
            all if all <= room => (whole, false),
            _ if room < MIN_EXCERPT_TOKENS => break,
            _ => {
                let room = room.saturating_sub(2 * cost(&fence(text)));
                match excerpt(text, candidate.words, room, &cost) {
                    Some(part) => (fenced(&part), true),
                    None => break,
                }
            }
        };
        left = room.saturating_sub(cost(&said));
        let Message {
            id, created, seq, ..
        } = *candidate.message;
        let piece = RecalledPiece {
            message: id,
            chat: candidate.chat.as_ref().map(|(id, _)| *id),
            excerpt,
        };
        quoted.push(((created, seq), piece, format!("{label}\n{said}")));
        if excerpt {
            break;
        }
    }
    quoted.sort_by_key(|(order, ..)| *order);
    let (pieces, said): (Vec<RecalledPiece>, Vec<String>) = quoted
        .into_iter()
        .map(|(_, piece, said)| (piece, said))
        .unzip();
    (!pieces.is_empty()).then(|| RecalledBlock {
        pieces,
        text: format!("{OPENING}\n\n{}\n\n{CLOSING}", said.join("\n\n")),
    })
}

fn label(candidate: &RecallCandidate<'_>) -> String {
    let speaker = match candidate.message.role {
        Role::User => "the user",
        Role::Assistant => "the assistant",
        Role::System => "the system prompt",
        Role::Tool => "a tool",
    };
    match &candidate.chat {
        None => format!("[{}, {speaker}]", candidate.date),
        Some((_, title)) => {
            // A title can neither end its line nor its quotation marks.
            let ends = |c: char| c.is_control() || "]“”\u{2028}\u{2029}".contains(c);
            let title = title.replace(ends, " ");
            format!("[{}, {speaker}, in the chat “{title}”]", candidate.date)
        }
    }
}

/// The paragraphs of a text around that with most of the `words`, as many as fit. A paragraph that is too long is
/// cut into lines.
fn excerpt(
    text: &str,
    words: &[String],
    tokens: u64,
    cost: &dyn Fn(&str) -> u64,
) -> Option<String> {
    let room = tokens.saturating_sub(2 * cost(OMITTED));
    let paragraphs: Vec<&str> = text
        .split("\n\n")
        .filter(|p| !p.trim().is_empty())
        .collect();
    best_run(&paragraphs, "\n\n", words, room, cost).or_else(|| {
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        best_run(&lines, "\n", words, room, cost)
    })
}

/// The run of parts that holds the best one and fits.
fn best_run(
    parts: &[&str],
    separator: &str,
    words: &[String],
    room: u64,
    cost: &dyn Fn(&str) -> u64,
) -> Option<String> {
    let words: Vec<String> = words
        .iter()
        .take(MAX_WORDS)
        .map(|w| w.to_lowercase())
        .collect();
    let matches = |part: &str| {
        let part = part.to_lowercase();
        words.iter().filter(|word| part.contains(&***word)).count()
    };
    let costs: Vec<u64> = parts.iter().map(|part| cost(part) + 1).collect();
    // The first of the best ones that fit.
    let fits = (0..parts.len()).rev().filter(|at| costs[*at] <= room);
    let best = fits.max_by_key(|at| matches(parts[*at]))?;
    let (mut from, mut to) = (best, best + 1);
    let mut left = room - costs[best];
    loop {
        if to < parts.len() && costs[to] <= left {
            left -= costs[to];
            to += 1;
        } else if from > 0 && costs[from - 1] <= left {
            left -= costs[from - 1];
            from -= 1;
        } else {
            break;
        }
    }
    let before = (from > 0).then_some(OMITTED);
    let after = (to < parts.len()).then_some(OMITTED);
    let run: Vec<&str> = before
        .into_iter()
        .chain(parts[from..to].iter().copied())
        .chain(after)
        .collect();
    Some(run.join(separator))
}

#[cfg(test)]
mod tests;
