//! The pulls that run, seen from everywhere.

use crate::ui::parts::plural;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::PullsProgress;
use sash_wire::{PageAddress, SubPage};

/// A link to the models page with the progress of the pulls that run. Empty if none does.
#[component]
pub fn PullsLink() -> impl IntoView {
    let pulls = use_stores().pulls;
    let progress = Memo::new(move |_| pulls.progress());
    // The link stays the same element while its words change, so that it keeps the focus.
    let what = move || progress.with(|all| all.as_ref().map(what).unwrap_or_default());
    let percent = move || progress.with(|all| all.as_ref()?.percent.map(|n| format!("{n} %")));
    let name = move || match percent() {
        Some(percent) => format!("{}: {percent}", what()),
        None => what(),
    };
    view! {
        <Show when=move || progress.with(Option::is_some)>
            <a
                class="pulls-link"
                href=PageAddress::Sub(SubPage::Models).to_string()
                title=name
                aria-label=name
            >
                <span class="pulls-link-name">{what}</span>
                <span class="count">{move || percent().unwrap_or_else(|| "…".to_owned())}</span>
            </a>
        </Show>
    }
}

/// What is pulled, in words.
fn what(progress: &PullsProgress) -> String {
    match progress.count {
        1 => format!("Pulling {}", progress.first),
        count => format!("Pulling {}", plural(count, "model")),
    }
}
