//! The dialog in which the same question is asked with another window.

use super::answer_comparison::AnswerComparison;
use super::window_choice::WindowChoice;
use crate::ui::parts::{IconButton, IconName, use_modal};
use crate::ui::session::{Session, WhatIf};
use leptos::either::EitherOf3;
use leptos::html::Dialog;
use leptos::prelude::*;

/// The dialog: the choice of a window, then both answers.
#[component]
pub fn WhatIfDialog() -> impl IntoView {
    let session = expect_context::<Session>();
    let what_if = session.what_if;
    let step = Memo::new(move |_| what_if.get());
    let dialog = NodeRef::<Dialog>::new();
    use_modal(dialog, Signal::derive(move || step.get() != WhatIf::Closed));
    // The page's own region is out of reach while the dialog is open.
    let status = move || match step.get() {
        WhatIf::Closed => String::new(),
        _ => session.status.get() + &session.alert.get(),
    };

    view! {
        <dialog
            node_ref=dialog
            class="dialog what-if"
            aria-labelledby="what-if-title"
            on:close=move |_| what_if.set(WhatIf::Closed)
        >
            <div class="what-if-head">
                <h2 id="what-if-title" tabindex="-1">
                    "What if…"
                </h2>
                <IconButton
                    label="Close"
                    icon=IconName::Close
                    on:click=move |_| what_if.set(WhatIf::Closed)
                />
            </div>
            {move || match step.get() {
                WhatIf::Closed => EitherOf3::A(()),
                WhatIf::Choosing(answer) => EitherOf3::B(view! { <WindowChoice answer /> }),
                WhatIf::Comparing(first, second) => {
                    EitherOf3::C(view! { <AnswerComparison first second /> })
                }
            }}
            <div role="status" class="visually-hidden">
                {status}
            </div>
        </dialog>
    }
}
