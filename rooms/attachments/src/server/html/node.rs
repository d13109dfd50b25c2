//! Names, attributes and texts of the tree of a page.

use htmd::Node;
use markup5ever_rcdom::NodeData;
use std::rc::Rc;

/// The name of an element; empty for anything else.
pub fn name(node: &Node) -> &str {
    match &node.data {
        NodeData::Element { name, .. } => &name.local,
        _ => "",
    }
}

/// An attribute of an element.
pub fn attribute(node: &Node, wanted: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let attrs = attrs.borrow();
    let found = attrs.iter().find(|attr| &*attr.name.local == wanted);
    found.map(|attr| attr.value.to_string())
}

/// The element or document that a node is in.
pub fn parent(node: &Node) -> Option<Rc<Node>> {
    let parent = node.parent.take();
    node.parent.set(parent.clone());
    parent?.upgrade()
}

/// The nodes in a node.
pub fn children(node: &Node) -> Vec<Rc<Node>> {
    node.children.borrow().clone()
}

/// The nodes below a node that are elements of these names, in order; none within another one of them, and none
/// within an element of `closed`.
pub fn nearest(node: &Node, names: &[&str], closed: &str) -> Vec<Rc<Node>> {
    let (mut found, mut open) = (Vec::new(), children(node));
    open.reverse();
    while let Some(node) = open.pop() {
        match name(&node) {
            name if names.contains(&name) => found.push(node),
            name if name == closed => {}
            _ => open.extend(children(&node).into_iter().rev()),
        }
    }
    found
}

/// The text that is directly in a node.
pub fn own_text(node: &Node) -> String {
    let children = node.children.borrow();
    let texts = children.iter().filter_map(|child| match &child.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ => None,
    });
    texts.collect()
}
