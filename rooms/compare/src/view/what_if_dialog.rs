//! The dialog that asks the same question with another window.

use super::compared_answer::ComparedAnswer;
use super::differences::Differences;
use super::window_choice::WindowChoice;
use crate::{WhatIf, WhatIfState};
use leptos::either::EitherOf3;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::Id;
use sash_ui_kit::{DialogFrame, DialogWidth};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::stores::use_kernel;
use sash_words::t;

/// The id of the title.
const TITLE_ID: &str = "what-if-title";

/// The dialog: the choice of a window, then both answers.
#[component]
pub fn WhatIfDialog() -> impl IntoView {
    let kernel = use_kernel();
    let what_if = WhatIf::expect().state;
    let step = Memo::new(move |_| what_if.get());
    let title = NodeRef::new();
    // What was pressed goes with the choice.
    Effect::new(move || {
        if step.with(|step| matches!(step, WhatIfState::Comparing(..))) {
            page::focus_soon(title);
        }
    });
    let shown = Signal::derive(move || step.get() != WhatIfState::Closed);
    // The page's live region is inert while the dialog is open.
    let status = move || match step.get() {
        WhatIfState::Closed => String::new(),
        _ => kernel.notices().status.get() + &kernel.notices().alert.get(),
    };

    view! {
        <DialogFrame
            class="what-if"
            title_id=TITLE_ID
            title=t!(compare.what_if)
            title_ref=title
            focus_title=true
            width=DialogWidth::Wide
            shown
            on_close=move || what_if.set(WhatIfState::Closed)
        >
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
        </DialogFrame>
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
    let kernel = use_kernel();
    let what_if = WhatIf::expect();
    let prompt = FocusRefs::expect().prompt;
    let close = move || what_if.state.set(WhatIfState::Closed);
    let keep_second = move || {
        kernel.chats().walk_to(second);
        close();
        // The element that opened the dialog went with its branch.
        page::focus_soon(prompt);
    };

    view! {
        <Differences all=what_if.differences.get_untracked() />
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
