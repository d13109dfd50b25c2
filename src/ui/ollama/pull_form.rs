//! Pulls a model by its name.

use super::pull_name_form::PullNameForm;
use super::pull_progress::PullProgress;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// The form for the model's name, then the progress of the pull.
#[component]
pub fn PullForm() -> impl IntoView {
    let pull = use_stores().pulls.current;
    let is_running =
        move || pull.with(|pull| pull.as_ref().is_some_and(|pull| pull.fault.is_none()));

    view! {
        <div class="pull-place">
            <Show when=is_running fallback=|| view! { <PullNameForm /> }>
                <PullProgress />
            </Show>
        </div>
    }
}
