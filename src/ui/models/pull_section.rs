//! The pulls.

use super::pull_name_field::PullNameField;
use super::pull_row::PullRow;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The form for a name, and all pulls that are not complete.
#[component]
pub fn PullSection() -> impl IntoView {
    let pulls = use_stores().pulls;
    let names = Memo::new(move |_| {
        let names = |all: &Vec<sash_state::PullState>| {
            let names = all.iter().map(|pull| pull.model.clone());
            names.collect::<Vec<_>>()
        };
        pulls.all.with(names)
    });

    view! {
        <section aria-labelledby="pull-section-title">
            <h3 id="pull-section-title">"Pull"</h3>
            <PullNameField />
            <ul class="pulls">
                <For each=move || names.get() key=Clone::clone let:model>
                    <PullRow model />
                </For>
            </ul>
        </section>
    }
}
