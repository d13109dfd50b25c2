//! Builds nodes from the parser's events.

use super::bounds::{MAX_COLUMNS, MAX_DEPTH, MAX_LINKS, MAX_PIECES, max_rows};
use super::cell::CellLists;
use super::code::in_pieces;
use super::formula;
use super::hidden::is_hidden;
use super::link::{Bare, check, find_bare, last_word};
use super::model::{ParseContext, Parsed, TextEnd};
use super::node::{Align, Node, Tag, plain};
use super::reference::{Label, footnote_label, label};
use super::words::{is_br, language, shortened, split};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, LinkType, Tag as Start, TagEnd};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// An element that is still open.
struct OpenElement {
    kind: OpenElementKind,
    children: Vec<Node>,
}

enum OpenElementKind {
    Tag(Tag),
    Image(String),
}

/// Builds the nodes of the top-level blocks.
pub(super) struct TreeBuilder<'a> {
    text: &'a str,
    before: &'a ParseContext<'a>,
    stack: Vec<OpenElement>,
    /// Number of open elements beyond [`MAX_DEPTH`] and [`MAX_PIECES`], of which only the text is kept.
    flattened: usize,
    links: usize,
    /// The value of `links` at the start of the current top-level block.
    links_before: usize,
    /// Where the last text event ended.
    text_end: usize,
    /// The columns of the current table, and the index of the next cell in the current row.
    columns: Vec<Alignment>,
    column: Option<usize>,
    /// The lists in the current cell.
    lists: CellLists,
    /// Where the rows beyond the limit begin.
    beyond: Option<usize>,
    /// The footnotes that are defined in this text.
    notes: &'a HashSet<&'a Label>,
    /// References to footnotes that are not defined so far, and where their elements begin.
    pub unknown_notes: Vec<(usize, Label)>,
    pub blocks: Vec<Parsed>,
}

impl<'a> TreeBuilder<'a> {
    pub fn new(text: &'a str, before: &'a ParseContext<'a>, notes: &'a HashSet<&'a Label>) -> Self {
        Self {
            text,
            before,
            stack: Vec::new(),
            flattened: 0,
            links: before.links,
            links_before: before.links,
            text_end: 0,
            columns: Vec::new(),
            column: None,
            lists: CellLists::default(),
            beyond: None,
            notes,
            unknown_notes: Vec::new(),
            blocks: Vec::new(),
        }
    }

    pub fn event(&mut self, event: Event, range: Range<usize>) {
        if self.column.is_some() && self.list_in_cell(&event, &range) {
            return;
        }
        match event {
            Event::Start(_) if self.stack.len() >= MAX_DEPTH => self.flattened += 1,
            Event::Start(start) if is_inline(&start) && self.is_full() => self.flattened += 1,
            Event::Start(start) => self.start(start, range.start),
            Event::End(_) if self.flattened > 0 => self.flattened -= 1,
            Event::End(end) => self.end(end, range),
            Event::Code(text) if self.is_full() => self.push_text(&formula::restore(&text)),
            Event::Code(text) => {
                let mut children = Vec::new();
                self.split(&formula::restore(&text), &mut children);
                self.leaf(Node::element(Tag::Code, children), range);
            }
            Event::HardBreak if self.is_full() => self.push_text("\n"),
            Event::InlineHtml(html) if self.column.is_some() && is_br(&html) && !self.is_full() => {
                self.leaf(Node::Break, range);
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.text_end = range.end;
                self.push_text(&text);
            }
            Event::SoftBreak => self.push_text("\n"),
            Event::HardBreak => self.leaf(Node::Break, range),
            Event::Rule => self.leaf(Node::Rule, range),
            Event::TaskListMarker(done) => self.leaf(Node::Check(done), range),
            // Footnote references are masked and found in the text later.
            Event::FootnoteReference(label) => self.push_text(&format!("[^{label}]")),
            // The option is off; if the parser sent such an event, it would be text.
            Event::InlineMath(text) | Event::DisplayMath(text) => self.push_text(&text),
        }
    }

    /// Reads a tag of a list in a table's cell, and breaks the line before what follows it; `true` if nothing
    /// of the event is shown.
    fn list_in_cell(&mut self, event: &Event, range: &Range<usize>) -> bool {
        if let Event::InlineHtml(html) = event {
            let rest = self.text.get(range.end..).unwrap_or_default();
            if self.lists.read(html, rest) {
                return true;
            }
        }
        if self.lists.begins_line(event) {
            let before = self.stack.last().and_then(|frame| frame.children.last());
            match before {
                None | Some(Node::Break) => {}
                Some(_) if self.is_full() => self.push_text("\n"),
                Some(_) => self.leaf(Node::Break, range.clone()),
            }
        }
        self.lists.breaks && matches!(event, Event::Text(_))
    }

    fn is_full(&self) -> bool {
        let frame = self.stack.last();
        frame.is_some_and(|frame| frame.children.len() >= MAX_PIECES)
    }

    fn start(&mut self, start: Start, at: usize) {
        let tag = match start {
            Start::Paragraph => Tag::Paragraph,
            Start::Heading { level, .. } => Tag::Heading(level as u8),
            Start::BlockQuote(_) => Tag::Quote,
            Start::List(first) => Tag::List(first),
            Start::Item => Tag::Item,
            Start::FootnoteDefinition(label) => {
                Tag::Footnote(formula::restore(&label).into_owned())
            }
            Start::CodeBlock(CodeBlockKind::Fenced(info)) => {
                Tag::CodeBlock(language(&formula::restore(&info)))
            }
            Start::CodeBlock(CodeBlockKind::Indented) => Tag::CodeBlock(String::new()),
            Start::Emphasis => Tag::Emphasis,
            Start::Strong => Tag::Strong,
            Start::Strikethrough => Tag::Strike,
            Start::Table(columns) => {
                self.columns = columns;
                Tag::Table
            }
            Start::TableHead | Start::TableRow => {
                let rows = self.stack.last().map_or(0, |table| table.children.len());
                if rows > max_rows(self.columns.len()) {
                    self.beyond.get_or_insert(at);
                }
                self.column = Some(0);
                Tag::Row
            }
            Start::TableCell => self.cell(),
            Start::Link {
                link_type: LinkType::Email,
                dest_url,
                ..
            } => self.link(&format!("mailto:{}", formula::restore(&dest_url))),
            Start::Link {
                link_type,
                dest_url,
                id,
                ..
            } => self.link(&self.defined(link_type, &id, &dest_url)),
            Start::Image {
                link_type,
                dest_url,
                id,
                ..
            } => {
                let destination = self.defined(link_type, &id, &dest_url).into_owned();
                return self.push(OpenElementKind::Image(destination));
            }
            // Raw HTML, and elements of options that are off.
            _ => Tag::Raw,
        };
        self.push(OpenElementKind::Tag(tag));
    }

    /// The destination of a link. For a reference, a definition in the text before takes precedence, because
    /// the first definition counts.
    fn defined<'d>(&self, link_type: LinkType, id: &str, to: &'d str) -> Cow<'d, str>
    where
        'a: 'd,
    {
        let known = self.before.references;
        let reference = matches!(
            link_type,
            LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut
        );
        let found = (reference && !known.is_empty()).then(|| known.get(&label(id)));
        match found.flatten().and_then(|known| known.to.as_deref()) {
            Some(known) => Cow::Borrowed(known),
            None => formula::restore(to),
        }
    }

    fn push(&mut self, kind: OpenElementKind) {
        self.stack.push(OpenElement {
            kind,
            children: Vec::new(),
        });
    }

    fn cell(&mut self) -> Tag {
        let index = self.column.unwrap_or(0);
        self.column = Some(index + 1);
        self.lists = CellLists::default();
        // The row is the last frame and the table the one before it; the table's first child is the head.
        let table = self.stack.iter().rev().nth(1);
        let align = match self.columns.get(index) {
            Some(Alignment::Left) => Align::Left,
            Some(Alignment::Center) => Align::Center,
            Some(Alignment::Right) => Align::Right,
            Some(Alignment::None) | None => Align::None,
        };
        let head = table.is_some_and(|table| table.children.is_empty());
        Tag::Cell { head, align }
    }

    fn link(&mut self, destination: &str) -> Tag {
        match check(destination) {
            Some(found) if self.links < MAX_LINKS => {
                self.links += 1;
                Tag::Link(found)
            }
            _ => Tag::Unlinked(shortened(destination)),
        }
    }

    fn end(&mut self, end: TagEnd, range: Range<usize>) {
        let Some(OpenElement { kind, children }) = self.stack.pop() else {
            return;
        };
        if matches!(end, TagEnd::TableRow | TagEnd::TableHead) {
            self.column = None;
        }
        let mut children = self.formulas(&kind, children, range.start);
        let node = match kind {
            OpenElementKind::Image(destination) => Node::Image {
                alt: plain(&self.finish(children, false)),
                // An image chip within a link leads to the link's destination.
                source: check(&destination).filter(|_| !self.in_link()),
            },
            OpenElementKind::Tag(Tag::Table) if self.columns.len() > MAX_COLUMNS => {
                self.beyond = None;
                self.as_written(range.clone())
            }
            OpenElementKind::Tag(Tag::CodeBlock(language))
                if language == "math"
                    && !(self.is_growing()
                        && range.end >= self.before.own.min(self.text.len()))
                    && formula::fenced(&children).is_some() =>
            {
                formula::fenced(&children).unwrap_or(Node::Rule)
            }
            OpenElementKind::Tag(tag) => {
                if tag == Tag::Table {
                    children.truncate(max_rows(self.columns.len()) + 1);
                }
                let is_plain = matches!(
                    tag,
                    Tag::CodeBlock(_) | Tag::Raw | Tag::Link(_) | Tag::Unlinked(_)
                );
                let bare = !is_plain && !self.in_link();
                let mut children = self.finish(children, bare);
                if let Tag::CodeBlock(_) = tag {
                    children = in_pieces(children);
                }
                Node::element(tag, children)
            }
        };
        let beyond = match end {
            TagEnd::Table => self.beyond.take(),
            _ => None,
        };
        match beyond {
            Some(beyond) if beyond > range.start => {
                let rest = self.as_written(beyond..range.end);
                self.leaf(node, range.start..beyond);
                self.leaf(rest, beyond..range.end);
            }
            _ => self.leaf(node, range),
        }
    }

    /// The source of a range, as a raw node.
    fn as_written(&mut self, range: Range<usize>) -> Node {
        let source = self.text.get(range).unwrap_or_default();
        let source = Node::Text(source.to_owned());
        Node::element(Tag::Raw, self.finish(vec![source], false))
    }

    /// The children of an element that ends, with the formulas in their text; code contains none.
    fn formulas(&mut self, kind: &OpenElementKind, children: Vec<Node>, at: usize) -> Vec<Node> {
        let growing = self.is_growing() && self.text_end >= self.before.own.min(self.text.len());
        let mut out = Vec::with_capacity(children.len());
        for node in children {
            match (node, kind) {
                (
                    Node::Text(text),
                    OpenElementKind::Tag(Tag::CodeBlock(_) | Tag::Raw) | OpenElementKind::Image(_),
                ) => {
                    out.push(Node::Text(formula::restore(&text).into_owned()));
                }
                (Node::Text(text), _) => {
                    let room = MAX_LINKS - self.links.min(MAX_LINKS);
                    let cell = self.column.is_some();
                    let (notes, references) = (self.notes, self.before.references);
                    let unknown = &mut self.unknown_notes;
                    let known = |name: &str| {
                        let label = footnote_label(name);
                        let earlier = references.get(&label).is_some_and(|it| it.to.is_some());
                        let known = earlier || notes.contains(&label);
                        if !known {
                            unknown.push((at, label));
                        }
                        known
                    };
                    self.links += formula::split(&text, growing, cell, room, known, &mut out);
                }
                (node, _) => out.push(node),
            }
        }
        out
    }

    /// Splits text at hidden characters, as long as more marks are allowed.
    fn split(&mut self, text: &str, out: &mut Vec<Node>) {
        let room = MAX_LINKS - self.links.min(MAX_LINKS);
        self.links += split(text, room, out);
    }

    /// Whether more text may follow.
    fn is_growing(&self) -> bool {
        self.before.end == TextEnd::Growing
    }

    fn in_link(&self) -> bool {
        let is_link = |frame: &OpenElement| {
            matches!(
                frame.kind,
                OpenElementKind::Image(_) | OpenElementKind::Tag(Tag::Link(_) | Tag::Unlinked(_))
            )
        };
        self.stack.iter().any(is_link)
    }

    /// Appends a finished node to the open element, or to the blocks.
    fn leaf(&mut self, node: Node, range: Range<usize>) {
        match self.stack.last_mut() {
            Some(frame) => frame.children.push(node),
            None => {
                self.blocks.push(Parsed {
                    start: range.start,
                    end: range.end,
                    links: self.links - self.links_before,
                    node: Arc::new(node),
                });
                self.links_before = self.links;
            }
        }
    }

    /// Appends text, joined to the text before it: the parser splits text at every special character.
    fn push_text(&mut self, text: &str) {
        match self.stack.last_mut().map(|frame| &mut frame.children) {
            Some(children) => match children.last_mut() {
                Some(Node::Text(last)) => last.push_str(text),
                _ => children.push(Node::Text(text.to_owned())),
            },
            None => self.leaf(Node::Text(text.to_owned()), self.text_end..self.text_end),
        }
    }

    /// The children of a closed element, with marks for hidden characters and, if `bare` is set, links for
    /// bare addresses.
    fn finish(&mut self, children: Vec<Node>, bare: bool) -> Vec<Node> {
        let touched = |node: &Node| match node {
            Node::Text(text) => {
                let address =
                    bare && (text.contains("://") || text.contains("www.") || text.contains('@'));
                address || text.contains(is_hidden)
            }
            _ => false,
        };
        if !children.iter().any(touched) {
            return children;
        }
        let mut out = Vec::with_capacity(children.len() + 2);
        let last = children.len() - 1;
        for (index, node) in children.into_iter().enumerate() {
            match node {
                Node::Text(text) => {
                    let growing = self.is_growing()
                        && index == last
                        && self.text_end >= self.before.own.min(self.text.len());
                    // An incomplete address never becomes a link.
                    let half = growing.then(|| text.len() - last_word(&text));
                    let mut rest = text.as_str();
                    while bare
                        && self.links < MAX_LINKS
                        && let Some(Bare { at, to }) = find_bare(rest)
                        && half.is_none_or(|half| rest.len() - at.end > half)
                    {
                        self.split(&rest[..at.start], &mut out);
                        let tag = self.link(&to);
                        let text = vec![Node::Text(rest[at.clone()].to_owned())];
                        out.push(Node::element(tag, text));
                        rest = &rest[at.end..];
                    }
                    self.split(rest, &mut out);
                }
                node => out.push(node),
            }
        }
        out
    }
}

/// Whether an element is inline.
fn is_inline(start: &Start) -> bool {
    matches!(
        start,
        Start::Emphasis
            | Start::Strong
            | Start::Strikethrough
            | Start::Link { .. }
            | Start::Image { .. }
    )
}
