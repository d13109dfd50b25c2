//! Conformance: every example of CommonMark's and GFM's specification, as a tree against the reference's
//! HTML.
//!
//! Our tree is written in the reference's HTML format, and both are compared without the line ends between
//! blocks. Titles of links and addresses of images are removed from the reference, because the page never has
//! them. Examples with raw HTML, which is text here, are counted separately.

use super::super::{Align, Node, Tag, plain};
use super::{Example, corpus, whole};
use std::collections::BTreeMap;

use pulldown_cmark::{Event, Options, Parser};

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// A destination in the reference's format.
fn address(to: &str) -> String {
    let mut out = String::new();
    for byte in to.bytes() {
        match byte {
            b'&' => out.push_str("&amp;"),
            b'\'' => out.push_str("&#39;"),
            _ if byte.is_ascii_alphanumeric() || b"!#$%()*+,-./:;=?@_~".contains(&byte) => {
                out.push(byte.into())
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn html(nodes: &[Node]) -> String {
    nodes.iter().map(one).collect()
}

fn one(node: &Node) -> String {
    let (tag, children) = match node {
        Node::Text(text) => return escaped(text),
        Node::Hidden(run) => return run.clone(),
        Node::Break => return "<br />\n".into(),
        Node::Rule => return "<hr />\n".into(),
        Node::Check(true) => return "<input checked=\"\" disabled=\"\" type=\"checkbox\"> ".into(),
        Node::Check(false) => return "<input disabled=\"\" type=\"checkbox\"> ".into(),
        Node::Image { alt, .. } => return format!("<img alt=\"{}\" />", escaped(alt)),
        Node::Note(_) | Node::FootnoteReference(_) => return String::new(),
        Node::Formula { .. } => return "<formula>".into(),
        Node::Element(tag, children) => (tag, children),
    };
    let inner = html(children);
    let simple = |name: &str| format!("<{name}>{inner}</{name}>");
    let link = |to: &str| format!("<a href=\"{}\">{inner}</a>", address(to));
    match tag {
        Tag::Paragraph => simple("p"),
        Tag::Heading(level) => simple(&format!("h{level}")),
        Tag::Quote => simple("blockquote"),
        Tag::List(None) => simple("ul"),
        Tag::List(Some(1)) => simple("ol"),
        Tag::List(Some(first)) => format!("<ol start=\"{first}\">{inner}</ol>"),
        Tag::Item => simple("li"),
        Tag::Table => {
            let (head, body) = children.split_first().expect("a head row");
            let body = match body {
                [] => String::new(),
                body => format!("<tbody>{}</tbody>", html(body)),
            };
            format!("<table><thead>{}</thead>{body}</table>", one(head))
        }
        Tag::Row => simple("tr"),
        Tag::Cell { head, align } => {
            let name = if *head { "th" } else { "td" };
            match align {
                Align::None => simple(name),
                align => format!(
                    "<{name} align=\"{}\">{inner}</{name}>",
                    format!("{align:?}").to_lowercase()
                ),
            }
        }
        Tag::CodeBlock(language) if language.is_empty() => {
            format!("<pre><code>{inner}</code></pre>")
        }
        Tag::CodeBlock(language) => {
            format!(
                "<pre><code class=\"language-{}\">{inner}</code></pre>",
                escaped(language)
            )
        }
        Tag::Lines | Tag::Raw | Tag::Rest | Tag::Footnote(_) => inner,
        Tag::Emphasis => simple("em"),
        Tag::Strong => simple("strong"),
        Tag::Strike => simple("del"),
        Tag::Code => simple("code"),
        Tag::Link(to) => link(&to.href),
        Tag::Unlinked(to) => link(to),
    }
}

/// Removes line ends next to the tags of blocks, titles, and addresses of images.
fn bare(html: &str) -> String {
    const BLOCKS: [&str; 22] = [
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "ul",
        "ol",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "pre",
        "hr",
        "code",
        "br",
        "div",
    ];
    let mut out = String::new();
    let mut rest = html;
    let mut in_code = false;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        out.push_str(text);
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let (tag, after) = tag.split_at(end);
        let name = tag.trim_matches(['<', '>', '/', ' ']);
        let name = name.split([' ', '/', '>']).next().unwrap_or_default();
        let block = BLOCKS[..19].contains(&name);
        if block && !in_code {
            out.truncate(out.trim_end_matches('\n').len());
        }
        match name {
            "pre" => in_code = !tag.starts_with("</"),
            "br" if !in_code => out.truncate(out.trim_end_matches('\n').len()),
            _ => {}
        }
        let mut kept = tag.to_owned();
        for (name, of) in [(" title=\"", "a"), (" title=\"", "img"), (" src=\"", "img")] {
            if let Some(from) = kept
                .find(name)
                .filter(|_| tag.starts_with(&format!("<{of} ")))
            {
                let to = kept[from + name.len()..]
                    .find('"')
                    .map_or(kept.len(), |to| from + name.len() + to + 1);
                kept.replace_range(from..to, "");
            }
        }
        out.push_str(&kept);
        rest = match (block && !in_code) || name == "br" {
            true => after.trim_start_matches('\n'),
            false => after,
        };
    }
    out.push_str(rest);
    out.trim_end_matches('\n').replace("&#x27;", "&#39;")
}

fn events(text: &str) -> Vec<Event<'_>> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(text, options).collect()
}

/// Compares all examples of one specification and prints the counts; returns those that differ without a
/// reason.
fn compare(name: &str) -> Vec<String> {
    let examples = corpus(name);
    let [mut equal, mut raw, mut images] = [0; 3];
    let mut other = Vec::new();
    let mut reasons = BTreeMap::<&str, usize>::new();
    for Example {
        source,
        html: reference,
    } in &examples
    {
        let has = |wanted: fn(&Event) -> bool| events(source).iter().any(wanted);
        if has(|event| matches!(event, Event::Html(_) | Event::InlineHtml(_))) {
            raw += 1;
            continue;
        }
        let (ours, theirs) = (bare(&html(&nodes(source))), bare(reference));
        let why = reason(source, reference);
        if ours != theirs && why.is_some() {
            *reasons.entry(why.unwrap_or_default()).or_default() += 1;
        } else if ours != theirs {
            other.push(format!(
                "{source:?}\n   ours      {ours:?}\n   reference {theirs:?}"
            ));
        } else if has(|event| matches!(event, Event::Start(pulldown_cmark::Tag::Image { .. }))) {
            images += 1;
        } else {
            equal += 1;
        }
    }
    println!(
        "{name}: {} examples, {equal} equal, {images} equal but that an image is a chip, {raw} with raw HTML, which is text, {} other",
        examples.len(),
        other.len()
    );
    for (why, count) in reasons {
        println!("   {count} differ on purpose: {why}");
    }
    other
}

fn nodes(source: &str) -> Vec<Node> {
    let document = whole(source);
    let blocks = document.blocks().iter();
    blocks.map(|block| (*block.node).clone()).collect()
}

/// Why an example may differ: where Sash deviates on purpose.
fn reason(source: &str, reference: &str) -> Option<&'static str> {
    if !reference.contains("<a ") && source.contains(['@', ':']) {
        return Some("bare addresses are links everywhere, as GFM has it");
    }
    match source {
        _ if source.contains("ftp://") => Some("only http, https and mailto are followed"),
        _ if source.contains("MAILTO:") => Some("schemes are written small"),
        "````;\n````\n" => Some("a semicolon is no language"),
        _ => None,
    }
}

#[test]
fn structure_of_every_example() {
    for name in ["commonmark-spec.txt", "gfm-spec.txt"] {
        let differ = compare(name);
        assert_eq!(differ, [""; 0], "{name}");
    }
}

/// The text of the parser's own events.
fn own_text(text: &str) -> String {
    let mut out = String::new();
    for event in events(text) {
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
        for Example { source, .. } in corpus(name) {
            assert_eq!(plain(&nodes(&source)), own_text(&source), "{source}");
        }
    }
}
