//! Progress of reading ahead, in the panel.

use super::read_words;
use crate::ReadAhead;
use leptos::prelude::*;

/// What was read of the next prompt, or why nothing is. Empty where there is nothing to say.
#[component]
pub fn ReadLine() -> impl IntoView {
    let read_ahead = ReadAhead::expect();

    view! {
        <ShowLet some=move || read_words(read_ahead) let:words>
            <p>{words}</p>
        </ShowLet>
    }
}
