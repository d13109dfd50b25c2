//! Takes out of a page what a browser does not show. What is hidden from assistive programs alone is seen and stays;
//! what unfolds by a click stays too.

use super::node::{attribute, children, name, nearest, own_text};
use super::style::{Shown, Styles};
use htmd::Node;
use markup5ever_rcdom::NodeData;
use std::rc::Rc;

/// Takes it out.
pub fn take_out(page: &Rc<Node>) {
    let sheets = nearest(page, &["style"], "");
    let sheets = sheets.iter().map(|sheet| {
        let media = attribute(sheet, "media").unwrap_or_default();
        (own_text(sheet), media)
    });
    let styles = Styles::parse(sheets);
    // The elements whose children are not looked at yet, and whether their text is seen.
    let mut open = vec![(Rc::clone(page), true)];
    while let Some((node, is_visible)) = open.pop() {
        let shown: Vec<(Rc<Node>, bool)> = children(&node)
            .into_iter()
            .filter_map(|child| match &child.data {
                NodeData::Element { .. } => {
                    visible(&child, &styles, is_visible).map(|seen| (child, seen))
                }
                NodeData::Text { .. } => is_visible.then_some((child, true)),
                _ => Some((child, is_visible)),
            })
            .collect();
        *node.children.borrow_mut() = shown.iter().map(|(child, _)| Rc::clone(child)).collect();
        open.extend(shown);
    }
}

/// Whether the text of an element is seen; `None` if nothing in it is.
fn visible(element: &Node, styles: &Styles, inherited: bool) -> Option<bool> {
    let by_itself = match name(element) {
        "dialog" => attribute(element, "open").is_some(),
        "input" => {
            attribute(element, "type").is_none_or(|kind| !kind.eq_ignore_ascii_case("hidden"))
        }
        _ => attribute(element, "hidden").is_none(),
    };
    let Shown {
        display,
        visibility,
    } = styles.of(element);
    display
        .unwrap_or(by_itself)
        .then(|| visibility.unwrap_or(inherited))
}
