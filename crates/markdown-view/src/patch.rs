//! Computes the smallest DOM change from one state of an answer to the next.

use crate::build::{build, heading, inner, set_direction};
use crate::element::append;
use crate::finished::{hand_over, is_handed_over};
use crate::parts::{LayoutPart, PartDivider};
use crate::rest;
use crate::slice::{CLOCK_CHECK_ELEMENTS, TaskBudget};
use crate::table::patch_rows;
use sash_browser_kit::console::LogError;
use sash_markdown::{Block, Node, Outline, RendererNote, Tag, advance};
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::{CharacterData, Element};

/// A block in the page, complete or as far as it was built.
#[derive(Debug)]
struct BuiltBlock {
    node: Arc<Node>,
    element: web_sys::Node,
    begins_part: bool,
    /// The depth of a heading below the message's own.
    depth: Option<u8>,
}

/// The blocks in an element, in order, and their parts.
#[derive(Debug, Default)]
pub(crate) struct BuiltBlocks {
    entries: Vec<BuiltBlock>,
    parts: Vec<LayoutPart>,
    /// Whether the former content of the element was removed.
    begun: bool,
    /// How many blocks were handed over, because they are final.
    handed: usize,
}

impl BuiltBlocks {
    /// Makes `place` show `blocks`, of which the first `final_blocks` are final, or as much of them as fits
    /// into `slice`. Returns whether all is shown. Unchanged blocks are not touched.
    pub(crate) fn update(
        &mut self,
        place: &Element,
        blocks: &[Block],
        final_blocks: usize,
        running: bool,
        slice: &mut TaskBudget,
    ) -> bool {
        if !std::mem::replace(&mut self.begun, true) {
            place.set_text_content(None);
        }
        let new = self.lay_out(place);
        self.truncate(blocks.len());
        let whole = self.show(place, blocks, slice);
        if let Some(last) = self.parts.last_mut() {
            last.attach(place);
        }
        // New parts are laid out with the next task.
        let laid_out = running || new == self.parts.len().saturating_sub(1);
        self.hand_over(blocks, final_blocks, slice) && whole && laid_out
    }

    /// Makes the browser lay out the new parts before the last one; returns the number of parts before the
    /// last one.
    fn lay_out(&mut self, place: &Element) -> usize {
        let Some((_, before)) = self.parts.split_last_mut() else {
            return 0;
        };
        let mut new = before.iter_mut().rev().take_while(|part| part.is_new());
        if let Some(part) = new.next() {
            // Reading a height makes the browser lay out what is new.
            if place.is_connected() {
                place.client_height();
            }
            part.is_laid_out();
            new.for_each(LayoutPart::is_laid_out);
        }
        before.len()
    }

    fn show(&mut self, place: &Element, blocks: &[Block], slice: &mut TaskBudget) -> bool {
        let mut division = PartDivider::default();
        let mut outline = Outline::default();
        for (index, block) in blocks.iter().enumerate() {
            let begins = division.begins(block.start);
            let stands = |entry: &BuiltBlock| entry.begins_part == begins;
            if !self.entries.get(index).is_none_or(stands) {
                self.truncate(index);
            }
            let depth = match &*block.node {
                Node::Element(Tag::Heading(written), _) => Some(outline.depth(*written)),
                _ => None,
            };
            loop {
                let entry = self.entries.get(index);
                if entry.is_some_and(|entry| Arc::ptr_eq(&entry.node, &block.node)) {
                    break;
                }
                if slice.is_over() {
                    return false;
                }
                let mut left = CLOCK_CHECK_ELEMENTS;
                let next = advance(entry.map(|entry| &*entry.node), &block.node, &mut left);
                slice.add_elements((CLOCK_CHECK_ELEMENTS - left).unsigned_abs());
                match entry {
                    Some(_) => self.change(index, next),
                    None => self.push(place, next, begins),
                }
            }
            self.set_depth(index, depth);
        }
        true
    }

    /// Appends a block.
    fn push(&mut self, place: &Element, node: Arc<Node>, begins_part: bool) {
        if begins_part {
            if let Some(full) = self.parts.last_mut() {
                full.attach(place);
            }
            let behind = self.entries.last().map(|entry| &*entry.node);
            self.parts.push(LayoutPart::new(self.entries.len(), behind));
        }
        let element = build(&node);
        if let Some(part) = self.parts.last() {
            append(&part.element, &element);
        }
        if matches!(&*node, Node::Element(Tag::Rest, _)) {
            rest::follow(place, &element);
        }
        self.entries.push(BuiltBlock {
            node,
            element,
            begins_part,
            depth: None,
        });
    }

    /// Makes the block at an index, if it is a heading, one of this depth.
    fn set_depth(&mut self, index: usize, depth: Option<u8>) {
        let Some(entry) = self.entries.get_mut(index) else {
            return;
        };
        if std::mem::replace(&mut entry.depth, depth) == depth {
            return;
        }
        if let (Some(depth), Some(parent)) = (depth, entry.element.parent_node()) {
            let element = heading(depth);
            while let Some(child) = entry.element.first_child() {
                append(&element, &child);
            }
            parent.replace_child(&element, &entry.element).log_error();
            entry.element = element.into();
        }
    }

    /// Makes the block at an index show `next`.
    fn change(&mut self, index: usize, next: Arc<Node>) {
        let part = self.parts.partition_point(|part| part.first <= index);
        let (Some(part), Some(entry)) = (part.checked_sub(1), self.entries.get_mut(index)) else {
            return;
        };
        if entry.node != next {
            let parent = &self.parts[part].element;
            let built = patch_one(parent, &entry.element, &entry.node, &next);
            if built != entry.element {
                entry.depth = None;
                entry.element = built;
            }
            let following = self.parts.get_mut(part + 1);
            if let Some(following) = following.filter(|part| part.first == index + 1) {
                following.follows(&next);
            }
            // New code blocks in it were not handed over.
            self.handed = self.handed.min(index);
        }
        entry.node = next;
    }

    /// Removes all blocks from an index on.
    fn truncate(&mut self, count: usize) {
        while let Some(part) = self.parts.pop_if(|part| part.first >= count) {
            self.entries.truncate(part.first);
            part.element.remove();
        }
        for gone in self.entries.drain(count.min(self.entries.len())..) {
            if let Some(parent) = gone.element.parent_node() {
                parent.remove_child(&gone.element).log_error();
            }
        }
        self.handed = self.handed.min(count);
    }

    /// Hands over the final blocks; returns whether all of them were.
    fn hand_over(&mut self, blocks: &[Block], final_blocks: usize, slice: &mut TaskBudget) -> bool {
        while self.handed < final_blocks.min(self.entries.len()) {
            let entry = &self.entries[self.handed];
            let whole = blocks.get(self.handed);
            if !whole.is_some_and(|block| Arc::ptr_eq(&block.node, &entry.node)) {
                return true; // The block is still being built.
            }
            if slice.is_over() {
                return false;
            }
            hand_over(&entry.element);
            self.handed += 1;
        }
        true
    }
}

/// Changes the children of `parent` from `old` to `new`.
pub(crate) fn patch(parent: &Element, old: &[Node], new: &[Node]) {
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let mut next = child(parent, same, old.len());
    let mut after = new.len() - same;
    for (node, old) in new[same..]
        .iter()
        .zip(old[same..].iter().map(Some).chain(std::iter::repeat(None)))
    {
        after -= 1;
        match (next.take(), old) {
            (Some(child), Some(before)) => {
                let child = match before == node {
                    true => child,
                    false => patch_one(parent, &child, before, node),
                };
                // A child that is followed by another is final: code in a list is highlighted before the list
                // ends.
                if after > 0 {
                    hand_over(&child);
                }
                next = child.next_sibling();
            }
            _ => {
                if let Some(last) = parent.last_child() {
                    hand_over(&last);
                }
                append(parent, &build(node));
            }
        }
    }
    while let Some(gone) = next {
        next = gone.next_sibling();
        parent.remove_child(&gone).log_error();
    }
}

/// The child at index `at` of `count`, found from the end, where changes occur.
fn child(parent: &Element, at: usize, count: usize) -> Option<web_sys::Node> {
    let mut found = parent.last_child().filter(|_| at < count);
    for _ in at + 1..count {
        found = found?.previous_sibling();
    }
    found
}

/// Changes `child` from `old` to `new`; returns the node that is there afterwards.
fn patch_one(parent: &Element, child: &web_sys::Node, old: &Node, new: &Node) -> web_sys::Node {
    match (old, new) {
        (Node::Text(old), Node::Text(new)) => match new.strip_prefix(old.as_str()) {
            // Append to the text node: replacing its data would remove the reader's selection.
            Some(more) => {
                child
                    .unchecked_ref::<CharacterData>()
                    .append_data(more)
                    .log_error();
            }
            None => child.set_text_content(Some(new)),
        },
        (Node::Note(_), Node::Note(RendererNote::TooLong { rest })) => {
            rest::update_note(child.unchecked_ref(), *rest);
        }
        (Node::Element(Tag::Table, old), Node::Element(tag @ Tag::Table, new)) => {
            patch_rows(child.unchecked_ref(), old, new, patch);
            set_direction(&inner(tag, child.unchecked_ref()), tag, new);
        }
        // Rebuild links, because whether they show their host depends on their text, and finished blocks,
        // whose text may be wrapped in spans.
        (Node::Element(was, old), Node::Element(tag, new))
            if was == tag && !matches!(tag, Tag::Link(_)) && !is_handed_over(child) =>
        {
            let inner = inner(tag, child.unchecked_ref());
            patch(&inner, old, new);
            set_direction(&inner, tag, new);
        }
        _ => {
            let fresh = build(new);
            parent.replace_child(&fresh, child).log_error();
            return fresh;
        }
    }
    child.clone()
}
