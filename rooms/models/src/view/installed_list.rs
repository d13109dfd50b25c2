//! The installed models.

use super::model_row::ModelRow;
use super::words::title;
use crate::{Models, SortColumn};
use leptos::prelude::*;
use sash_view::parts::byte_size;
use sash_words::{count, t};

/// All installed models in a table that each column sorts, and the search. On a narrow page a row is a block
/// with the names of its columns; the roles are written out, because a table that is displayed otherwise
/// loses its own.
#[component]
pub fn InstalledList() -> impl IntoView {
    let models = Models::expect();
    let rows = Memo::new(move |_| models.rows());
    let headers = || {
        let all = SortColumn::ALL.into_iter();
        all.map(|column| view! { <ColumnHeader column /> })
            .collect_view()
    };
    let count = move || {
        models.installed.with(|all| match all {
            None => t!(common.asking_ollama).to_owned(),
            Some(all) if all.is_empty() => t!(models.no_model_installed).to_owned(),
            Some(all) => {
                let size = byte_size(all.iter().map(|model| model.size).sum());
                let found = rows.with(Vec::len);
                match found == all.len() {
                    true => t!(
                        models.models_and_size,
                        models = count::models(found),
                        size = &size
                    ),
                    false => t!(
                        models.found_of_models,
                        found = &found,
                        models = count::models(all.len())
                    ),
                }
            }
        })
    };

    view! {
        <section aria-labelledby="installed-title">
            <div class="models-bar">
                <h3 id="installed-title">{t!(models.installed)}</h3>
                <span class="models-hint" role="status">
                    {count}
                </span>
                <input
                    class="search-field"
                    type="search"
                    aria-label=t!(models.search_the_models)
                    placeholder=t!(common.search)
                    autocomplete="off"
                    spellcheck="false"
                    bind:value=models.search
                />
            </div>
            <Show when=move || !rows.with(Vec::is_empty)>
                <table class="models-table" role="table" aria-labelledby="installed-title">
                    <thead role="rowgroup">
                        <tr role="row" data-words=t!(models.sort_by)>
                            {headers()}
                            <th role="columnheader" scope="col">
                                <span class="visually-hidden">{t!(models.actions)}</span>
                            </th>
                        </tr>
                    </thead>
                    <tbody role="rowgroup">
                        <For
                            each=move || rows.get()
                            key=|model| {
                                (
                                    model.id(),
                                    model.digest.clone(),
                                    model.modified_at.clone(),
                                    model.size,
                                    model.failed_to_load,
                                )
                            }
                            let:model
                        >
                            <ModelRow model />
                        </For>
                    </tbody>
                </table>
            </Show>
        </section>
    }
}

/// The header of a column: a button that sorts by it, and turns the order around. The arrow is the
/// stylesheet's.
#[component]
fn ColumnHeader(
    /// The column.
    column: SortColumn,
) -> impl IntoView {
    let models = Models::expect();
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
