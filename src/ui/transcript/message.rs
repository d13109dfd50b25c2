//! One message.

use super::actions::Actions;
use super::edit::Edit;
use super::note::Note;
use super::receipt::ReceiptNote;
use super::thinking::Thinking;
use crate::browser::clock;
use crate::chat::{Id, Message, Outcome, Role};
use crate::ui::app::session;
use crate::ui::markdown::MarkdownView;
use crate::ui::session::{Live, Session, State};
use leptos::prelude::*;

/// A message with all that stands around it. Kept whole while its answer runs: only the signals of
/// [`Live`] move.
#[component]
pub fn MessageView(id: Id, follow: Callback<()>) -> impl IntoView {
    let session = session();
    session
        .message(id)
        .map(|message| frame(session, message, follow).into_any())
}

fn frame(session: Session, message: Message, follow: Callback<()>) -> impl IntoView {
    let id = message.id;
    let live = session.live(&message);
    let editing = RwSignal::new(false);
    let receipt_shown = RwSignal::new(false);
    let heading = format!("h-{id}");
    let labelledby = heading.clone();
    let speaker = match message.role {
        Role::Assistant => message.model.clone().unwrap_or_else(|| "Answer".to_owned()),
        Role::System => "System".to_owned(),
        Role::Tool => "Tool".to_owned(),
        Role::User => "You".to_owned(),
    };
    let state = live.state.clone();
    let state_word = move || state.with(word);
    let place = Memo::new(move |_| {
        session.window.with(
            |window| match (window.contains(id), window.next_out == Some(id)) {
                (true, true) => "next",
                (true, false) => "in",
                (false, _) => "out",
            },
        )
    });
    let read = move || {
        session
            .read_by
            .with(|read| read.as_ref().is_some_and(|(_, ids)| ids.contains(&id)))
    };
    let posinset = move || {
        session
            .path
            .with(|path| path.iter().position(|p| *p == id).map(|at| at + 1))
    };
    // An answer that grows is followed to the end, if that is where the reader is.
    let (text, thinking) = (live.text.clone(), live.thinking.clone());
    Effect::new(move || {
        text.track();
        thinking.track();
        // The transcript may be gone by then.
        request_animation_frame(move || _ = follow.try_run(()));
    });
    // Another tab may have written on.
    let kept = live.clone();
    Effect::new(move || {
        session.open.with(|chat| {
            if let Some(message) = chat.get(id) {
                kept.bring_up_to(message);
            }
        });
    });
    let question = StoredValue::new(message.content.clone());
    let body_live = live.clone();
    let body = move || {
        if editing.get() {
            return view! { <Edit id text=question.get_value() editing/> }.into_any();
        }
        content(message.role, &body_live, question)
    };
    view! {
        <article
            class="message"
            aria-labelledby=labelledby
            aria-posinset=posinset
            aria-setsize=move || session.path.with(Vec::len)
            data-role=message.role.as_str()
            data-state=state_word
            data-window=move || place.get()
            data-read=move || read().then_some("true")
        >
            <h3 id=heading class="visually-hidden">
                {format!("{speaker}, {}", clock::time_of_day(message.created))}
                {move || (place.get() == "out").then_some(" – not sent with the next prompt")}
            </h3>
            {body}
            <Note id live=live.clone()/>
            <Actions id live=live.clone() is_answer={message.role == Role::Assistant} editing receipt_shown/>
            <ReceiptNote id live receipt_shown follow/>
        </article>
    }
}

fn content(role: Role, live: &Live, question: StoredValue<String>) -> AnyView {
    if role == Role::Assistant {
        let text = live.text.clone();
        let running = live.clone();
        let is_running = Signal::derive(move || running.is_running());
        view! {
            <Thinking live=live.clone()/>
            <div class="message-text prose" dir="auto">
                <MarkdownView text running=is_running/>
            </div>
        }
        .into_any()
    } else {
        view! { <div class="message-text said" dir="auto">{question.get_value()}</div> }.into_any()
    }
}

fn word(state: &State) -> &'static str {
    match state {
        State::Waiting(_) => "waiting",
        State::Writing => "running",
        State::Ended(Outcome::Complete) => "complete",
        State::Ended(Outcome::CutOff) => "cut-off",
        State::Ended(Outcome::Stopped) => "stopped",
        State::Ended(Outcome::Interrupted) => "interrupted",
        State::Ended(Outcome::Failed(_)) => "failed",
    }
}
