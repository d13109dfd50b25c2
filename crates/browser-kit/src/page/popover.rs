//! Positions an open popover.

use crate::console::LogError;
use leptos::prelude::document;
use web_sys::{Element, HtmlElement};

/// Positions an open popover below an element, or above it if there is no room below. Returns whether that
/// element is visible in its scrolling container.
pub fn place_popover(popover: &HtmlElement, beside: &Element, scroller: &Element) -> bool {
    const GAP: f64 = 4.0;
    let Some(root) = document().document_element() else {
        return false;
    };
    let (edges, visible) = (
        beside.get_bounding_client_rect(),
        scroller.get_bounding_client_rect(),
    );
    let (width, height) = (popover.offset_width(), popover.offset_height());
    let [across, down] =
        [root.client_width() - width, root.client_height() - height].map(f64::from);
    let below = edges.bottom() + GAP;
    let y = if below <= down - GAP {
        below
    } else {
        edges.top() - GAP - f64::from(height)
    };
    let x = edges.left().min(across - GAP).max(GAP);
    let y = y.min(down - GAP).max(GAP);
    popover
        .style()
        .set_property("left", &format!("{x}px"))
        .log_error();
    popover
        .style()
        .set_property("top", &format!("{y}px"))
        .log_error();
    edges.bottom() > visible.top() && edges.top() < visible.bottom()
}
