//! An answer as it grows: finished blocks are frozen, and only the open tail is parsed again.

use super::bounds::MAX_LINKS;
use super::cut::last_cut;
use super::grow::GrowingBlock;
use super::hidden::coded;
use super::limit::Limit;
use super::model::{ParseContext, ParseOutput, TextEnd};
use super::node::{Node, RendererNote, Tag};
use super::parse::parse;
use super::reference::{Label, References};
use super::settle::settled_prefix;
use super::words::split;
use super::work::searched;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The parsing budget in bytes: the increase for each byte received, and the amount at the start. A long open
/// block that exceeds the budget is parsed again only after more text has arrived.
const BUDGET_PER_BYTE: i64 = 8;
const INITIAL_BUDGET: i64 = 2 << 20;
/// Bytes that may be parsed for a piece of text without using the budget.
const FREE_BYTES: i64 = 4096;
/// The most marks for hidden characters in text that is not parsed yet.
const MAX_UNPARSED_MARKS: usize = 100;
/// Bytes of one piece of the unparsed rest.
const REST_PIECE_BYTES: usize = 16 << 10;

/// A top-level block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its start in the answer, in bytes.
    pub start: usize,
    /// Its content: one node. As long as it is unchanged it stays the same `Arc`.
    pub node: Arc<Node>,
}

/// Blocks that were frozen together and contain references without a definition so far.
#[cfg_attr(test, derive(Clone))]
#[derive(Debug)]
struct UnresolvedPart {
    source: Range<usize>,
    blocks: Range<usize>,
    /// Number of links in the answer before them, and in them.
    links: usize,
    own_links: usize,
    /// The number of labels they wait for.
    labels: usize,
    /// Whether a definition has arrived, so that they must be parsed again.
    again: bool,
}

/// An answer, whole or growing.
///
/// While it grows, a block is frozen as soon as no text that follows can change it: it is never parsed again,
/// and stays the same `Arc`. Markdown requires one exception: a block that contains a reference without a
/// definition (`[text][1]`) is parsed again when the definition arrives. The final blocks are equal to those
/// of the whole text parsed at once.
///
/// The total number of parsed bytes is linear in the length of the text. A long block that stays open is
/// parsed again only when it has grown by a fraction of its length; until then the new text is shown after it
/// as a paragraph.
#[cfg_attr(test, derive(Clone))]
#[derive(Debug)]
pub struct Document {
    text: String,
    blocks: Vec<Block>,
    /// The number of frozen blocks, the bytes they cover, and their links.
    frozen: usize,
    frozen_end: usize,
    frozen_links: usize,
    /// References that the frozen part uses or defines.
    references: References,
    waiting: Vec<UnresolvedPart>,
    /// Indices of the waiting parts that must be parsed again.
    again: Vec<usize>,
    /// Whether parsing them again has changed their number of links.
    recounted: bool,
    /// The last block, if it can grow in place, and the text length from which such a block is looked for
    /// again.
    open: Option<GrowingBlock>,
    find_from: usize,
    /// The remaining budget in bytes, and the end of the text that the blocks show.
    budget: i64,
    shown: usize,
    /// Whether the last block is the unparsed text that arrived since the last parse.
    shows_unparsed: bool,
    limit: Limit,
    /// Start of the last piece of the unparsed rest, if the limit is reached.
    rest_start: Option<usize>,
    finished: bool,
    parsed_bytes: usize,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            text: String::new(),
            blocks: Vec::new(),
            frozen: 0,
            frozen_end: 0,
            frozen_links: 0,
            references: References::default(),
            waiting: Vec::new(),
            again: Vec::new(),
            recounted: false,
            open: None,
            find_from: 0,
            budget: INITIAL_BUDGET,
            shown: 0,
            shows_unparsed: false,
            limit: Limit::default(),
            rest_start: None,
            finished: false,
            parsed_bytes: 0,
        }
    }
}

impl Document {
    /// An empty answer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the last of the text and finishes.
    pub fn finish_with(&mut self, more: &str) {
        self.text.push_str(more);
        self.finish();
    }

    /// Appends text.
    pub fn append(&mut self, more: &str) {
        if more.is_empty() {
            return;
        }
        self.text.push_str(more);
        self.budget += BUDGET_PER_BYTE * more.len() as i64;
        if self.budget < 0 && self.rest_start.is_none() {
            self.show_unparsed();
            return;
        }
        let before = self.parsed_bytes;
        self.hide_unparsed();
        if self.rest_start.is_some() {
            self.show_rest();
        } else if !self.try_grow() {
            self.parse();
        }
        self.parse_waiting();
        self.shown = self.text.len();
        let cost = (self.parsed_bytes - before + self.copied()) as i64;
        self.budget -= (cost - FREE_BYTES).max(0);
    }

    /// Ends the answer: no more text follows.
    pub fn finish(&mut self) {
        if self.finished {
            return;
        }
        self.finished = true;
        self.hide_unparsed();
        match self.open.take() {
            _ if self.rest_start.is_some() => self.show_rest(),
            // Do not parse a long code block once more if it already shows everything.
            Some(GrowingBlock::Code(code))
                if code.shows_all(&self.text) && self.is_plain_code(self.text.len()) =>
            {
                self.frozen += 1;
            }
            _ => self.parse(),
        }
        self.parse_waiting();
        if self.recounted && self.has_all_links() {
            self.parse_whole();
        }
        self.waiting.clear();
        self.references.clear();
    }

    /// Shows the text for which there is no budget yet, as a paragraph of its own.
    fn show_unparsed(&mut self) {
        self.hide_unparsed();
        let mut nodes = Vec::new();
        split(&self.text[self.shown..], MAX_UNPARSED_MARKS, &mut nodes);
        self.blocks.push(Block {
            start: self.shown,
            node: Arc::new(Node::element(Tag::Paragraph, nodes)),
        });
        self.shows_unparsed = true;
    }

    fn hide_unparsed(&mut self) {
        if std::mem::take(&mut self.shows_unparsed) {
            self.blocks.pop();
        }
    }

    /// The cost of copying and comparing the last block when it grows, as a number of parsed bytes.
    fn copied(&self) -> usize {
        let text = |node: Option<&Node>| match node {
            Some(Node::Text(text)) => text.len() / 64,
            _ => 0,
        };
        match self.blocks.last().map(|block| &*block.node) {
            Some(Node::Element(_, children)) => {
                let last = match children.last() {
                    Some(Node::Element(Tag::Lines, piece)) => piece.last(),
                    last => last,
                };
                children.len() / 4 + text(last)
            }
            _ => 0,
        }
    }

    /// Whether the part that is not frozen, up to `end`, is one code block that already looks as if it were
    /// parsed.
    fn is_plain_code(&self, end: usize) -> bool {
        let Some([last]) = self.blocks.get(self.frozen..) else {
            return false;
        };
        let before = self.text.get(self.frozen_end..last.start);
        let strange = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        let source = self.text.get(last.start..end);
        // A code block of the language `math` becomes a formula when its fence is closed.
        let formula =
            matches!(&*last.node, Node::Element(Tag::CodeBlock(name), _) if name == "math");
        before.is_some_and(|before| before.trim().is_empty())
            && source.is_some_and(|source| !source.contains(strange))
            && !formula
            && self.rest_start.is_none()
    }

    /// The open code block ends at `end`. Returns whether nothing else is to be done; otherwise the rest is
    /// parsed.
    fn close_code(&mut self, end: usize) -> bool {
        let plain = self.is_plain_code(end);
        if plain {
            self.frozen += 1;
            self.frozen_end = end;
        }
        plain && end == self.text.len()
    }

    /// Whether the answer is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The blocks so far. While the answer grows, its last line may be held back until its meaning is clear.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The number of frozen blocks.
    #[must_use]
    pub fn frozen(&self) -> usize {
        self.frozen
    }

    /// Whether a frozen block waits for a definition, or to be parsed again.
    #[cfg(test)]
    pub(super) fn is_waiting(&self, block: usize) -> bool {
        let waits = |part: &UnresolvedPart| part.labels > 0 || part.again;
        let of_it = |part: &&UnresolvedPart| part.blocks.contains(&block);
        self.waiting.iter().filter(of_it).any(waits)
    }

    /// An empty answer without an initial budget: text must arrive before parsing.
    #[cfg(test)]
    pub(super) fn without_budget() -> Self {
        Self {
            budget: 0,
            ..Self::default()
        }
    }

    /// The most bytes that may be parsed for a text of that length in that many pieces.
    #[cfg(test)]
    pub(super) fn most(length: usize, pieces: usize) -> usize {
        length * BUDGET_PER_BYTE as usize + pieces * FREE_BYTES as usize
    }

    /// The same document with its open paragraph, table or list parsed from its beginning; `None` if that
    /// block was not grown in place.
    #[cfg(test)]
    pub(super) fn reparsed(&self) -> Option<Self> {
        let grown = matches!(
            self.open,
            Some(GrowingBlock::Parts(_) | GrowingBlock::Prose(_))
        ) && !self.shows_unparsed;
        let mut anew = grown.then(|| self.clone())?;
        anew.open = None;
        anew.parse();
        Some(anew)
    }

    /// The total number of bytes given to the parser: the cost of streaming.
    #[must_use]
    pub fn parsed_bytes(&self) -> usize {
        self.parsed_bytes
    }

    /// Grows the last block in place. Returns whether nothing else is to be done.
    fn try_grow(&mut self) -> bool {
        let small = self.limit.scan(&self.text).is_none();
        let (Some(mut open), Some(last)) = (self.open.take(), self.blocks.last_mut()) else {
            return false;
        };
        let cost = small.then(|| open.grow(&self.text, &self.references, &mut last.node));
        match cost {
            Some(Ok(cost)) => {
                self.parsed_bytes += cost;
                if let GrowingBlock::Code(code) = &open
                    && let Some(end) = code.closed
                {
                    return self.close_code(end);
                }
                self.open = Some(open);
                true
            }
            Some(Err(cost)) => {
                // After a failed attempt, wait for as many bytes before the next one.
                self.parsed_bytes += cost;
                self.find_from = self.text.len() + cost;
                false
            }
            None => false,
        }
    }

    fn parse(&mut self) {
        let limit = self.limit.scan(&self.text);
        let head = self.text.get(..limit.unwrap_or(self.text.len()));
        let head = head.unwrap_or_default();
        // Text after this point is not parsed together with this part.
        let last = self.finished || limit.is_some();
        let start = self.frozen_end;
        let tail = match last {
            false => settled_prefix(&head[start..]),
            true => (&head[start..]).into(),
        };
        // Count the held-back text too: a line without an end is scanned again for each piece.
        let looked_at = head.len() - start;
        self.parsed_bytes += looked_at;
        searched(looked_at);
        let links = self.frozen_links;
        let end = match (last, limit) {
            (false, _) => TextEnd::Growing,
            (true, None) => TextEnd::Ended,
            (true, Some(_)) => TextEnd::Cut,
        };
        let before = ParseContext::of(&tail, &head[start..], end, links, &self.references);
        let outcome = parse(&tail, &before);
        let altered = matches!(tail, Cow::Owned(_));
        let blocks = &outcome.blocks;
        let cut = match last {
            true => Some((blocks.len(), tail.len())),
            // A block that was completed for display is not final.
            false => last_cut(
                &tail,
                blocks,
                blocks.len() - usize::from(altered && !blocks.is_empty()),
            ),
        };
        // A frozen block does not grow.
        let is_open = cut.is_none_or(|(count, _)| count < blocks.len());
        if is_open && self.text.len() >= self.find_from {
            self.open = GrowingBlock::find(&tail, &outcome, altered, start, &before);
        }
        let ParseOutput {
            mut blocks,
            mut definitions,
            mut unknown,
        } = outcome;
        if let Some((count, end)) = cut
            && definitions.iter().any(|(at, ..)| *at > end)
        {
            // A link definition after the cut may still change, so the frozen part is parsed without it. The
            // text at the cut does not continue.
            let alone = ParseContext {
                end: TextEnd::Cut,
                own: usize::MAX,
                ..before
            };
            let alone = parse(&tail[..end], &alone);
            blocks.splice(..count, alone.blocks);
            (definitions, unknown) = (alone.definitions, alone.unknown);
            self.parsed_bytes += end;
        }
        let links = blocks.iter().map(|block| block.links);
        let (count, end) = cut.unwrap_or_default();
        let links = links.take(count).sum::<usize>();
        let frozen = self.frozen..self.frozen + count;
        self.blocks.truncate(self.frozen);
        self.blocks.extend(blocks.into_iter().map(|block| Block {
            start: start + block.start,
            node: block.node,
        }));
        if cut.is_some() {
            self.freeze(frozen, end, links, unknown, definitions);
        }
        if let Some(limit) = limit {
            let node = Arc::new(Node::Note(RendererNote::TooLong { rest: 0 }));
            self.blocks.push(Block { start: limit, node });
            self.rest_start = Some(limit);
            self.open = None;
            self.show_rest();
        }
    }

    /// Adds the unparsed rest in pieces; all but the last one are final.
    fn show_rest(&mut self) {
        let Some(mut at) = self.rest_start else {
            return;
        };
        while let Some(rest) = self.text.get(at..).filter(|rest| !rest.is_empty()) {
            let full = rest.floor_char_boundary(REST_PIECE_BYTES);
            let line = rest[..full].rfind('\n').map_or(full, |line| line + 1);
            let end = if rest.len() > full { line } else { rest.len() };
            let text = Node::Text(coded(&rest[..end]));
            let node = Arc::new(Node::element(Tag::Rest, vec![text]));
            // The start differs from the note's by one byte, because block starts must differ.
            let block = Block {
                start: at + 1,
                node,
            };
            if self.blocks.last().is_some_and(|last| last.start == at + 1) {
                self.blocks.pop();
            }
            self.blocks.push(block);
            if rest.len() <= full {
                break;
            }
            at += end;
        }
        self.rest_start = Some(at);
        // The note is the first block after the frozen ones.
        if let Some(note) = self.blocks.get_mut(self.frozen) {
            let rest = self.text.len() - note.start;
            note.node = Arc::new(Node::Note(RendererNote::TooLong { rest }));
        }
    }

    /// Freezes the blocks `frozen`, which end `end` bytes after the part that is frozen already.
    fn freeze(
        &mut self,
        frozen: Range<usize>,
        end: usize,
        links: usize,
        unknown: Vec<(usize, Label)>,
        definitions: Vec<(usize, Label, String)>,
    ) {
        let mut part = UnresolvedPart {
            source: self.frozen_end..self.frozen_end + end,
            blocks: frozen.clone(),
            links: self.frozen_links,
            own_links: links,
            labels: 0,
            again: false,
        };
        self.frozen = frozen.end;
        self.frozen_end += end;
        self.frozen_links += links;
        for (_, label, destination) in definitions.into_iter().filter(|(at, ..)| *at <= end) {
            let reference = self.references.entry(label).or_default();
            for index in std::mem::take(&mut reference.waiting) {
                let waiting = &mut self.waiting[index];
                waiting.labels -= 1;
                if !std::mem::replace(&mut waiting.again, true) {
                    self.again.push(index);
                }
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
    }

    /// Parses the blocks again whose definitions have arrived, as far as the budget allows; at the end of the
    /// answer all of them.
    fn parse_waiting(&mut self) {
        let begin = self.parsed_bytes;
        while let Some(index) = self.again.pop() {
            let length = self.waiting[index].source.len();
            let cost = (self.parsed_bytes - begin + length) as i64;
            if !self.finished && cost > self.budget.max(FREE_BYTES) {
                self.again.push(index);
                return;
            }
            self.parse_again(index);
        }
    }

    /// Parses blocks again after a definition they waited for has arrived.
    fn parse_again(&mut self, index: usize) {
        let waiting = &mut self.waiting[index];
        waiting.again = false;
        let before = ParseContext {
            links: waiting.links,
            references: &self.references,
            end: TextEnd::Cut,
            own: usize::MAX,
        };
        let source = &self.text[waiting.source.clone()];
        self.parsed_bytes += source.len();
        let parsed = parse(source, &before).blocks;
        let links = parsed.iter().map(|block| block.links).sum();
        self.recounted |= waiting.own_links != links;
        waiting.own_links = links;
        let blocks = &mut self.blocks[waiting.blocks.clone()];
        for (block, fresh) in blocks.iter_mut().zip(parsed) {
            if *block.node != *fresh.node {
                block.node = fresh.node;
            }
        }
    }

    /// Whether the maximum number of links is reached, so that links may have been left out.
    fn has_all_links(&self) -> bool {
        let late = self.waiting.iter().map(|part| part.own_links);
        self.frozen_links + late.sum::<usize>() >= MAX_LINKS
    }

    /// Parses the whole text at once.
    fn parse_whole(&mut self) {
        *self = Self {
            text: std::mem::take(&mut self.text),
            parsed_bytes: self.parsed_bytes,
            finished: true,
            ..Self::default()
        };
        self.parse();
    }
}
