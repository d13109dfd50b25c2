//! The text of an answer beside others, how it ended, and the facts of its request.

use leptos::prelude::*;
use sash_chat::{Id, NoText, Outcome, Receipt};
use sash_markdown_view::MarkdownText;
use sash_stores::{AnswerState, cut_off_words};
use sash_view::receipt_facts::facts_of;
use sash_view::stores::use_kernel;
use sash_words::t;

/// The text of an answer, how it ended, and the facts of its request.
#[component]
pub fn SideText(
    /// The answer.
    id: Id,
) -> impl IntoView {
    let kernel = use_kernel();
    let message = kernel.chats().message(id)?;
    let live = kernel.answers().live(&message);
    let running = live.running();
    let (state, receipt) = (live.state, live.receipt);
    let shown = live.text.clone();
    let thinks = Memo::new(move |_| shown.with(String::is_empty));
    let receipt = Memo::new(move |_| receipt.get());
    let facts = move || {
        receipt.with(|receipt| {
            let facts = receipt.as_ref().map(|receipt| {
                let open = kernel.chats().open;
                let sent = open.with_untracked(|chat| chat.count_messages(&receipt.sent));
                facts_of(receipt, sent, kernel.engine())
            });
            facts.unwrap_or_default().join(" · ")
        })
    };
    let words = move || {
        state.with(|state| {
            receipt.with(|receipt| match state {
                AnswerState::Ended(Outcome::Complete) => {
                    let no_text = kernel.chats().with_message(id, NoText::of).flatten();
                    no_text.map(NoText::words).unwrap_or_default().to_owned()
                }
                state => state_words(state, receipt.as_ref(), thinks.get()),
            })
        })
    };

    Some(view! {
        <div dir="auto">
            <MarkdownText text=live.text running />
            <p class="note">{words}</p>
        </div>
        <p class="reading">{facts}</p>
    })
}

/// The state of an answer in words, if there is something to say.
fn state_words(state: &AnswerState, receipt: Option<&Receipt>, thinks: bool) -> String {
    match state {
        AnswerState::Waiting(_) => t!(compare.waiting),
        AnswerState::Reconnecting { .. } => t!(compare.connection_lost),
        AnswerState::Writing if thinks => t!(common.thinking),
        AnswerState::Writing | AnswerState::Ended(Outcome::Complete) => "",
        AnswerState::Ended(Outcome::CutOff) => return cut_off_words(receipt, thinks),
        AnswerState::Ended(Outcome::Stopped) => t!(common.stopped),
        AnswerState::Ended(Outcome::Interrupted) => t!(common.interrupted),
        AnswerState::Ended(Outcome::Failed(failure)) => &failure.sentence,
    }
    .to_owned()
}
