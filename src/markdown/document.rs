//! An answer as it grows: finished blocks are frozen, the open tail is parsed again.

use super::cut::last_cut;
use super::grow::Open;
use super::node::{Node, Note, Tag};
use super::parse::{Before, Label, Outcome, References, parse};
use super::settle::settled;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// How much of an answer is parsed, in bytes; the rest is shown as plain text.
pub const MAX_BYTES: usize = 1 << 20;

/// A top-level block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it begins in the answer, in bytes.
    pub start: usize,
    /// What it shows: one node. While that is the same it is the same `Arc`.
    pub node: Arc<Node>,
}

/// Blocks that were frozen together and name references which are not defined so far.
#[cfg_attr(test, derive(Clone))]
#[derive(Debug)]
struct Waiting {
    source: Range<usize>,
    blocks: Range<usize>,
    /// Links in the answer before them.
    links: usize,
    /// How many labels they wait for.
    labels: usize,
    /// One of these has just come.
    again: bool,
}

/// A reference: its definition, if that has come, and which of [`Document::waiting`] wait for it.
#[cfg_attr(test, derive(Clone))]
#[derive(Debug, Default)]
pub(super) struct Reference {
    pub to: Option<String>,
    waiting: Vec<usize>,
}

/// An answer, whole or growing.
///
/// While it grows, a block is frozen as soon as nothing that may follow can change it: it is never
/// parsed again, and stays the same `Arc`. There is one exception, because Markdown has it: a block that
/// names a reference without a definition (`[text][1]`) waits for it ([`is_waiting`](Self::is_waiting)),
/// and is parsed again when the definition comes. The blocks in the end are those of the whole text
/// parsed at once.
#[cfg_attr(test, derive(Clone))]
#[derive(Debug, Default)]
pub struct Document {
    text: String,
    blocks: Vec<Block>,
    /// How many blocks are frozen, the bytes they cover, the links they hold.
    frozen: usize,
    frozen_end: usize,
    frozen_links: usize,
    /// References that the frozen part names or defines.
    references: References,
    waiting: Vec<Waiting>,
    /// The last block, if it is one that can grow, and from what length on it is looked for again.
    open: Option<Open>,
    again: usize,
    finished: bool,
    parsed_bytes: usize,
}

impl Document {
    /// An empty answer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes all there is, or the last of it.
    pub fn end_with(&mut self, more: &str) {
        self.text.push_str(more);
        self.finish();
    }

    /// Takes what came.
    pub fn append(&mut self, more: &str) {
        if more.is_empty() {
            return;
        }
        self.text.push_str(more);
        if !self.grows() {
            self.parse();
        }
    }

    /// Says that no more text comes.
    pub fn finish(&mut self) {
        if self.finished {
            return;
        }
        self.finished = true;
        match self.open.take() {
            // Of 5,000 lines nothing is parsed once more.
            Some(Open::Code(code))
                if code.shows_all(&self.text) && self.is_plain_code(self.text.len()) =>
            {
                self.frozen += 1;
            }
            _ => self.parse(),
        }
        self.waiting.clear();
        self.references.clear();
    }

    /// Whether what is not frozen, up to `end`, is one block of code, shown as it would be parsed.
    fn is_plain_code(&self, end: usize) -> bool {
        let Some([last]) = self.blocks.get(self.frozen..) else {
            return false;
        };
        let before = self.text.get(self.frozen_end..last.start);
        let strange = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        let source = self.text.get(last.start..end);
        // A fence of a formula becomes one when it is closed.
        let formula =
            matches!(&*last.node, Node::Element(Tag::CodeBlock(name), _) if name == "math");
        before.is_some_and(|before| before.trim().is_empty())
            && source.is_some_and(|source| !source.contains(strange))
            && !formula
            && self.text.len() <= MAX_BYTES
    }

    /// The open block of code ends at `end`. Whether that is all there is to do; if not, it is parsed.
    fn close_code(&mut self, end: usize) -> bool {
        let plain = self.is_plain_code(end);
        if plain {
            self.frozen += 1;
            self.frozen_end = end;
        }
        plain && end == self.text.len()
    }

    /// Whether there is nothing of it yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The blocks so far. While the answer grows, the last line may be held back until it is clear
    /// what it is.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// How many of the blocks are frozen.
    #[must_use]
    pub fn frozen(&self) -> usize {
        self.frozen
    }

    /// Whether a frozen block waits for the definition of a reference that it names.
    #[must_use]
    pub fn is_waiting(&self, block: usize) -> bool {
        let waits = |part: &Waiting| part.labels > 0 && part.blocks.contains(&block);
        self.waiting.iter().any(waits)
    }

    /// The same as if its open paragraph, table or list had not grown, but had been parsed from its beginning; nothing
    /// if it has not grown.
    #[cfg(test)]
    pub(super) fn parsed_anew(&self) -> Option<Self> {
        let grown = matches!(self.open, Some(Open::Parts(_) | Open::Prose(_)));
        let mut anew = grown.then(|| self.clone())?;
        anew.open = None;
        anew.parse();
        Some(anew)
    }

    /// How many bytes were given to the parser in all: what streaming costs.
    #[must_use]
    pub fn parsed_bytes(&self) -> usize {
        self.parsed_bytes
    }

    /// If the last block is one that goes on, that is all there is to do.
    fn grows(&mut self) -> bool {
        let small = self.text.len() <= MAX_BYTES;
        let (Some(mut open), Some(last)) = (self.open.take(), self.blocks.last_mut()) else {
            return false;
        };
        let cost = small.then(|| open.grow(&self.text, &self.references, &mut last.node));
        match cost {
            Some(Ok(cost)) => {
                self.parsed_bytes += cost;
                if let Open::Code(code) = &open
                    && let Some(end) = code.closed
                {
                    return self.close_code(end);
                }
                self.open = Some(open);
                true
            }
            Some(Err(cost)) => {
                // What was tried in vain is not tried again at once.
                self.parsed_bytes += cost;
                self.again = self.text.len() + cost;
                false
            }
            None => false,
        }
    }

    fn parse(&mut self) {
        let limit = self.text.floor_char_boundary(MAX_BYTES);
        let (head, beyond) = self.text.split_at(limit);
        let open = !self.finished && beyond.is_empty();
        let start = self.frozen_end;
        let tail = match open {
            true => settled(&head[start..]),
            false => (&head[start..]).into(),
        };
        self.parsed_bytes += tail.len();
        let links = self.frozen_links;
        let before = Before::of(&tail, &head[start..], open, links, &self.references);
        let outcome = parse(&tail, &before);
        let altered = matches!(tail, Cow::Owned(_));
        if open && self.text.len() >= self.again {
            self.open = Open::find(&tail, &outcome, altered, start, &before);
        }
        let Outcome {
            mut blocks,
            mut definitions,
            mut unknown,
        } = outcome;
        let cut = match self.finished {
            true => Some((blocks.len(), tail.len())),
            // What was finished for show is not final.
            false => last_cut(
                &tail,
                &blocks,
                blocks.len() - usize::from(altered && !blocks.is_empty()),
            ),
        };
        if let Some((count, end)) = cut
            && definitions.iter().any(|(at, ..)| *at > end)
        {
            // What is half a definition now may become another one: what is final must not have seen it.
            let alone = parse(&tail[..end], &before);
            blocks.splice(..count, alone.blocks);
            (definitions, unknown) = (alone.definitions, alone.unknown);
            self.parsed_bytes += end;
        }
        let rest = (!beyond.is_empty())
            .then(|| Node::element(Tag::Raw, vec![Node::Text(beyond.to_owned())]));
        let links = blocks.iter().map(|block| block.links);
        let (count, end) = cut.unwrap_or_default();
        let links = links.take(count).sum::<usize>();
        let frozen = self.frozen..self.frozen + count;
        self.blocks.truncate(self.frozen);
        self.blocks.extend(blocks.into_iter().map(|block| Block {
            start: start + block.start,
            node: block.node,
        }));
        if let Some(rest) = rest {
            for (start, node) in [(limit, Node::Note(Note::TooLong)), (limit + 1, rest)] {
                let node = Arc::new(node);
                self.blocks.push(Block { start, node });
            }
        }
        if cut.is_some() {
            self.freeze(frozen, end, links, unknown, definitions);
        }
    }

    /// The blocks `frozen`, which end at `end` behind those that are frozen already, are final.
    fn freeze(
        &mut self,
        frozen: Range<usize>,
        end: usize,
        links: usize,
        unknown: Vec<(usize, Label)>,
        definitions: Vec<(usize, Label, String)>,
    ) {
        let mut part = Waiting {
            source: self.frozen_end..self.frozen_end + end,
            blocks: frozen.clone(),
            links: self.frozen_links,
            labels: 0,
            again: false,
        };
        self.frozen = frozen.end;
        self.frozen_end += end;
        self.frozen_links += links;
        for (_, label, destination) in definitions.into_iter().filter(|(at, ..)| *at <= end) {
            let reference = self.references.entry(label).or_default();
            for index in std::mem::take(&mut reference.waiting) {
                self.waiting[index].labels -= 1;
                self.waiting[index].again = true;
            }
            reference.to.get_or_insert(destination);
        }
        let known = self.waiting.len();
        for (_, label) in unknown.into_iter().filter(|(at, _)| *at < end) {
            let reference = self.references.entry(label).or_default();
            if reference.to.is_none() && reference.waiting.last() != Some(&known) {
                reference.waiting.push(known);
                part.labels += 1;
            }
        }
        if part.labels > 0 {
            self.waiting.push(part);
        }
        for index in 0..known {
            if std::mem::take(&mut self.waiting[index].again) {
                self.parse_again(index);
            }
        }
    }

    /// Parses blocks again that waited for a definition, which is there now.
    fn parse_again(&mut self, index: usize) {
        let Waiting {
            source,
            blocks,
            links,
            ..
        } = &self.waiting[index];
        let before = Before {
            links: *links,
            references: &self.references,
            open: false,
            own: usize::MAX,
        };
        self.parsed_bytes += source.len();
        let parsed = parse(&self.text[source.clone()], &before).blocks;
        for (block, fresh) in self.blocks[blocks.clone()].iter_mut().zip(parsed) {
            if *block.node != *fresh.node {
                block.node = fresh.node;
            }
        }
    }
}
