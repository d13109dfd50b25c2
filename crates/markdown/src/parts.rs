//! A growing table or list: new text is parsed after a stub of the beginning, so that rows and items have the
//! same meaning as in their place.

use super::bounds::max_rows;
use super::cut::since_blank;
use super::lines::cut_line;
use super::model::{ParseContext, ParseOutput, Parsed, TextEnd};
use super::node::{Node, Tag};
use super::parse::parse;
use super::reference::References;
use super::settle::{in_fence, settled_prefix};
use std::borrow::Cow;
use std::sync::Arc;

/// A table or list: its finished rows or items, and where the others begin.
#[derive(Clone, Debug)]
pub(super) struct BlockParts {
    kind: PartsKind,
    /// The source of a table's head, and the links in it.
    stub: String,
    stub_links: usize,
    /// The end of the finished parts in the answer; their number, with the head of a table; and the number of
    /// links up to there, those before the block included.
    done: usize,
    kept: usize,
    links: usize,
}

#[derive(Clone, Debug)]
enum PartsKind {
    /// Whether its rows contain formula delimiters, and whether they contain an unclosed code span: with
    /// both, a row cannot be parsed alone.
    Table(bool, bool),
    /// The character that ends the item markers; whether the items are known to be loose.
    List { mark: u8, loose: bool },
}

impl BlockParts {
    /// `Some` if `block`, the last one of `tail`, is such a table or list. `start` is where `tail` begins in
    /// the answer, and `links` the number of links before the block.
    pub fn find(
        tail: &str,
        block: &Parsed,
        start: usize,
        links: usize,
        references: &References,
    ) -> Option<Self> {
        let (before, source) = tail.split_at_checked(block.start)?;
        if !(before.is_empty() || before.ends_with('\n')) {
            return None;
        }
        // A code span or formula that began before the block may extend into it.
        let reaches = |b| matches!(b, b'`' | b'$' | b'\\');
        if since_blank(tail, block.start).bytes().any(reaches) {
            return None;
        }
        let mut parts = Self {
            kind: PartsKind::Table(false, false),
            stub: String::new(),
            stub_links: 0,
            done: start + block.start,
            kept: 0,
            links,
        };
        match &*block.node {
            Node::Element(Tag::Table, _) if source.starts_with('|') => {
                let head = source.find('\n')? + 1;
                let head = head + source[head..].find('\n')? + 1;
                parts.stub = source[..head].to_owned();
                parts.kind = parts.rows(&parts.stub)?;
                let alone = parts.parse(&parts.stub, false, references, links);
                let [alone] = &alone.blocks[..] else {
                    return None;
                };
                parts.stub_links = alone.links;
                parts.links += alone.links;
                parts.done += head;
                parts.kept = 1;
            }
            Node::Element(Tag::List(_), _) if in_fence(before).is_none() => {
                parts.kind = PartsKind::List {
                    mark: marker(source)?,
                    loose: false,
                };
            }
            _ => return None,
        }
        Some(parts)
    }

    /// Grows `node` to the end of `text`, as [`GrowingBlock::grow`](super::grow::GrowingBlock::grow) does.
    pub fn grow(
        &mut self,
        text: &str,
        references: &References,
        node: &mut Arc<Node>,
    ) -> Result<usize, usize> {
        let more = &text[self.done..];
        if matches!(self.kind, PartsKind::Table(..)) && self.rows(more).is_none() {
            return Err(0);
        }
        let mut cost = self.stub.len() + more.len();
        let fresh = self.parts(more, true, references).ok_or(cost)?;
        let loose = fresh.loose;
        if let PartsKind::List { loose: known, .. } = &mut self.kind
            && *known != loose
        {
            // All items become paragraphs as soon as one of them does.
            if self.kept > 0 {
                return Err(cost);
            }
            *known = true;
        }
        let Node::Element(tag, children) = Arc::make_mut(node) else {
            return Err(cost);
        };
        let count = self.kept + fresh.nodes.len();
        if count == 0 || (*tag == Tag::Table && count > max_rows(columns(children)) + 1) {
            return Err(cost);
        }
        let children = Arc::make_mut(children);
        children.truncate(self.kept);
        children.extend(fresh.nodes);
        // Keep the parts that are finished now.
        if let Some(end) = self.end_of_finished(more) {
            cost += self.stub.len() + end;
            if let Some(finished) = self.parts(&more[..end], false, references)
                && finished.loose == loose
                // The line after them was seen too: it may have made the list loose.
                && count > self.kept + finished.nodes.len()
                && children[self.kept..].starts_with(&finished.nodes)
            {
                if let Some(kind) = self.rows(&more[..end]) {
                    self.kind = kind;
                }
                self.done += end;
                self.kept += finished.nodes.len();
                self.links += finished.links;
            }
        }
        Ok(cost)
    }

    /// Parses rows or items alone.
    fn parts(&self, more: &str, open: bool, references: &References) -> Option<Fresh> {
        let mut text = self.stub();
        text.push_str(more);
        let ParseOutput {
            mut blocks,
            definitions,
            ..
        } = self.parse(&text, open, references, self.links - self.stub_links);
        let is_table = matches!(self.kind, PartsKind::Table(..));
        if blocks.len() != 1 || !definitions.is_empty() {
            return None;
        }
        let Parsed { node, links, .. } = blocks.pop()?;
        let Node::Element(tag, children) = &*node else {
            return None;
        };
        if is_table != (*tag == Tag::Table) || is_table == matches!(tag, Tag::List(_)) {
            return None;
        }
        let (stub, nodes) = children.split_first()?;
        Some(Fresh {
            nodes: nodes.to_vec(),
            links: links.saturating_sub(self.stub_links),
            loose: match stub {
                Node::Element(Tag::Item, item) => {
                    matches!(item[..], [Node::Element(Tag::Paragraph, _)])
                }
                _ => false,
            },
        })
    }

    /// The text put before parts that are parsed alone, so that they keep their meaning: the head of a table;
    /// an item of a list that is as loose as this one.
    fn stub(&self) -> String {
        let PartsKind::List { mark, loose } = self.kind else {
            return self.stub.clone();
        };
        let number = if b".)".contains(&mark) { "1" } else { "" };
        let between = if loose { "\n\n" } else { "\n" };
        format!("{number}{} x{between}", char::from(mark))
    }

    fn parse(&self, text: &str, open: bool, references: &References, links: usize) -> ParseOutput {
        let (shown, end) = match open {
            true => (settled_prefix(text), TextEnd::Growing),
            false => (Cow::Borrowed(text), TextEnd::Cut),
        };
        let before = ParseContext::of(&shown, text, end, links, references);
        parse(&shown, &before)
    }

    /// The end of the finished parts in `more`; the last part is never finished.
    fn end_of_finished(&self, more: &str) -> Option<usize> {
        match &self.kind {
            PartsKind::Table(..) => {
                let lines = more.strip_suffix('\n').unwrap_or(more);
                Some(cut_line(lines).0.len()).filter(|end| *end > 0)
            }
            PartsKind::List { mark, .. } => {
                let mut end = more.len();
                loop {
                    end = more[..end].rfind('\n')?;
                    if marker(&more[end + 1..]) == Some(*mark) {
                        break;
                    }
                }
                let since = since_blank(more, end + 1);
                let spans = since.contains("$$")
                    || since.contains("\\[")
                    || since.contains("\\begin{")
                    || half_a_span(since);
                (!spans && in_fence(&more[..=end]).is_none()).then_some(end + 1)
            }
        }
    }

    /// The kind of a table with these rows; `None` if they cannot be parsed alone. Each row begins with a
    /// bar: neither a block nor a formula extends across such a line.
    fn rows(&self, lines: &str) -> Option<PartsKind> {
        let PartsKind::Table(mut signs, mut ticks) = self.kind else {
            return None;
        };
        for line in lines.split_inclusive('\n') {
            let whole = line.trim_end_matches(['\r', '\n']);
            if !line.starts_with('|') || whole.contains('\r') {
                return None;
            }
            signs |= line.bytes().any(|b| matches!(b, b'$' | b'\\'));
            if signs && ticks {
                return None;
            }
            ticks |= half_a_span(line);
        }
        Some(PartsKind::Table(signs, ticks))
    }
}

/// The number of columns of a table with these rows.
fn columns(rows: &[Node]) -> usize {
    match rows.first() {
        Some(Node::Element(_, cells)) => cells.len(),
        _ => 0,
    }
}

/// Newly parsed rows or items.
struct Fresh {
    nodes: Vec<Node>,
    links: usize,
    /// Whether they are items of a loose list.
    loose: bool,
}

/// Whether a code span may be open at the end of a text.
fn half_a_span(text: &str) -> bool {
    text.bytes().filter(|b| *b == b'`').count() % 2 > 0
}

/// The character that ends the marker of the item that a text begins with, if its first line is certainly an
/// item.
fn marker(text: &str) -> Option<u8> {
    let line = text.split('\n').next()?;
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marks = match line.len() - rest.len() {
        0 => "-*+",
        1..=9 => ".)",
        _ => return None,
    };
    let mark = rest.chars().next().filter(|mark| marks.contains(*mark))?;
    let inner = rest[1..].strip_prefix(' ')?;
    // `- - -` is a thematic break.
    let item = inner.contains(|c: char| c != mark && !c.is_whitespace());
    (item && !inner.starts_with("    ")).then_some(mark as u8)
}
