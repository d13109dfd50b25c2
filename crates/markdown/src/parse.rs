//! One run of the parser and its options.

use super::builder::TreeBuilder;
use super::flanking::FlankedText;
use super::formula::{mask, restore};
use super::model::{ParseContext, ParseOutput};
use super::reference::{Definition, Label, footnote_label, label};
use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser, Tag as Start};
use std::collections::HashSet;

/// The footnotes in a masked text: their ends and labels.
fn footnotes(flanked: &FlankedText, options: Options) -> Vec<(usize, Label)> {
    let all = Parser::new_ext(&flanked.text, options).into_offset_iter();
    let labels = all.filter_map(|(event, range)| match event {
        Event::Start(Start::FootnoteDefinition(name)) => {
            let label = footnote_label(&restore(&flanked.original(name)));
            Some((flanked.position(range.end), label))
        }
        _ => None,
    });
    labels.collect()
}

/// Parses `text` from its first top-level block to its last.
pub(super) fn parse(text: &str, before: &ParseContext) -> ParseOutput {
    let masked = mask(text, before.end);
    let flanked = FlankedText::new(&masked);
    // Footnotes are always enabled: without them `[a][^b][c]` has another meaning, and a definition may
    // follow after the cut.
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let own_notes = match masked.contains("[^") && masked.contains("]:") {
        true => footnotes(&flanked, options),
        false => Vec::new(),
    };
    let notes: HashSet<&Label> = own_notes.iter().map(|(_, label)| label).collect();
    let mut unknown = Vec::new();
    let earlier = |link: BrokenLink| {
        if link.reference.starts_with('^') {
            return None;
        }
        let label = label(&flanked.original(link.reference));
        let found = before
            .references
            .get(&label)
            .and_then(|known| known.to.as_ref());
        if found.is_none() {
            unknown.push((flanked.position(link.span.start), label));
        }
        Some((CowStr::from(found?.clone()), CowStr::from("")))
    };
    let parser = Parser::new_with_broken_link_callback(&flanked.text, options, Some(earlier));
    let mut events = parser.into_offset_iter();
    let mut builder = TreeBuilder::new(text, before, &notes);
    for (event, range) in events.by_ref() {
        builder.event(flanked.event(event), flanked.range(range));
    }
    let mut definitions: Vec<Definition> = events
        .reference_definitions()
        .iter()
        // Within a paragraph the parser reads `[^a]: b` as a link definition and not as a footnote.
        .filter(|(name, _)| !name.starts_with('^'))
        .map(|(name, found)| {
            (
                flanked.position(found.span.end),
                label(&flanked.original(name.into())),
                restore(&flanked.original(found.dest.clone())).into_owned(),
            )
        })
        .collect();
    let (blocks, unknown_notes) = (builder.blocks, builder.unknown_notes);
    drop(events);
    unknown.extend(unknown_notes);
    let own_notes = own_notes.into_iter();
    definitions.extend(own_notes.map(|(end, label)| (end, label, String::new())));
    ParseOutput {
        blocks,
        definitions,
        unknown,
    }
}
