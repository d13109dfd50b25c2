//! The pulls that run, in the header.

use crate::{PAGE, Pulls, PullsProgress};
use leptos::prelude::*;
use sash_wire::{PageAddress, SubPage};
use sash_words::{count, t};

/// A link to the models page with the progress of the pulls that run. Empty if none does.
#[component]
pub fn PullsLink() -> impl IntoView {
    let pulls = Pulls::expect();
    let progress = Memo::new(move |_| pulls.progress());
    // The link stays the same element while its words change, so that it keeps the focus.
    let what = move || progress.with(|all| all.as_ref().map(pulls_words).unwrap_or_default());
    let percent = move || progress.with(|all| all.as_ref()?.percent.map(count::percent));
    let name = move || match percent() {
        Some(percent) => t!(models.progress_of, what = what(), percent = &percent),
        None => what(),
    };
    view! {
        <Show when=move || progress.with(Option::is_some)>
            <a
                class="pulls-link"
                href=PageAddress::Sub(SubPage::whole(PAGE)).to_string()
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
fn pulls_words(progress: &PullsProgress) -> String {
    match progress.count {
        1 => t!(models.pulling, model = &progress.first),
        count => t!(models.pulling_several, models = count::models(count)),
    }
}
