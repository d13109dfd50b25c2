//! An answer that comes letter by letter is calm: what is shown stays what it is.

use super::super::{Document, Node, Tag};
use super::{answers, name};
use std::collections::{BTreeMap, HashMap};

/// Each element of a frame: its place, and what it is. A link is the same whether it may be followed or not.
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

/// What changes while an answer comes letter by letter, and how often: a block that becomes another one, an
/// element that goes, one that comes back.
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

/// What changes on purpose, because nobody can know before: a list that becomes loose puts paragraphs into its items,
/// an underline makes a heading of a line, a row without bars at its sides is a line until the next one, and the
/// name of an image that has no address so far is text.
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
        // What is never closed looks closed until its paragraph ends.
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
