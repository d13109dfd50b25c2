//! Asks the question of an answer again with another model.

use super::model_groups::ModelGroups;
use crate::SideBySide;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_stores::OverflowSource;
use sash_ui_kit::{Dialog, DialogState, DialogWidth};
use sash_view::model_words::{abilities, name};
use sash_view::stores::use_kernel;
use sash_wire::ModelInfo;
use sash_words::{count::grouped, t};

/// The dialog: one press asks. The model that the chat has chosen stays chosen.
#[component]
pub fn AskWithDialog() -> impl IntoView {
    let asked = SideBySide::expect().asked_with;
    let shown = DialogState::new(move || asked.get().is_some(), move || asked.set(None));

    view! {
        <Dialog class="ask-with" title=t!(compare.ask_again_with) shown width=DialogWidth::Narrow focus_title=true>
            <p class="hint-line">{t!(compare.answered_beside)}</p>
            <DoesNotFit />
            <ModelGroups row=|model, is_away| view! { <ModelButton model is_away /> } />
        </Dialog>
    }
}

/// What was pressed and may not fit the model, with both numbers. Empty if nothing was.
#[component]
pub fn DoesNotFit() -> impl IntoView {
    let overflow = use_kernel().steering().overflow;
    let too_large = Memo::new(move |_| {
        overflow.with(|overflow| {
            let other = overflow.as_ref()?;
            let is_other = matches!(other.asked, OverflowSource::OtherModel(_));
            is_other.then_some((other.tokens, other.context))
        })
    });
    on_cleanup(move || {
        if too_large.try_get_untracked().flatten().is_some() {
            overflow.set(None);
        }
    });
    let words = move || {
        too_large.get().map(|(tokens, context)| {
            t!(
                compare.that_may_not_fit_about_tokens,
                tokens = grouped(tokens),
                context = grouped(context)
            )
        })
    };

    view! { <p role="alert" class="note">{words}</p> }
}

/// A model: a press asks it.
#[component]
fn ModelButton(
    /// The model.
    model: ModelInfo,
    /// Whether its engine does not answer.
    is_away: bool,
) -> impl IntoView {
    let kernel = use_kernel();
    let asked = SideBySide::expect().asked_with;
    let id = model.id();
    let ask = move |_| {
        let Some(answer) = asked.get_untracked() else {
            return;
        };
        if kernel.answers().answer_again_with(answer, &id) {
            asked.set(None);
            // The answer from which it was asked is not on the branch any more.
            if let Some(last) = kernel
                .chats()
                .path
                .with_untracked(|path| path.last().copied())
            {
                page::focus_id_soon(format!("more-{last}"));
            }
        }
    };

    view! {
        <button
            type="button"
            class="choice"
            data-model=model.id().key().into_owned()
            disabled=is_away
            on:click=ask
        >
            <span>{name(&model, None)}</span>
            " "
            <span class="count">{abilities(&model)}</span>
        </button>
    }
}
