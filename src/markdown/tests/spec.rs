use super::super::Node;
use super::super::node::plain;
use super::{corpus, whole};
use pulldown_cmark::{Event, Options, Parser};

/// The text of the parser's own events.
fn own_text(text: &str) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut out = String::new();
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                out.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => out.push('\n'),
            _ => {}
        }
    }
    out
}

#[test]
fn every_example_keeps_the_text_of_the_parser() {
    for name in ["commonmark-spec.txt", "gfm-spec.txt"] {
        let examples = corpus(name);
        let mut equal = 0;
        for text in &examples {
            let document = whole(text);
            let nodes: Vec<Node> = document
                .blocks()
                .iter()
                .map(|b| (*b.node).clone())
                .collect();
            assert_eq!(plain(&nodes), own_text(text), "{text}");
            equal += 1;
        }
        println!(
            "{name}: {equal} of {} examples with equal text",
            examples.len()
        );
    }
}
