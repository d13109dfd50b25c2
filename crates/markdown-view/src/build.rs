//! Builds elements from nodes: the closed set of tags and attributes that an answer can have.

use crate::code::block;
use crate::element::{append, scroller, text_node, with};
use crate::formula;
use sash_browser_kit::console::LogError;
use sash_markdown::{Destination, Node, PIECE, RendererNote, Tag, describe, direction, plain, tex};
use sash_words::t;
use web_sys::Element;

/// Builds a node with its descendants.
pub(crate) fn build(node: &Node) -> web_sys::Node {
    match node {
        Node::Text(text) => text_node(text).into(),
        Node::Hidden(run) => {
            let mark = with("span", &[("class", "hidden-mark")]);
            mark.set_text_content(Some(&describe(run)));
            mark.into()
        }
        Node::Break => with("br", &[]).into(),
        Node::Rule => with("hr", &[]).into(),
        Node::Check(done) => {
            let (label, sign) = if *done {
                (t!(markdown.task_done), "☑ ")
            } else {
                (t!(markdown.task_open), "☐ ")
            };
            let attributes = [("class", "task"), ("role", "img"), ("aria-label", label)];
            let mark = with("span", &attributes);
            mark.set_text_content(Some(sign));
            mark.into()
        }
        Node::Image { alt, source } => image(alt, source.as_ref()).into(),
        Node::Formula {
            written,
            display,
            open,
        } => formula(written, *display, *open).into(),
        Node::FootnoteReference(name) => footnote_mark(name).into(),
        Node::Note(RendererNote::TooLong { rest }) => crate::rest::note(*rest).into(),
        Node::Element(tag, children) => {
            let outer = build_empty(tag, children);
            let inner = inner(tag, &outer);
            let pieces = match tag {
                Tag::Table => children.chunks(PIECE),
                _ => children.chunks(children.len().max(1)),
            };
            for piece in pieces {
                let inner = match tag {
                    Tag::Table => crate::table::piece(&inner),
                    _ => inner.clone(),
                };
                for child in piece {
                    append(&inner, &build(child));
                }
            }
            set_direction(&inner, tag, children);
            outer.into()
        }
    }
}

/// The element that contains the children of `outer`, which [`build`] made for `tag`.
pub(crate) fn inner(tag: &Tag, outer: &Element) -> Element {
    let below = match tag {
        Tag::CodeBlock(_) => outer
            .last_element_child()
            .and_then(|pre| pre.first_element_child()),
        Tag::Table => outer.first_element_child(),
        Tag::Link(_) => outer.first_element_child(),
        Tag::Footnote(_) => outer.last_element_child(),
        _ => None,
    };
    below.unwrap_or_else(|| outer.clone())
}

/// Sets the direction of an element that contains blocks, once it has letters. With `dir="auto"` the browser
/// would scan all blocks each time one is added.
pub(crate) fn set_direction(inner: &Element, tag: &Tag, children: &[Node]) {
    let blocks = matches!(tag, Tag::Quote | Tag::List(_) | Tag::Table);
    if blocks
        && !inner.has_attribute("dir")
        && let Some(direction) = direction(children)
    {
        inner.set_attribute("dir", direction).log_error();
    }
}

/// Builds an element without its children, which are only examined.
fn build_empty(tag: &Tag, children: &[Node]) -> Element {
    match tag {
        Tag::Paragraph => with("p", &[("dir", "auto")]),
        // Of a heading within a quote or a list; one at the top level gets its place in the outline.
        Tag::Heading(written) => heading(*written),
        Tag::Quote => with("blockquote", &[]),
        Tag::List(None) => with("ul", &[]),
        Tag::List(Some(first)) => with("ol", &[("start", first.to_string().as_str())]),
        Tag::Item => with("li", &[]),
        Tag::Footnote(name) => {
            let outer = with("div", &[("class", "footnote")]);
            append(&outer, &footnote_mark(name));
            append(&outer, &with("div", &[("class", "footnote-text")]));
            outer
        }
        Tag::Table => table(),
        Tag::Row => with("tr", &[]),
        Tag::Cell { head, align } => {
            let class = align.class();
            match head {
                true => with("th", &[("class", class), ("scope", "col")]),
                false => with("td", &[("class", class)]),
            }
        }
        Tag::CodeBlock(fence) => block(fence),
        Tag::Lines => with("span", &[("class", "lines")]),
        Tag::Raw => with("div", &[("class", "raw")]),
        Tag::Rest => crate::rest::piece(),
        Tag::Emphasis => with("em", &[]),
        Tag::Strong => with("strong", &[]),
        Tag::Strike => with("del", &[]),
        Tag::Code => with("code", &[]),
        Tag::Link(to) => link(to, &plain(children)),
        Tag::Unlinked(to) => with("span", &[("class", "unlinked"), ("title", to)]),
    }
}

/// An empty heading at a depth below the message's own, which is an h3.
pub(crate) fn heading(depth: u8) -> Element {
    let name = match depth {
        ..=1 => "h4",
        2 => "h5",
        _ => "h6",
    };
    with(name, &[("dir", "auto")])
}

/// The mark of a footnote, in the text and in front of the note.
fn footnote_mark(name: &str) -> Element {
    let mark = with("sup", &[]);
    mark.set_text_content(Some(&format!("[{name}]")));
    mark
}

fn table() -> Element {
    let scroll = scroller("div", "table", t!(markdown.table));
    append(&scroll, &with("table", &[]));
    scroll
}

/// A link followed by its host, unless the text already contains it.
fn link(to: &Destination, text: &str) -> Element {
    let outer = with("span", &[("class", "link")]);
    append(&outer, &anchor(to, ""));
    let text = text.trim().trim_end_matches('/');
    let address = to.href.trim_end_matches('/');
    let bare = address
        .split_once(':')
        .map_or("", |(_, rest)| rest.trim_start_matches('/'));
    if ![address, bare, &to.host].contains(&text) {
        append(&outer, &host(&to.host));
    }
    outer
}

/// A chip that replaces an image, which is never loaded; a link if its address may be followed.
fn image(alt: &str, source: Option<&Destination>) -> Element {
    let chip = match source {
        Some(to) => anchor(to, "chip"),
        None => with("span", &[("class", "chip")]),
    };
    let words = match alt {
        "" => t!(markdown.image_label).to_owned(),
        alt => t!(markdown.image, alt = &alt),
    };
    append(&chip, &text_node(&words));
    if let Some(to) = source {
        append(&chip, &host(&to.host));
    }
    chip
}

fn anchor(to: &Destination, class: &str) -> Element {
    let rel = "noopener noreferrer nofollow";
    with(
        "a",
        &[
            ("class", class),
            ("href", &to.href),
            ("target", "_blank"),
            ("rel", rel),
        ],
    )
}

fn host(host: &str) -> Element {
    let span = with("span", &[("class", "host")]);
    span.set_text_content(Some(&format!(" ({host})")));
    span
}

/// Builds a formula: MathML, or its source if the formula is not understood. An `open` one stays its source.
fn formula(written: &str, display: bool, open: bool) -> Element {
    let place = match display {
        true => scroller("span", "formula display", t!(markdown.formula)),
        // A formula that scrolls must be focusable by keyboard.
        false => match formula_class(written) {
            "formula" => with("span", &[("class", "formula")]),
            long => scroller("span", long, t!(markdown.formula)),
        },
    };
    // A copy of the answer contains this source instead.
    place.set_attribute("data-source", written).log_error();
    let source = with("code", &[("title", t!(markdown.formula_not_shown))]);
    source.set_text_content(Some(written));
    append(&place, &source);
    if !open {
        formula::show(&place, tex(written), display);
    }
    place
}

/// The class of an inline formula, which cannot be broken: whether it may be wider than a narrow page, or
/// than any.
fn formula_class(written: &str) -> &'static str {
    match written.len() {
        0..40 => "formula",
        40..120 => "formula long",
        _ => "formula long longer",
    }
}
