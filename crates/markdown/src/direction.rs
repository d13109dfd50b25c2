//! The direction of a block, from its first letter. `dir="auto"` gives the same result, but a browser then
//! scans the whole element each time something is added to it.

use super::node::{Node, Tag};

/// `ltr` or `rtl`, from the first letter in `nodes`; `None` without letters. Code and formulas have a
/// direction of their own.
#[must_use]
pub fn direction(nodes: &[Node]) -> Option<&'static str> {
    nodes.iter().find_map(|node| match node {
        Node::Text(text) => text.chars().find_map(of_letter),
        Node::Image { alt, .. } => alt.chars().find_map(of_letter),
        Node::Element(Tag::CodeBlock(_) | Tag::Code, _) => None,
        Node::Element(_, children) => direction(children),
        _ => None,
    })
}

/// Letters from Hebrew to Arabic and the neighbouring scripts are written from right to left, all others from
/// left to right. Characters that are not letters have no direction.
fn of_letter(c: char) -> Option<&'static str> {
    let letter = c.is_alphabetic();
    let right_to_left = matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}');
    letter.then_some(if right_to_left { "rtl" } else { "ltr" })
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::Document;

    fn of(text: &str) -> Option<&'static str> {
        let mut document = Document::new();
        document.finish_with(text);
        let nodes: Vec<Node> = document
            .blocks()
            .iter()
            .map(|block| (*block.node).clone())
            .collect();
        direction(&nodes)
    }

    #[test]
    fn the_first_letter_says_it() {
        assert_eq!(of("- a\n- שלום"), Some("ltr"));
        assert_eq!(of("1. *שלום* a"), Some("rtl"));
        assert_eq!(of("> مرحبا\n"), Some("rtl"));
        assert_eq!(of("- 12, «**漢字**»"), Some("ltr"));
    }

    #[test]
    fn what_has_no_letter_has_none() {
        assert_eq!(of("- 1\n- 2"), None);
        assert_eq!(of("- `code`\n\n  ```\n  code\n  ```\n"), None);
        assert_eq!(of(""), None);
    }
}
