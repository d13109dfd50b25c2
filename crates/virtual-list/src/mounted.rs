//! The mounted rows.

use crate::ListRow;
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use sash_browser_kit::console::LogError;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, Node};

/// The attribute of a row that is mounted to be printed and has no place on the screen: otherwise each slice of thousands
/// of rows would cost as much as all rows before it.
pub const PRINT_ONLY: &str = "data-print-only";

/// A mounted row: its view, and the owner of its reactive values.
struct MountedRow<R> {
    row: R,
    element: HtmlElement,
    view: AnyViewState,
    owner: Owner,
}

impl<R: ListRow> MountedRow<R> {
    /// Builds a row. Its view has one element.
    fn build(row: R, parent: &Owner, view: impl Fn(R) -> AnyView) -> Option<Self> {
        let owner = parent.child();
        let view = owner.with(|| untrack(|| view(row).build()));
        let element = view.elements().into_iter().next()?.dyn_into().ok()?;
        Some(Self {
            row,
            element,
            view,
            owner,
        })
    }

    /// Unmounts the row. The listeners are removed with the view, and their signals after that: an element
    /// that is being removed still gets events, because a focused field is blurred.
    fn unmount(mut self) {
        self.view.unmount();
        drop(self.view);
        self.owner.cleanup();
    }
}

/// The mounted rows, in order. A row is kept as long as its key is present.
pub struct MountedRows<R>(Vec<MountedRow<R>>);

impl<R> Default for MountedRows<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: ListRow> MountedRows<R> {
    /// The element of each row, in order.
    pub fn elements(&self) -> impl Iterator<Item = &HtmlElement> {
        self.0.iter().map(|mounted| &mounted.element)
    }

    /// The element of a row, if it is mounted.
    pub fn element_of(&self, row: R) -> Option<HtmlElement> {
        let mounted = self.0.iter().find(|mounted| mounted.row == row);
        mounted.map(|mounted| mounted.element.clone())
    }

    /// Mounts the wanted rows at the end of the list, `for_printing` only or to be seen, and unmounts the others.
    pub fn update(
        &mut self,
        wanted: &[R],
        for_printing: bool,
        list: &HtmlElement,
        parent: &Owner,
        view: impl Fn(R) -> AnyView,
    ) {
        let mut former: Vec<Option<MountedRow<R>>> = self.0.drain(..).map(Some).collect();
        let mut next_place = 0;
        for row in wanted {
            let is_row = |mounted: &Option<MountedRow<R>>| {
                mounted.as_ref().is_some_and(|mounted| mounted.row == *row)
            };
            // Rows usually keep their order, so the search continues after the last match.
            let (before, behind) = former.split_at(next_place);
            let found = match behind.iter().position(is_row) {
                Some(place) => Some(next_place + place),
                None => before.iter().position(is_row),
            };
            let kept = found.and_then(|place| {
                next_place = place + 1;
                former[place].take()
            });
            let build = || {
                let built = MountedRow::build(*row, parent, &view)?;
                if for_printing {
                    built.element.set_attribute(PRINT_ONLY, "").log_error();
                }
                Some(built)
            };
            self.0.extend(kept.or_else(build));
        }
        for removed in former.into_iter().flatten() {
            removed.unmount();
        }
        self.place(list);
    }

    /// Puts the rows in order, from the last to the first. A row in the right position is not moved, because
    /// moving it would lose focus and selection.
    fn place(&mut self, list: &HtmlElement) {
        let mut next: Option<Node> = None;
        for mounted in self.0.iter_mut().rev() {
            let is_in_place = mounted.element.parent_node().as_ref() == Some(list)
                && mounted.element.next_sibling() == next;
            if !is_in_place {
                mounted.view.mount(list, next.as_ref());
            }
            next = Some(mounted.element.clone().unchecked_into());
        }
    }
}
