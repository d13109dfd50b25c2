//! The icons as elements, for the rooms that are not components yet.

use super::IconName;
use crate::ui::dom::{El, button, svg};

/// Draws an icon.
pub fn icon(icon: IconName) -> El {
    drawing("icon").child(svg("path").attr("d", icon.path()))
}

/// A button that is an icon, with its name in words.
pub fn icon_button(name: &str, face: IconName) -> El {
    button("icon-button")
        .attr("aria-label", name)
        .attr("title", name)
        .child(icon(face))
}

/// Sash's own mark: a sash window, its lower pane slid up a little.
pub fn mark() -> El {
    let line = |d| svg("path").attr("d", d);
    drawing("mark")
        .child(line("M4.5 3.5h15v17h-15z"))
        .child(line("M7 10.5h10v7H7z").class("mark-pane"))
        .child(line("M7 6.5h10"))
}

fn drawing(class: &str) -> El {
    svg("svg")
        .class(class)
        .attr("viewBox", "0 0 24 24")
        .attr("aria-hidden", "true")
}
