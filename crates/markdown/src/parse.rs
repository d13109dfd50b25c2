//! What is parsed, with which options and within which limits.

use super::builder::Builder;
use super::document::Reference;
use super::formula::{TextEnd, mask, restore};
use super::node::Node;
use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser, Tag as Start};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use unicase::UniCase;

/// How deep elements nest; deeper ones give only their text. The parser goes to 100,002 and
/// Chromium's renderer crashes near 10,000 (measured).
pub const MAX_DEPTH: usize = 100;
/// How many columns a table has; a wider one is shown as it was written.
pub const MAX_COLUMNS: usize = 64;
/// How many pieces the text of a paragraph, a heading, a cell or an emphasis has; behind them elements within it give
/// only their text. The time that a text takes is that of its elements, which a browser makes one by one.
pub const MAX_PIECES: usize = 2000;
/// How many rows a table has, its head apart; further ones are shown as they were written.
pub const MAX_ROWS: usize = 2000;
/// How many cells a table has; it ends with the last row that fits.
pub const MAX_CELLS: usize = 20_000;
/// How many links, formulas and marks for hidden characters an answer has; further ones are shown as text.
pub const MAX_LINKS: usize = 2000;

/// How many rows a table with so many columns has, its head apart.
pub(super) fn max_rows(columns: usize) -> usize {
    MAX_ROWS.min(MAX_CELLS / columns.max(1))
}

/// What the text before the parsed part means for it.
pub(super) struct Before<'a> {
    /// Links already made.
    pub links: usize,
    /// References that are named or defined there, by [`label`].
    pub references: &'a References,
    /// What stands behind the text: where more may come, a bare address at the end may be half an address.
    pub end: TextEnd,
    /// How much of the text is the model's own: the rest finishes it for show.
    pub own: usize,
}

/// The references of an answer, by [`label`].
pub(super) type References = HashMap<Label, Reference>;

impl<'a> Before<'a> {
    /// For `text`, which is shown as `shown`.
    pub fn of(
        shown: &str,
        text: &str,
        end: TextEnd,
        links: usize,
        references: &'a References,
    ) -> Self {
        Self {
            links,
            references,
            end,
            // Where nothing was finished for show, all of it is the model's own.
            own: match std::ptr::eq(shown.as_ptr(), text.as_ptr()) {
                true => shown.len(),
                false => {
                    let pairs = shown.bytes().zip(text.bytes());
                    pairs.take_while(|(a, b)| a == b).count()
                }
            },
        }
    }
}

/// A parsed top-level block.
pub(super) struct Parsed {
    pub start: usize,
    pub end: usize,
    pub links: usize,
    pub node: Arc<Node>,
}

/// What a text is.
pub(super) struct Outcome {
    pub blocks: Vec<Parsed>,
    /// The reference definitions in it.
    pub definitions: Vec<Definition>,
    /// References without a definition, and where they stand.
    pub unknown: Vec<(usize, Label)>,
}

/// A reference label, in which upper and lower case are one.
pub(super) type Label = UniCase<String>;

/// A reference definition: where it ends, its label, its destination.
pub(super) type Definition = (usize, Label, String);

/// The form of a reference label in which labels are compared: as the parser itself compares them when
/// it sees definition and use together, and with its own table.
pub(super) fn label(text: &str) -> Label {
    let mut label = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !label.is_empty() {
            label.push(' ');
        }
        label.push_str(word);
    }
    UniCase::new(label)
}

/// The label of a footnote: no other reference begins so.
pub(super) fn footnote_label(name: &str) -> Label {
    label(&format!("^{name}"))
}

/// The footnotes in a masked text: where they end, and their labels.
fn footnotes(masked: &str, options: Options) -> Vec<(usize, Label)> {
    let all = Parser::new_ext(masked, options).into_offset_iter();
    let labels = all.filter_map(|(event, range)| match event {
        Event::Start(Start::FootnoteDefinition(name)) => {
            Some((range.end, footnote_label(&restore(&name))))
        }
        _ => None,
    });
    labels.collect()
}

/// Parses `text` from its first top-level block to its last.
pub(super) fn parse(text: &str, before: &Before) -> Outcome {
    let masked = mask(text, before.end);
    // Footnotes are always switched on: `[a][^b][c]` reads differently without them, and the definition that would
    // call for them may come after the cut.
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let own_notes = match masked.contains("[^") && masked.contains("]:") {
        true => footnotes(&masked, options),
        false => Vec::new(),
    };
    let notes: HashSet<&Label> = own_notes.iter().map(|(_, label)| label).collect();
    let mut unknown = Vec::new();
    let earlier = |link: BrokenLink| {
        if link.reference.starts_with('^') {
            return None;
        }
        let label = label(&link.reference);
        let found = before
            .references
            .get(&label)
            .and_then(|known| known.to.as_ref());
        if found.is_none() {
            unknown.push((link.span.start, label));
        }
        Some((CowStr::from(found?.clone()), CowStr::from("")))
    };
    let parser = Parser::new_with_broken_link_callback(&masked, options, Some(earlier));
    let mut events = parser.into_offset_iter();
    let mut builder = Builder::new(text, before, &notes);
    for (event, range) in events.by_ref() {
        builder.event(event, range);
    }
    let mut definitions: Vec<Definition> = events
        .reference_definitions()
        .iter()
        // Within a paragraph the parser takes `[^a]: b` for the definition of a link, and defines no footnote.
        .filter(|(name, _)| !name.starts_with('^'))
        .map(|(name, found)| {
            (
                found.span.end,
                label(name),
                restore(&found.dest).into_owned(),
            )
        })
        .collect();
    let (blocks, unknown_notes) = (builder.blocks, builder.unknown_notes);
    drop(events);
    unknown.extend(unknown_notes);
    let own_notes = own_notes.into_iter();
    definitions.extend(own_notes.map(|(end, label)| (end, label, String::new())));
    Outcome {
        blocks,
        definitions,
        unknown,
    }
}
