//! One message.

use super::answer::Answer;
use super::foot::MessageFoot;
use super::message_state::MessageState;
use super::question::Question;
use super::question_edit::QuestionEdit;
use super::receipt::ReceiptNote;
use crate::files::MessageImages;
use crate::parts::speaker;
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_chat::{Id, Message, Outcome, Role};
use sash_stores::{AnswerState, Kernel, LiveAnswer};
use sash_ui_kit::{Icon, IconName, LongPress};
use sash_virtual_list::AutoScroll;
use sash_wire::Fault;
use sash_words::t;
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

/// What a long press in a message is for itself.
const OWN_LONG_PRESS: &str = ".message-text, button, a, input, textarea, select, summary, img, pre";

/// A message with everything around it. The row is kept while its answer runs: only the signals of its
/// [`MessageState`] change.
#[component]
pub fn MessageRow(
    /// The message.
    message: Message,
) -> impl IntoView {
    let (kernel, places) = (use_kernel(), use_places());
    let (id, role) = (message.id, message.role);
    let live = kernel.answers().live(&message);
    let MessageState {
        state,
        mark,
        near,
        editing,
        row,
        menu_open,
        ..
    } = MessageState::provide(&message, live.clone());
    let is_interrupted = message.outcome == Outcome::Interrupted;
    if is_interrupted || live.running().get_untracked() {
        follow_growth();
    }
    if is_interrupted {
        show_continued(kernel, id, live);
    }
    edit_when_asked(kernel, id, editing);
    let is_read = move || {
        kernel.view().read_by.with(|read| {
            let ids = read.as_ref().map(|(_, ids)| ids);
            ids.is_some_and(|ids| {
                kernel
                    .chats()
                    .open
                    .with_untracked(|chat| chat.tree.is_among(id, ids))
            })
        })
    };
    let heading = format!("h-{id}");
    let edited = match message.edited {
        Some(_) => t!(transcript.comma_edited_by_you),
        None => "",
    };
    let who_and_when = format!(
        "{}{edited}, {}",
        speaker(&message),
        clock::time_of_day(message.created)
    );
    let printed = format!("{} · {}", speaker(&message), clock::date(message.created));
    let press = LongPress::new(move || menu_open.set(true));
    let on_press = move |event: PointerEvent| {
        if !is_own_long_press(&event) {
            press.begin(&event);
        }
    };
    let text = move || match role {
        Role::Assistant => view! { <Answer /> }.into_any(),
        Role::Tool => places.message_body.view().into_any(),
        _ => view! { <Question /> }.into_any(),
    };
    view! {
        <article
            class="message"
            node_ref=row
            aria-labelledby=heading
            aria-posinset=move || (mark.get().place + 1).to_string()
            aria-setsize=move || kernel.chats().path.with(Vec::len).to_string()
            data-role=role.as_str()
            data-printed=printed
            data-state=move || state.with(state_name)
            data-window=move || mark.get().standing()
            data-set=move || mark.get().set()
            data-read=move || is_read().then_some("true")
            on:pointerenter=move |_| near.set(true)
            on:focusin=move |_| near.set(true)
            on:pointerdown=on_press
            on:pointermove=move |event| press.move_to(&event)
            on:pointerup=move |_| press.end()
            on:pointercancel=move |_| press.end()
            on:touchend=move |event| press.on_touch_end(&event)
        >
            <MessageHeading id=heading.clone() who_and_when />
            <MarginMarks />
            <Show when=move || editing.get() fallback=text>
                {match role {
                    Role::Assistant => places.answer_editor.view().into_any(),
                    _ => view! { <QuestionEdit /> }.into_any(),
                }}
            </Show>
            <MessageImages images=message.images />
            {places.message_notes.view()}
            <MessageFoot model=message.model edited=message.edited.is_some() created=message.created />
            <ReceiptNote />
        </article>
    }
}

/// The heading for screen readers: who wrote the message and when, and whether it goes with the next prompt.
#[component]
fn MessageHeading(
    /// The id of the heading.
    id: String,
    /// Who wrote it, and when.
    who_and_when: String,
) -> impl IntoView {
    let mark = MessageState::expect().mark;
    let standing = move || {
        let mark = mark.get();
        let set = mark.set().map(|set| t!(transcript.with_marks, set = &set));
        let sent = match mark.standing() {
            "out" => t!(transcript.not_sent_next),
            "next" => t!(transcript.and_leaves_window),
            _ => "",
        };
        set.unwrap_or_default() + sent
    };

    view! {
        <h3 id=id class="visually-hidden">
            {who_and_when}
            {standing}
        </h3>
    }
}

/// The signs in the margin of a message that is pinned or muted, which its heading says too, or leaves the window next.
#[component]
fn MarginMarks() -> impl IntoView {
    let mark = MessageState::expect().mark;
    let set = Memo::new(move |_| mark.get().set());
    let margin = move || {
        let name = match set.get()? {
            "pinned" => IconName::Pin,
            _ => IconName::Mute,
        };
        Some(view! { <span class="margin-mark"><Icon name /></span> })
    };
    let leaving = Memo::new(move |_| mark.get().standing() == "next");

    view! {
        {margin}
        <Show when=move || leaving.get()>
            <span
                class="margin-leaving"
                aria-hidden="true"
                title=t!(transcript.leaves_window_hint)
            ></span>
        </Show>
    }
}

/// Whether a long press means something else where a finger came down: it selects text, and holds what is a control.
fn is_own_long_press(event: &PointerEvent) -> bool {
    let target = event.target().and_then(|at| at.dyn_into::<Element>().ok());
    let found = target.and_then(|target| target.closest(OWN_LONG_PRESS).ok()?);
    found.is_some()
}

/// Keeps a reader at the end there while the answer grows.
fn follow_growth() {
    let MessageState {
        text,
        thinking,
        calls,
        running,
        ..
    } = MessageState::expect();
    let scroll = expect_context::<AutoScroll>();
    Effect::new(move || {
        text.track();
        thinking.track();
        calls.track();
        // Calls that wait for the person get their fields when the answer has ended.
        running.track();
        scroll.follow();
    });
}

/// Takes over an answer that another tab continued. Only an interrupted answer is ever rewritten; a chat may
/// have a thousand other messages.
fn show_continued(kernel: Kernel, id: Id, live: LiveAnswer) {
    Effect::new(move || {
        kernel.chats().open_tree().with(|tree| {
            if let Some(message) = tree.get(id) {
                live.bring_up_to(message);
            }
        });
    });
}

/// Opens the edit field of the question on request from elsewhere.
fn edit_when_asked(kernel: Kernel, id: Id, editing: RwSignal<bool>) {
    let asked = kernel.view().edit_asked;
    Effect::new(move || {
        if asked.get() == Some(id) {
            // After the row was scrolled into view, which takes focus.
            request_animation_frame(move || {
                if asked.get_untracked() == Some(id) {
                    asked.set(None);
                    // The row may be gone by then.
                    _ = editing.try_set(true);
                }
            });
        }
    });
}

/// The state of an answer as a name for styles.
fn state_name(state: &AnswerState) -> &'static str {
    match state {
        AnswerState::Waiting(_) => "waiting",
        AnswerState::Writing => "running",
        AnswerState::Reconnecting { .. } => "reconnecting",
        AnswerState::Ended(Outcome::Complete) => "complete",
        AnswerState::Ended(Outcome::CutOff) => "cut-off",
        AnswerState::Ended(Outcome::Stopped) => "stopped",
        AnswerState::Ended(Outcome::Interrupted) => "interrupted",
        AnswerState::Ended(Outcome::Failed(failure)) => {
            match failure.code.as_deref().is_some_and(Fault::is_interruption) {
                true => "interrupted",
                false => "failed",
            }
        }
    }
}
