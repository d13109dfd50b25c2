//! Warnings in one line each.

use crate::ui::places::use_places;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::SettingsStoreFields;
use sash_wire::Upstream;
use sash_words::t;

/// Says what rooms have to say, that Sash itself does not answer, or that the demo answers.
#[component]
pub fn Banner() -> impl IntoView {
    let stores = use_stores();
    // Only if the person chose the demo: a server that is itself a demo has no other engine.
    let is_chosen = move || stores.settings().current.upstream().get() == Upstream::Demo;

    view! {
        <div>
            {use_places().banners.view()}
            <Show when=move || stores.engine().server_gone.get()>
                <p class="banner banner-warning">
                    {t!(parts.sash_itself_does_not_answer_is)}
                </p>
            </Show>
            <Show when=move || stores.engine().is_demo()>
                <p class="banner">
                    <span>
                        {t!(parts.this_is_the_demo_it_is)}
                    </span>
                    <Show when=is_chosen>
                        <button
                            type="button"
                            class="link"
                            on:click=move |_| stores.engine().use_upstream(Upstream::Ollama)
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
