//! What was read of the next prompt, in the panel.

use super::read_words;
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// What was read of the next prompt, or why nothing is. Empty where there is nothing to say.
#[component]
pub fn ReadLine() -> impl IntoView {
    let stores = use_stores();

    view! {
        <ShowLet some=move || read_words(stores) let:words>
            <p>{words}</p>
        </ShowLet>
    }
}
