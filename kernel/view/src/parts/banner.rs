//! Warnings in one line each.

use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_words::t;

/// Says what rooms have to say, and that Sash itself does not answer.
#[component]
pub fn Banner() -> impl IntoView {
    let kernel = use_kernel();

    view! {
        <div>
            {use_places().banners.view()}
            <Show when=move || kernel.engine().server_gone.get()>
                <p class="banner banner-warning">
                    {t!(parts.sash_itself_does_not_answer_is)}
                </p>
            </Show>
        </div>
    }
}

/// A line: a sentence, and what can be done.
#[component]
pub fn BannerLine(
    /// The sentence.
    #[prop(into)]
    words: ViewFn,
    /// Whether it is no warning.
    #[prop(optional)]
    is_plain: bool,
    /// The buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <p class="banner" class:banner-warning=!is_plain>
            <span>{move || words.run()}</span>
            {children.map(|children| view! { <span class="banner-offers">{children()}</span> })}
        </p>
    }
}
