//! The pulls that run, seen from everywhere.

use crate::ui::parts::plural;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_wire::{PageAddress, SubPage};

/// A link to the models page with the progress of the pulls that run. Empty if none does.
#[component]
pub fn PullsLink() -> impl IntoView {
    let pulls = use_stores().pulls;
    let progress = Memo::new(move |_| pulls.progress());
    view! {
        <ShowLet some=progress let:progress>
            {
                let percent = progress.percent.map(|percent| format!("{percent} %"));
                let what = match progress.count {
                    1 => progress.first,
                    count => plural(count, "pull"),
                };
                let name = match &percent {
                    Some(percent) => format!("Pulling {what}: {percent}"),
                    None => format!("Pulling {what}"),
                };
                view! {
                    <a
                        class="pulls-link"
                        href=PageAddress::Sub(SubPage::Models).to_string()
                        title=name.clone()
                        aria-label=name
                    >
                        <span class="pulls-link-name">{what}</span>
                        <span class="count">{percent.unwrap_or_else(|| "…".to_owned())}</span>
                    </a>
                }
            }
        </ShowLet>
    }
}
