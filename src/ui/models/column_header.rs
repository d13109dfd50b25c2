//! The header of a column.

use super::words::title;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::models::SortColumn;

/// The header of a column: a button that sorts by it, and turns the order around.
#[component]
pub fn ColumnHeader(
    /// The column.
    column: SortColumn,
) -> impl IntoView {
    let models = use_stores().models;
    // Whether the largest value comes first; `None` if another column sorts.
    let descending = move || {
        let sorting = models.sorting.get();
        (sorting.column == column).then_some(sorting.descending)
    };
    let aria_sort = move || {
        descending().map(|descending| match descending {
            true => "descending",
            false => "ascending",
        })
    };
    let arrow = move || match descending() {
        Some(true) => " ↓",
        Some(false) => " ↑",
        None => "",
    };

    view! {
        <th role="columnheader" scope="col" aria-sort=aria_sort>
            <button type="button" class="column-sort" on:click=move |_| models.sort_by(column)>
                {title(column)}
                <span aria-hidden="true">{arrow}</span>
            </button>
        </th>
    }
}
