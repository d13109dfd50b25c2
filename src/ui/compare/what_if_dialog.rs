//! The dialog that asks the same question with another window.

use super::compared_answer::ComparedAnswer;
use super::differences::Differences;
use super::window_choice::WindowChoice;
use crate::browser::page::{self, FocusRefs};
use crate::ui::parts::{IconButton, IconName, use_modal};
use crate::ui::stores::use_stores;
use leptos::either::EitherOf3;
use leptos::html::Dialog;
use leptos::prelude::*;
use sash_chat::Id;
use sash_state::WhatIfState;
use sash_words::t;

/// The id of the title.
const TITLE_ID: &str = "what-if-title";

/// The dialog: the choice of a window, then both answers.
#[component]
pub fn WhatIfDialog() -> impl IntoView {
    let stores = use_stores();
    let what_if = stores.what_if.state;
    let step = Memo::new(move |_| what_if.get());
    let title = FocusRefs::expect().what_if_title;
    let dialog = NodeRef::<Dialog>::new();
    use_modal(
        dialog,
        Signal::derive(move || step.get() != WhatIfState::Closed),
    );
    // The page's live region is inert while the dialog is open.
    let status = move || match step.get() {
        WhatIfState::Closed => String::new(),
        _ => stores.notices.status.get() + &stores.notices.alert.get(),
    };

    view! {
        <dialog
            node_ref=dialog
            class="dialog what-if"
            aria-labelledby=TITLE_ID
            on:close=move |_| what_if.set(WhatIfState::Closed)
        >
            <div class="what-if-head">
                <h2 id=TITLE_ID node_ref=title tabindex="-1">
                    {t!(compare.what_if)}
                </h2>
                <IconButton
                    label=t!(common.close)
                    icon=IconName::Close
                    on:click=move |_| what_if.set(WhatIfState::Closed)
                />
            </div>
            <div class="dialog-body">
            {move || match step.get() {
                WhatIfState::Closed => EitherOf3::A(()),
                WhatIfState::Choosing(answer) => EitherOf3::B(view! { <WindowChoice answer /> }),
                WhatIfState::Comparing(first, second) => {
                    EitherOf3::C(view! { <AnswerComparison first second /> })
                }
            }}
            </div>
            <div role="status" class="visually-hidden">
                {status}
            </div>
        </dialog>
    }
}

/// Two answers to one question side by side, before the person keeps one.
#[component]
fn AnswerComparison(
    /// The answer on the branch.
    first: Id,
    /// The answer with the other window.
    second: Id,
) -> impl IntoView {
    let stores = use_stores();
    let prompt = FocusRefs::expect().prompt;
    let close = move || stores.what_if.state.set(WhatIfState::Closed);
    let keep_second = move || {
        stores.chats.walk_to(second);
        close();
        // The element that opened the dialog went with its branch.
        page::focus_soon(prompt);
    };

    view! {
        <Differences all=stores.what_if.differences.get_untracked() />
        <div class="sides">
            <ComparedAnswer
                title=t!(compare.the_answer_so_far)
                id=first
                other=second
                on_keep=move |()| close()
            />
            <ComparedAnswer
                title=t!(compare.the_other_answer)
                id=second
                other=first
                on_keep=move |()| keep_second()
            />
        </div>
    }
}
