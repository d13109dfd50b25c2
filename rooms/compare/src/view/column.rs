//! A column of what stands side by side, and an answer in it.

use leptos::prelude::*;
use sash_chat::{Id, NoText, Outcome};
use sash_markdown_view::MarkdownText;
use sash_stores::{AnswerState, cut_off_words};
use sash_view::receipt_facts::facts_of;
use sash_view::stores::use_kernel;
use sash_words::t;

/// A column: its head, and what stands below it.
#[component]
pub fn Column(
    /// Its title.
    #[prop(into)]
    title: String,
    /// What is said beside the title.
    #[prop(into, optional)]
    note: String,
    /// Whether it is the column that a narrow page shows, where that shows one.
    #[prop(optional)]
    is_active: Signal<bool>,
    /// The buttons of the head.
    #[prop(into, optional)]
    buttons: ViewFn,
    /// What stands below.
    children: Children,
) -> impl IntoView {
    let label = title.clone();

    view! {
        <div
            class="side"
            role="group"
            aria-label=label
            data-active=move || is_active.get().then_some("true")
        >
            <div class="side-head">
                <h3>{title}</h3>
                <span class="count">{note}</span>
                {buttons.run()}
            </div>
            {children()}
        </div>
    }
}

/// The text of an answer, how it ended, and the facts of its request.
#[component]
pub fn AnswerText(
    /// The answer.
    id: Id,
) -> impl IntoView {
    let kernel = use_kernel();
    let message = kernel.chats().message(id)?;
    let live = kernel.answers().live(&message);
    let running = live.running();
    let (state, text) = (live.state, live.text.clone());
    let thinks = Memo::new(move |_| text.with(String::is_empty));
    let receipt = Memo::new(move |_| live.receipt.get());
    let facts = move || {
        let receipt = receipt.get()?;
        let open = kernel.chats().open;
        let sent = open.with_untracked(|chat| chat.tree.count_messages(&receipt.sent));
        Some(facts_of(&receipt, sent, kernel.engine()).join(" · "))
    };
    let words = move || match state.get() {
        AnswerState::Waiting(_) => t!(compare.waiting).to_owned(),
        AnswerState::Reconnecting { .. } => t!(compare.connection_lost).to_owned(),
        AnswerState::Writing if thinks.get() => t!(common.thinking).to_owned(),
        AnswerState::Writing => String::new(),
        AnswerState::Ended(Outcome::Complete) => {
            let no_text = kernel.chats().with_message(id, NoText::of).flatten();
            no_text.map(NoText::words).unwrap_or_default().to_owned()
        }
        AnswerState::Ended(Outcome::CutOff) => {
            receipt.with(|receipt| cut_off_words(receipt.as_ref(), thinks.get()))
        }
        AnswerState::Ended(Outcome::Stopped) => t!(common.stopped).to_owned(),
        AnswerState::Ended(Outcome::Interrupted) => t!(common.interrupted).to_owned(),
        AnswerState::Ended(Outcome::Failed(failure)) => failure.sentence,
    };

    Some(view! {
        <div dir="auto">
            <MarkdownText text=live.text running />
            <p class="note">{words}</p>
        </div>
        <p class="reading">{facts}</p>
    })
}
