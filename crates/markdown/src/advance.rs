//! Shows a long block over several tasks. After each task the part shown so far is a tree of its own.

use super::node::{Node, Tag};
use std::sync::Arc;

/// Bytes of text, and lines, that cost a browser as much as one element.
const TEXT_BYTES_PER_ELEMENT: usize = 64;
const LINES_PER_ELEMENT: usize = 6;

/// The next part of the block `goal` to show, given the part `shown`: as much more as the budget `left`
/// allows. `left` is reduced by the cost and becomes negative where one piece costs more. Returns `goal`
/// itself when nothing is missing. Anything shown that has not changed is always included.
#[must_use]
pub fn advance(shown: Option<&Node>, goal: &Arc<Node>, left: &mut isize) -> Arc<Node> {
    match part(shown, goal, left) {
        Some(part) => Arc::new(part),
        None => Arc::clone(goal),
    }
}

/// The part of `goal` to show; `None` if that is all of it.
fn part(shown: Option<&Node>, goal: &Node, left: &mut isize) -> Option<Node> {
    if shown == Some(goal) {
        return None;
    }
    let Node::Element(tag, children) = goal else {
        spend(left, weight(goal));
        return None;
    };
    if !holds_blocks(tag) {
        spend(left, weight(goal));
        return None;
    }
    spend(left, own(tag));
    let former = match shown {
        Some(Node::Element(was, former)) if was == tag => former.as_slice(),
        _ => &[],
    };
    for (at, child) in children.iter().enumerate() {
        let before = former.get(at);
        let changed = before != Some(child);
        let cut = match *left {
            ..=0 if changed => before.cloned(),
            _ => match part(before, child, left) {
                None => continue,
                cut => cut,
            },
        };
        // Children after the cut stay as shown until their turn.
        let after = former.get(at + 1..).unwrap_or_default();
        let mut now = children.get(..at).unwrap_or_default().to_vec();
        now.extend(cut);
        now.extend_from_slice(after);
        return Some(Node::element(tag.clone(), now));
    }
    None
}

/// Whether the children of an element may be shown one after the other; inline children are shown together.
fn holds_blocks(tag: &Tag) -> bool {
    matches!(
        tag,
        Tag::Quote | Tag::List(_) | Tag::Item | Tag::Table | Tag::CodeBlock(_) | Tag::Raw
    )
}

/// The number of elements made for a tag itself, without its children.
fn own(tag: &Tag) -> usize {
    match tag {
        Tag::CodeBlock(_) => 9,
        Tag::Link(_) => 3,
        _ => 1,
    }
}

/// The cost of a node for a browser, in elements.
fn weight(node: &Node) -> usize {
    match node {
        // The rest is folded and not laid out.
        Node::Element(Tag::Rest, _) => 1,
        Node::Element(tag, children) => own(tag) + children.iter().map(weight).sum::<usize>(),
        Node::Text(text) => {
            let lines = text.bytes().filter(|byte| *byte == b'\n').count();
            1 + text.len() / TEXT_BYTES_PER_ELEMENT + lines / LINES_PER_ELEMENT
        }
        // A formula becomes many elements.
        Node::Formula { written, .. } => 2 + written.len(),
        _ => 1,
    }
}

fn spend(left: &mut isize, cost: usize) {
    *left -= cost as isize;
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::Document;

    fn block(text: &str) -> Arc<Node> {
        let mut document = Document::new();
        document.finish_with(text);
        let block = document.blocks().first().expect("there is a block");
        Arc::clone(&block.node)
    }

    fn nodes(node: &Node) -> usize {
        match node {
            Node::Element(_, children) => 1 + children.iter().map(nodes).sum::<usize>(),
            _ => 1,
        }
    }

    /// Shows `goal` step by step after `shown`; returns the steps.
    fn steps(mut shown: Option<Arc<Node>>, goal: &Arc<Node>) -> Vec<Arc<Node>> {
        let mut all = Vec::new();
        while shown.as_ref().is_none_or(|shown| **shown != **goal) {
            let mut left = 20;
            let next = advance(shown.as_deref(), goal, &mut left);
            assert!(
                shown.as_deref() != Some(&*next),
                "each step shows something new"
            );
            all.push(Arc::clone(&next));
            shown = Some(next);
        }
        all
    }

    #[test]
    fn a_long_block_is_shown_in_parts_of_bounded_size() {
        let cells = format!("|a|b|\n|-|-|\n{}", "|c|d|\n".repeat(500));
        for text in [
            "- item\n\n".repeat(500),
            "- item\n".repeat(500),
            "> quote\n>\n".repeat(500),
            format!("> - {}", "deep\n>   - deep\n> - ".repeat(300)),
            format!("```\n{}```", "code\n".repeat(5000)),
            cells,
        ] {
            let goal = block(&text);
            let all = steps(None, &goal);
            assert!(all.len() > 4, "{} in {} steps", &text[..20], all.len());
            let mut before = 0;
            for step in &all {
                let now = nodes(step);
                assert!(now <= before + 40, "from {before} to {now} nodes");
                before = now;
            }
            assert!(Arc::ptr_eq(all.last().expect("there are some"), &goal));
        }
    }

    #[test]
    fn what_is_shown_stays_until_its_turn_comes() {
        // All items become paragraphs as soon as one of them does.
        let tight = block(&"- item\n".repeat(300));
        let loose = block(&format!("{}\n- more\n", "- item\n".repeat(300)));
        for step in steps(Some(tight), &loose) {
            assert!(nodes(&step) > 600, "nothing goes meanwhile");
        }
    }

    #[test]
    fn a_short_block_is_shown_at_once() {
        let goal = block("> A *short* one.\n");
        let mut left = 20;
        assert!(Arc::ptr_eq(&advance(None, &goal, &mut left), &goal));
        assert_eq!(left, 20 - 6);
    }

    #[test]
    fn a_block_of_another_kind_begins_anew() {
        let paragraph = block("Title\n");
        let goal = block("Title\n===\n");
        assert_eq!(steps(Some(paragraph), &goal).len(), 1);
    }
}
