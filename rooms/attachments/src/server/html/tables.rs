//! Tables of HTML. `htmd` leaves out what is in a row beside its heads, and more than one row of heads.

use super::node::{attribute, children, name, nearest};
use crate::server::table::markdown;
use htmd::Element;
use htmd::Node;
use htmd::element_handler::{HandlerResult, Handlers};

/// The most columns that one cell can span.
const MAX_SPAN: usize = 100;

/// A table as Markdown. One that arranges a page becomes the text of its cells, one after the other.
pub fn table(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut arranges = !nearest(element.node, &["table"], "").is_empty();
    let captions = nearest(element.node, &["caption"], "table");
    let mut out: Vec<String> = captions
        .iter()
        .map(|caption| handlers.walk_children(caption).content.trim().to_owned())
        .collect();
    for row in nearest(element.node, &["tr"], "table") {
        let mut cells = Vec::new();
        for cell in children(&row) {
            if !matches!(name(&cell), "td" | "th") {
                continue;
            }
            arranges = arranges || has_sections(&cell);
            cells.push(handlers.walk_children(&cell).content.trim().to_owned());
            cells.extend((1..span(&cell)).map(|_| String::new()));
        }
        if !cells.is_empty() {
            rows.push(cells);
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    match arranges || columns < 2 {
        true => out.extend(rows.into_iter().flatten().filter(|cell| !cell.is_empty())),
        false => out.push(markdown(&rows)),
    }
    out.retain(|part| !part.trim().is_empty());
    (!out.is_empty()).then(|| format!("\n\n{}\n\n", out.join("\n\n")).into())
}

fn span(cell: &Node) -> usize {
    let span = attribute(cell, "colspan").and_then(|span| span.trim().parse().ok());
    span.unwrap_or(1).clamp(1, MAX_SPAN)
}

/// Whether a cell is a part of the page, and no value.
fn has_sections(cell: &Node) -> bool {
    let parts = [
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "pre",
        "article",
        "section",
        "blockquote",
    ];
    !nearest(cell, &parts, "table").is_empty()
}
