//! Warnings in one line each.

use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_stores::SettingsStoreFields;
use sash_wire::Upstream;
use sash_words::t;

/// Says what rooms have to say, that Sash itself does not answer, or that the demo answers.
#[component]
pub fn Banner() -> impl IntoView {
    let kernel = use_kernel();
    // Only if the person chose the demo: a server that is itself a demo has no other engine.
    let is_chosen = move || kernel.settings().current.upstream().get() == Upstream::Demo;

    view! {
        <div>
            {use_places().banners.view()}
            <Show when=move || kernel.engine().server_gone.get()>
                <p class="banner banner-warning">
                    {t!(parts.sash_itself_does_not_answer_is)}
                </p>
            </Show>
            <Show when=move || kernel.engine().is_demo()>
                <p class="banner">
                    <span>
                        {t!(parts.this_is_the_demo_it_is)}
                    </span>
                    <Show when=is_chosen>
                        <button
                            type="button"
                            class="link"
                            on:click=move |_| kernel.engine().use_upstream(Upstream::Ollama)
                        >
                            {t!(parts.back_to_ollama)}
                        </button>
                    </Show>
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
