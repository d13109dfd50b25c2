//! An answer that arrives character by character is stable: elements that are shown keep their kind.

use super::super::{Document, Node, Tag};
use super::{answers, name};
use std::collections::{BTreeMap, HashMap};

/// Each element of a frame: its path and its kind. A link counts the same whether or not it may be followed.
fn elements(document: &Document) -> HashMap<Vec<usize>, String> {
    fn walk(node: &Node, place: &mut Vec<usize>, out: &mut HashMap<Vec<usize>, String>) {
        let (what, children): (String, &[Node]) = match node {
            Node::Element(Tag::Lines | Tag::Raw | Tag::Rest, _)
            | Node::Text(_)
            | Node::Hidden(_) => return,
            Node::Element(tag, children) => (name(tag), children),
            Node::Image { .. } => ("img".into(), &[]),
            Node::Formula { .. } => ("formula".into(), &[]),
            other => (format!("{other:?}"), &[]),
        };
        out.insert(place.clone(), what);
        let mut index = 0;
        for child in children {
            if !matches!(child, Node::Text(_) | Node::Hidden(_)) {
                place.push(index);
                walk(child, place, out);
                place.pop();
                index += 1;
            }
        }
    }
    let mut out = HashMap::new();
    for (index, block) in document.blocks().iter().enumerate() {
        walk(&block.node, &mut vec![index], &mut out);
    }
    out
}

/// The changes while an answer arrives character by character, and how often each occurs: a block that
/// becomes another one, an element that disappears, one that reappears.
fn changes(text: &str) -> BTreeMap<String, usize> {
    let mut document = Document::new();
    let mut last: HashMap<Vec<usize>, String> = HashMap::new();
    let mut gone: HashMap<Vec<usize>, String> = HashMap::new();
    let mut out = BTreeMap::new();
    let mut note = |what: String| *out.entry(what).or_default() += 1;
    for letter in text.chars() {
        document.append(letter.encode_utf8(&mut [0; 4]));
        let now = elements(&document);
        for (place, was) in &last {
            let is = now.get(place);
            if is != Some(was) {
                let what = if place.len() == 1 { "block" } else { "element" };
                note(format!("{what} {was} -> {}", is.map_or("-", |is| is)));
                gone.insert(place.clone(), was.clone());
            }
        }
        for (place, is) in &now {
            if last.get(place) != Some(is) && gone.get(place) == Some(is) {
                note(format!("back and forth: {is}"));
            }
        }
        last = now;
    }
    out
}

/// Changes that cannot be avoided: a list that becomes loose puts paragraphs into its items, an underline
/// turns a line into a heading, a row without bars at its sides is a line until the next one, and the alt
/// text of an image without an address so far is text.
const ONCE: [&str; 6] = [
    "element code -> p",
    "element strong -> p",
    "element formula -> p",
    "block p -> h2",
    "block p -> table",
    "element img -> -",
];

#[test]
fn nothing_flickers() {
    for (name, text) in answers() {
        let all = changes(&text);
        println!("{name}: {} letters, {all:?}", text.len());
        // Markup that is never closed looks closed until its paragraph ends.
        if name != "halves" {
            let others: Vec<_> = all
                .iter()
                .filter(|(what, n)| **n > 1 || !ONCE.contains(&what.as_str()))
                .collect();
            assert_eq!(others, [], "{name}");
        }
        let blocks = all.iter().filter(|(what, _)| what.starts_with("block"));
        assert!(blocks.map(|(_, n)| n).sum::<usize>() <= 1, "{name}");
    }
}
