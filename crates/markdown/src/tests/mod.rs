//! Tests of the whole crate; each file's own tests are in that file.

mod calm;
mod cells;
mod cjk;
mod footnotes;
mod formula;
mod growing;
mod hostile;
mod markup;
mod nested;
mod outline;
mod pathological;
mod plain_text;
mod spec;
mod streaming;
mod structure;

use super::{Align, Document, Node, Tag};

/// The blocks of a whole text, in brackets: `(p "text" (em "x"))`.
fn show(text: &str) -> String {
    let document = whole(text);
    let blocks = document.blocks().iter().map(|block| one(&block.node));
    blocks.collect::<Vec<_>>().join(" ")
}

/// A whole answer.
fn whole(text: &str) -> Document {
    let mut document = Document::new();
    document.append(text);
    document.finish();
    document
}

fn one(node: &Node) -> String {
    match node {
        Node::Text(text) => format!("{text:?}"),
        Node::Hidden(run) => format!("<{}>", super::describe(run)),
        Node::Break => "br".into(),
        Node::Rule => "hr".into(),
        Node::Check(done) => if *done { "[x]" } else { "[ ]" }.into(),
        Node::Image { alt, source } => {
            let host = source.as_ref().map_or("-", |at| &at.host);
            format!("(img {alt:?} {host})")
        }
        Node::Formula {
            written,
            display,
            open,
        } => {
            let kind = if *display { "math" } else { "inline" };
            let open = if *open { " open" } else { "" };
            format!("({kind}{open} {written:?})")
        }
        Node::FootnoteReference(name) => format!("(note {name:?})"),
        Node::Note(note) => format!("{note:?}"),
        Node::Element(tag, children) => {
            let mut out = format!("({}", name(tag));
            for child in children.iter() {
                out.push(' ');
                out.push_str(&one(child));
            }
            out + ")"
        }
    }
}

fn name(tag: &Tag) -> String {
    match tag {
        Tag::Paragraph => "p".into(),
        Tag::Heading(level) => format!("h{level}"),
        Tag::Quote => "quote".into(),
        Tag::List(None) => "ul".into(),
        Tag::List(Some(first)) => format!("ol {first}"),
        Tag::Item => "li".into(),
        Tag::Footnote(name) => format!("footnote {name:?}"),
        Tag::Table => "table".into(),
        Tag::Row => "tr".into(),
        Tag::Cell { head, align } => {
            let kind = if *head { "th" } else { "td" };
            match align {
                Align::None => kind.into(),
                align => format!("{kind} {align:?}").to_lowercase(),
            }
        }
        Tag::CodeBlock(language) => format!("pre {language:?}"),
        Tag::Lines => "lines".into(),
        Tag::Raw => "raw".into(),
        Tag::Rest => "rest".into(),
        Tag::Emphasis => "em".into(),
        Tag::Strong => "strong".into(),
        Tag::Strike => "del".into(),
        Tag::Code => "code".into(),
        Tag::Link(to) => format!("a {}", to.href),
        Tag::Unlinked(to) => format!("not-a {to:?}"),
    }
}

/// Long answers as models write them, and one with everything that can be left unfinished.
fn answers() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/answers");
    let files = std::fs::read_dir(folder).expect("the answers");
    let mut all: Vec<_> = files
        .map(|file| file.expect("a file").path())
        .map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            (
                name.into_owned(),
                std::fs::read_to_string(&path).expect("an answer"),
            )
        })
        .collect();
    all.sort();
    assert!(all.len() >= 8);
    all
}

/// An example of a specification: the source and its HTML.
struct Example {
    source: String,
    html: String,
}

/// The examples of a specification, or none (and a line that says so) if it is not available. The
/// specifications are in the folder named by `SASH_CORPORA`, or in one beside the clone: their licence
/// differs from ours.
fn corpus(name: &str) -> Vec<Example> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora");
    let folder = std::env::var("SASH_CORPORA").unwrap_or_else(|_| beside.to_owned());
    let Ok(text) = std::fs::read_to_string(std::path::Path::new(&folder).join(name)) else {
        println!("skipped: corpora absent");
        return Vec::new();
    };
    let fence = "`".repeat(32);
    let mut examples = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(&format!("{fence} example")) {
        let body = &rest[at..];
        let body = &body[body.find('\n').map_or(0, |at| at + 1)..];
        let end = body.find(&fence).unwrap_or(body.len());
        let example = format!("\n{}", body[..end].replace('→', "\t"));
        let (source, html) = example.split_once("\n.\n").unwrap_or_default();
        examples.push(Example {
            source: format!("{}\n", source.strip_prefix('\n').unwrap_or(source)),
            html: html.to_owned(),
        });
        rest = &body[end + fence.len().min(body.len() - end)..];
    }
    examples
}
