//! The rows that are on the page.

use crate::ui::transcript::row::Row;
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, Node};

/// A row on the page: its view, and the owner of all that is reactive in it.
struct MountedRow {
    row: Row,
    element: HtmlElement,
    view: AnyViewState,
    owner: Owner,
}

impl MountedRow {
    /// Builds a row. Its view has one element.
    fn build(row: Row, parent: &Owner, view: impl Fn(Row) -> AnyView) -> Option<Self> {
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

    /// Takes the row from the page. Listeners go with the view, and only then the signals that they use: an element
    /// on its way out still gets events, since a focused field is blurred.
    fn unmount(mut self) {
        self.view.unmount();
        drop(self.view);
        self.owner.cleanup();
    }
}

/// The rows on the page, in their order. A row stays as it is for as long as its key is there.
#[derive(Default)]
pub struct MountedRows(Vec<MountedRow>);

impl MountedRows {
    /// The element of each row, in their order.
    pub fn elements(&self) -> impl Iterator<Item = &HtmlElement> {
        self.0.iter().map(|mounted| &mounted.element)
    }

    /// Brings the rows that are wanted to the end of the list, and takes away the others.
    pub fn update(
        &mut self,
        wanted: &[Row],
        list: &HtmlElement,
        parent: &Owner,
        view: impl Fn(Row) -> AnyView,
    ) {
        let mut former: Vec<Option<MountedRow>> = self.0.drain(..).map(Some).collect();
        let mut next_place = 0;
        for row in wanted {
            let is_row = |mounted: &Option<MountedRow>| {
                mounted.as_ref().is_some_and(|mounted| mounted.row == *row)
            };
            // Rows keep their order nearly always, so the search goes on where the last one was found.
            let (before, behind) = former.split_at(next_place);
            let found = match behind.iter().position(is_row) {
                Some(place) => Some(next_place + place),
                None => before.iter().position(is_row),
            };
            let kept = found.and_then(|place| {
                next_place = place + 1;
                former[place].take()
            });
            self.0
                .extend(kept.or_else(|| MountedRow::build(*row, parent, &view)));
        }
        for removed in former.into_iter().flatten() {
            removed.unmount();
        }
        self.place(list);
    }

    /// Puts the rows in their order, from the last to the first. A row that stands in its place is not touched: to be
    /// moved would cost it its focus and its selection.
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
