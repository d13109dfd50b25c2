//! One question and several models: the choice of the models, then their answers side by side.

use super::ask_several::AskSeveral;
use super::follow_up::FollowUp;
use super::side_answer::{SideAnswer, WaitingSide};
use crate::{SideBySide, SidesState};
use leptos::either::EitherOf3;
use leptos::html::H2;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Id, ModelId, excerpt};
use sash_ui_kit::{DialogFrame, DialogWidth};
use sash_view::stores::use_kernel;
use sash_wire::short_name;
use sash_words::t;

/// The id of the title.
const TITLE_ID: &str = "sides-title";

/// The dialog.
#[component]
pub fn SidesDialog(
    /// What goes along with the draft, above its field.
    #[prop(into)]
    goes_along: ViewFn,
) -> impl IntoView {
    let kernel = use_kernel();
    let sides = SideBySide::expect();
    let state = Memo::new(move |_| sides.state.get());
    let title = NodeRef::<H2>::new();
    let shown = Signal::derive(move || state.get() != SidesState::Closed);
    // Moves focus, which the button that asked had: it is gone.
    Effect::new(move || {
        if matches!(state.get(), SidesState::Comparing(_)) {
            page::focus_soon(title);
        }
    });
    // The page's live region is inert while the dialog is open.
    let status = move || match state.get() {
        SidesState::Closed => String::new(),
        _ => kernel.notices().status.get() + &kernel.notices().alert.get(),
    };
    let heading = move || match state.get() {
        SidesState::Comparing(_) => t!(compare.side_by_side).to_owned(),
        _ => t!(compare.ask_several_models).to_owned(),
    };

    view! {
        <DialogFrame
            class="what-if"
            title_id=TITLE_ID
            title=Signal::derive(heading)
            title_ref=title
            focus_title=true
            width=DialogWidth::Wide
            shown
            on_close=move || sides.state.set(SidesState::Closed)
        >
            <div class="dialog-body">
                {move || match state.get() {
                    SidesState::Closed => EitherOf3::A(()),
                    SidesState::Choosing(of) => EitherOf3::B(view! { <AskSeveral of goes_along=goes_along.clone() /> }),
                    SidesState::Comparing(question) => {
                        EitherOf3::C(view! { <Sides question goes_along=goes_along.clone() /> })
                    }
                }}
            </div>
            <div role="status" class="visually-hidden">
                {status}
            </div>
        </DialogFrame>
    }
}

/// A column: an answer, or a model that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Side {
    Answer(Id),
    Waiting(ModelId),
}

/// The answers to a question in columns; on a narrow page one at a time, with a button for each.
#[component]
fn Sides(
    /// The question.
    question: Id,
    /// What goes along with the draft.
    goes_along: ViewFn,
) -> impl IntoView {
    let kernel = use_kernel();
    let store = SideBySide::expect();
    let sides = Memo::new(move |_| {
        let waiting = store.waiting_for(question).into_iter().map(Side::Waiting);
        let answers = store.sides(question).0.into_iter().map(Side::Answer);
        answers.chain(waiting).collect::<Vec<_>>()
    });
    let older = Memo::new(move |_| store.sides(question).1);
    let chosen = RwSignal::new(0_usize);
    // A model that is left out takes its column with it.
    let active = Memo::new(move |_| {
        let last = sides.with(|sides| sides.len().saturating_sub(1));
        chosen.get().min(last)
    });
    let name = move |side: &Side| match side {
        Side::Waiting(model) => short_name(&model.name).to_owned(),
        Side::Answer(id) => {
            let model = kernel
                .chats()
                .with_message(*id, |message| message.model.clone());
            let model = model.flatten().unwrap_or_default();
            short_name(&model).to_owned()
        }
    };
    let is_open = Memo::new(move |_| kernel.answers().is_busy(kernel.chats().open_id()));
    let has_more = move || is_open.get() || store.has_waiting();
    let may_go_on = move || !has_more() && sides.with(|sides| sides.len() > 1);
    let asked = kernel.chats().message(question);
    let asked = asked.map(|message| excerpt(&message, &[]));

    view! {
        <div class="sides-head">
            <p class="sides-question" dir="auto">{asked}</p>
            <Show when=has_more>
                <button type="button" on:click=move |_| store.stop_all()>
                    {t!(compare.stop_all)}
                </button>
            </Show>
        </div>
        <Show when=move || { older.get() > 0 }>
            <p class="hint-line">{move || t!(compare.older_versions, count = older.get() as u64)}</p>
        </Show>
        <div class="side-tabs" role="group" aria-label=t!(compare.answers)>
            <ForEnumerate
                each=move || sides.get()
                key=Clone::clone
                children=move |at, side| {
                    view! {
                        <button
                            type="button"
                            aria-pressed=move || (active.get() == at.get()).to_string()
                            on:click=move |_| chosen.set(at.get_untracked())
                        >
                            {name(&side)}
                        </button>
                    }
                }
            />
        </div>
        <div class="sides several" style=("--sides", move || sides.with(Vec::len).to_string())>
            <ForEnumerate
                each=move || sides.get()
                key=Clone::clone
                children=move |at, side| {
                    let is_active = Signal::derive(move || active.get() == at.get());
                    match side {
                        Side::Answer(id) => view! { <SideAnswer id is_active /> }.into_any(),
                        Side::Waiting(model) => {
                            view! { <WaitingSide question model is_active /> }.into_any()
                        }
                    }
                }
            />
        </div>
        <Show when=may_go_on>
            <FollowUp question goes_along=goes_along.clone() />
        </Show>
    }
}
