//! The header of a column.

use super::words::title;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::models::SortColumn;

/// The header of a column: a button that sorts by it, and turns the order around. The arrow is the
/// stylesheet's.
#[component]
pub fn ColumnHeader(
    /// The column.
    column: SortColumn,
) -> impl IntoView {
    let models = use_stores().models;
    let aria_sort = move || {
        let sorting = models.sorting.get();
        (sorting.column == column).then_some(match sorting.descending {
            true => "descending",
            false => "ascending",
        })
    };

    view! {
        <th role="columnheader" scope="col" aria-sort=aria_sort>
            <button type="button" class="column-sort" on:click=move |_| models.sort_by(column)>
                {title(column)}
            </button>
        </th>
    }
}
