//! Warnings in one line each.

use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_wire::LEAST_OLLAMA;
use sash_words::t;

/// Says that Sash itself does not answer.
#[component]
pub fn ServerGoneLine() -> impl IntoView {
    let kernel = use_kernel();

    view! {
        <Show when=move || kernel.engine().server_gone.get()>
            <BannerLine words=|| t!(parts.server_not_answering) />
        </Show>
    }
}

/// Says of each Ollama that is too old to refuse a prompt that does not fit.
#[component]
pub fn OldOllamaLines() -> impl IntoView {
    let engine = use_kernel().engine();
    let words = move || {
        let old = engine.old_ollamas().into_iter();
        let words = old.map(|(name, version)| {
            t!(
                parts.ollama_is_old,
                name = &name,
                version = &version,
                least = LEAST_OLLAMA
            )
        });
        words.collect::<Vec<String>>()
    };

    view! {
        <For each=words key=Clone::clone let:words>
            <BannerLine words=move || words.clone() />
        </For>
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
