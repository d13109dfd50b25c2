//! An answer as it grows: finished blocks are frozen, the open tail is parsed again.

use super::node::{Node, Note, Tag};
use super::parse::{Before, Label, parse};
use super::settle::settled;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How much of an answer is parsed, in bytes; the rest is shown as plain text.
pub const MAX_BYTES: usize = 1 << 20;

/// A top-level block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Changes with position or content, and only with them.
    pub key: u64,
    /// What it shows: one node.
    pub node: Arc<Node>,
}

/// An answer, whole or growing.
///
/// While it grows, a block is frozen as soon as nothing that may follow can change it: it is never
/// parsed again, and its key stays. Only a reference definition that comes late can reach back;
/// [`finish`](Self::finish) sees to that. After `finish` the blocks are those of the whole text.
#[derive(Default)]
pub struct Document {
    text: String,
    blocks: Vec<Block>,
    /// How many blocks are frozen, the bytes they cover, the links they hold.
    frozen: usize,
    frozen_end: usize,
    frozen_links: usize,
    /// Reference definitions in the frozen part.
    definitions: HashMap<Label, String>,
    has_definitions: bool,
    finished: bool,
    parsed_bytes: usize,
}

impl Document {
    /// An empty answer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the whole text so far. Text that does not continue the last one is a fresh start.
    pub fn update(&mut self, text: &str) {
        if !text.starts_with(&self.text) || (self.finished && text.len() > self.text.len()) {
            *self = Self::new();
        }
        if text.len() > self.text.len() {
            self.text.push_str(&text[self.text.len()..]);
            self.parse();
        }
    }

    /// Says that no more text comes.
    pub fn finish(&mut self) {
        if self.finished {
            return;
        }
        self.finished = true;
        if self.has_definitions {
            self.frozen = 0;
            self.frozen_end = 0;
            self.frozen_links = 0;
            self.definitions.clear();
        }
        self.parse();
    }

    /// The blocks so far. While the answer grows, the last line may be held back until it is clear
    /// what it is.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// How many of the blocks are frozen.
    pub fn frozen(&self) -> usize {
        self.frozen
    }

    /// How many bytes were given to the parser in all: what streaming costs.
    pub fn parsed_bytes(&self) -> usize {
        self.parsed_bytes
    }

    fn parse(&mut self) {
        let limit = self.text.floor_char_boundary(MAX_BYTES);
        let (head, beyond) = self.text.split_at(limit);
        let open = !self.finished && beyond.is_empty();
        let mut tail = &head[self.frozen_end..];
        if open {
            tail = settled(tail);
        }
        self.parsed_bytes += tail.len();
        let before = Before {
            links: self.frozen_links,
            definitions: &self.definitions,
            open,
        };
        let (parsed, definitions) = parse(tail, &before);
        self.has_definitions |= !definitions.is_empty();

        self.blocks.truncate(self.frozen);
        let cut = (1..parsed.len())
            .rev()
            .find_map(|index| Some((index, safe_cut(tail, parsed[index].start)?)));
        if let Some((count, end)) = cut.filter(|_| !self.finished) {
            self.frozen += count;
            self.frozen_links += parsed[..count]
                .iter()
                .map(|block| block.links)
                .sum::<usize>();
            for (at, label, destination) in definitions {
                if at <= end {
                    self.definitions.entry(label).or_insert(destination);
                }
            }
        }
        let start = self.frozen_end;
        self.blocks.extend(
            parsed
                .into_iter()
                .map(|block| new_block(start + block.start, block.node)),
        );
        if let Some((_, end)) = cut.filter(|_| !self.finished) {
            self.frozen_end += end;
        }
        if !beyond.is_empty() {
            let rest = Node::Element(Tag::Raw, vec![Node::Text(beyond.to_owned())]);
            self.blocks
                .push(new_block(limit, Node::Note(Note::TooLong)));
            self.blocks.push(new_block(limit + 1, rest));
        }
    }
}

/// Where the text can be cut before the block at `start` so that both parts mean alone what they
/// mean together, whatever follows: the start of its line, if
///
/// - the line is complete, so that it cannot yet become something that continues the block before
///   (`2` may become `2.`), and
/// - the line before is blank, so that no lazy continuation, setext underline, table row, HTML
///   block or definition reaches over it.
///
/// The block before is then closed: the parser has seen a line that it could not take in.
fn safe_cut(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_blank = |line: &[u8]| line.iter().all(|b| matches!(b, b' ' | b'\t' | b'\r'));
    let line_start = |at: usize| {
        bytes[..at]
            .iter()
            .rposition(|b| *b == b'\n')
            .map(|at| at + 1)
    };
    let cut = line_start(start)?;
    let above = line_start(cut - 1).unwrap_or(0);
    let ok = is_blank(&bytes[above..cut - 1])
        && is_blank(&bytes[cut..start])
        && bytes[start..].contains(&b'\n');
    ok.then_some(cut)
}

fn new_block(start: usize, node: Node) -> Block {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    (start, &node).hash(&mut hasher);
    Block {
        key: hasher.finish(),
        node: Arc::new(node),
    }
}

/// FNV-1a: keys need to differ, not to withstand an attack; SipHash would be slower and larger.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
