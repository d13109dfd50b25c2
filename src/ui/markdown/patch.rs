//! The least change of the page from one state of an answer to the next.

use super::build::{build, inner};
use super::finished::{hand_over, is_handed_over};
use super::table::patch_rows;
use crate::markdown::{Block, Node, Tag};
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::{CharacterData, Element};

/// The blocks that stand in an element, in order.
#[derive(Debug, Default)]
pub(super) struct Shown(Vec<(Arc<Node>, web_sys::Node)>);

impl Shown {
    /// Makes `place` show `blocks`; blocks that are the same are not looked at.
    pub(super) fn update(&mut self, place: &Element, blocks: &[Block]) {
        if self.0.is_empty() {
            place.set_text_content(None);
        }
        for (_, gone) in self.0.drain(blocks.len().min(self.0.len())..) {
            let _ = place.remove_child(&gone);
        }
        for (index, block) in blocks.iter().enumerate() {
            match self.0.get_mut(index) {
                Some((node, _)) if Arc::ptr_eq(node, &block.node) => {}
                Some((node, element)) => {
                    if *node != block.node {
                        *element = patch_one(place, element, node, &block.node);
                    }
                    *node = block.node.clone();
                }
                None => {
                    let element = build(&block.node);
                    let _ = place.append_child(&element);
                    self.0.push((block.node.clone(), element));
                }
            }
        }
    }
}

impl Shown {
    /// Says that all blocks before `end` are as they will stay.
    pub(super) fn finished(&self, begin: usize, end: usize) {
        for (_, element) in self.0.iter().take(end).skip(begin) {
            hand_over(element);
        }
    }
}

/// Makes the children of `parent`, which show `old`, show `new`.
pub(super) fn patch(parent: &Element, old: &[Node], new: &[Node]) {
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
                // What has something behind it stays: code in a list has its colours before the list ends.
                if after > 0 {
                    hand_over(&child);
                }
                next = child.next_sibling();
            }
            _ => {
                if let Some(last) = parent.last_child() {
                    hand_over(&last);
                }
                let _ = parent.append_child(&build(node));
            }
        }
    }
    while let Some(gone) = next {
        next = gone.next_sibling();
        let _ = parent.remove_child(&gone);
    }
}

/// The child at a place, of so many: from the end, where what changes stands.
fn child(parent: &Element, at: usize, count: usize) -> Option<web_sys::Node> {
    let mut found = parent.last_child().filter(|_| at < count);
    for _ in at + 1..count {
        found = found?.previous_sibling();
    }
    found
}

/// Makes `child`, which shows `old`, show `new`; gives what stands there then.
fn patch_one(parent: &Element, child: &web_sys::Node, old: &Node, new: &Node) -> web_sys::Node {
    match (old, new) {
        (Node::Text(old), Node::Text(new)) => match new.strip_prefix(old.as_str()) {
            // Appending keeps the reader's selection, setting would lose it.
            Some(more) => {
                let _ = child.unchecked_ref::<CharacterData>().append_data(more);
            }
            None => child.set_text_content(Some(new)),
        },
        (Node::Element(Tag::Table, old), Node::Element(Tag::Table, new)) => {
            patch_rows(child.unchecked_ref(), old, new);
        }
        // Whether a link shows its host depends on its text; the text of a finished block may stand in spans.
        (Node::Element(was, old), Node::Element(tag, new))
            if was == tag && !matches!(tag, Tag::Link(_)) && !is_handed_over(child) =>
        {
            patch(&inner(tag, child.unchecked_ref()), old, new);
        }
        _ => {
            let fresh = build(new);
            let _ = parent.replace_child(&fresh, child);
            return fresh;
        }
    }
    child.clone()
}
