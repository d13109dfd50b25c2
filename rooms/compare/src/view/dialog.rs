//! The dialog: what is to be compared is chosen in it, then the answers are there.

use super::choose_models::{ChooseModel, ChooseModels};
use super::choose_window::ChooseWindow;
use super::sides::Sides;
use super::windows::Windows;
use crate::{Compare, Comparison};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_ui_kit::{DialogFrame, DialogWidth};
use sash_view::stores::use_kernel;
use sash_words::t;

/// The dialog. Closing it changes nothing in the chat.
#[component]
pub fn CompareDialog(
    /// What goes along with the draft, above its field.
    #[prop(into)]
    goes_along: ViewFn,
) -> impl IntoView {
    let (notices, compare) = (use_kernel().notices(), Compare::expect());
    let comparison = Memo::new(move |_| compare.shown.get());
    let title = NodeRef::new();
    // The button that was pressed goes with the choice.
    Effect::new(move || {
        let has_answers = |comparison: &Comparison| {
            matches!(
                comparison,
                Comparison::Windows { .. } | Comparison::Sides { .. }
            )
        };
        if comparison.with(has_answers) {
            page::focus_soon(title);
        }
    });
    let heading = move || {
        comparison.with(|comparison| match comparison {
            Comparison::OtherWindow(_) | Comparison::Windows { .. } => t!(compare.what_if),
            Comparison::OtherModel(_) => t!(compare.ask_again_with),
            Comparison::Closed | Comparison::Models(_) => t!(compare.ask_several_models),
            Comparison::Sides { .. } => t!(compare.side_by_side),
        })
    };
    let shown = Signal::derive(move || comparison.with(|shown| *shown != Comparison::Closed));
    // The page's live region is inert while the dialog is open.
    let status = move || match shown.get() {
        true => notices.status.get() + &notices.alert.get(),
        false => String::new(),
    };
    let content = move || match comparison.get() {
        Comparison::Closed => ().into_any(),
        Comparison::OtherWindow(answer) => view! { <ChooseWindow answer /> }.into_any(),
        Comparison::OtherModel(answer) => view! { <ChooseModel answer /> }.into_any(),
        Comparison::Models(of) => {
            view! { <ChooseModels of goes_along=goes_along.clone() /> }.into_any()
        }
        Comparison::Windows {
            first,
            second,
            differences,
        } => view! { <Windows first second differences /> }.into_any(),
        Comparison::Sides { question, .. } => {
            view! { <Sides question goes_along=goes_along.clone() /> }.into_any()
        }
    };

    view! {
        <DialogFrame
            class="compare"
            title_id="compare-title"
            title=Signal::derive(move || heading().to_owned())
            title_ref=title
            focus_title=true
            width=DialogWidth::Wide
            shown
            on_close=move || compare.close()
        >
            <div class="dialog-body">{content}</div>
            <div role="status" class="visually-hidden">
                {status}
            </div>
        </DialogFrame>
    }
}
