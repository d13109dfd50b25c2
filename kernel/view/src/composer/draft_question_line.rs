//! The question whether an engine runs on this computer, which the server cannot tell.

use crate::browser::focus_refs::FocusRefs;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_words::t;

/// Asks whether the engine may have drafts. Empty until the person paused while writing, and once they answered.
#[component]
pub fn DraftQuestionLine() -> impl IntoView {
    let question = use_kernel().draft_question();
    let prompt = FocusRefs::expect().prompt;
    let answer = move |runs_here| {
        question.answer(runs_here);
        page::focus(prompt);
    };

    view! {
        <div aria-live="polite" aria-atomic="true">
            <ShowLet some=move || question.engine.get() let:engine>
                <div class="mention">
                    <span>{t!(composer.is_engine_local, name = &engine.name)}</span>
                    <button type="button" on:click=move |_| answer(true)>
                        {t!(composer.engine_is_local)}
                    </button>
                    <button type="button" on:click=move |_| answer(false)>
                        {t!(composer.engine_not_local)}
                    </button>
                </div>
            </ShowLet>
        </div>
    }
}
