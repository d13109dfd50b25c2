//! One of two compared answers, with the messages it read.

use super::read_messages::ReadMessages;
use crate::ui::markdown::MarkdownText;
use crate::ui::receipt_facts::facts_of;
use crate::ui::stores::use_stores;
use leptos::either::Either;
use leptos::prelude::*;
use sash_chat::{Id, Outcome, Receipt};
use sash_state::{AnswerState, cut_off_words};
use sash_words::t;

/// One of two answers: its model, the messages it read, its text, and how it ended.
#[component]
pub fn ComparedAnswer(
    /// Its title.
    title: &'static str,
    /// The answer.
    id: Id,
    /// The other answer.
    other: Id,
    /// Called when the person keeps this one.
    #[prop(into)]
    on_keep: Callback<()>,
) -> impl IntoView {
    let stores = use_stores();
    let Some(message) = stores.chats.message(id) else {
        return Either::Left(view! { <div></div> });
    };
    let live = stores.answers.live(&message);
    let running = live.running();
    let (state, receipt) = (live.state, live.receipt);
    let shown = live.text.clone();
    let thinks = Memo::new(move |_| shown.with(String::is_empty));
    let receipt = Memo::new(move |_| receipt.get());
    let other_receipt = stores.answers.asked(other).and_then(|(_, receipt)| receipt);
    let other_sent = other_receipt.unwrap_or_default().sent;
    let facts = move || {
        receipt.with(|receipt| {
            let facts = receipt.as_ref().map(|receipt| {
                let engine = stores.engine.title(receipt.engine.as_deref());
                let open = stores.chats.open;
                let sent = open.with_untracked(|chat| chat.count_messages(&receipt.sent));
                facts_of(receipt, sent, &engine)
            });
            facts.unwrap_or_default().join(" · ")
        })
    };
    Either::Right(view! {
        <div class="side" role="group" aria-label=title>
            <div class="side-head">
                <h3>{title}</h3>
                <span class="count">{message.model.unwrap_or_default()}</span>
                <Show when=move || running.get()>
                    <button
                        type="button"
                        on:click=move |_| stores.answers.stop(untrack(|| stores.chats.open_id()))
                    >
                        {t!(common.stop)}
                    </button>
                </Show>
                <button type="button" on:click=move |_| on_keep.run(())>
                    {t!(compare.keep_this)}
                </button>
            </div>
            <div class="reading">
                <ShowLet some=receipt let:receipt>
                    <ReadMessages sent=receipt.sent other_sent=other_sent.clone() />
                </ShowLet>
            </div>
            <div dir="auto">
                <MarkdownText text=live.text running />
                <p class="note">
                    {move || {
                        state
                            .with(|state| {
                                receipt
                                    .with(|receipt| {
                                        state_words(state, receipt.as_ref(), thinks.get())
                                    })
                            })
                    }}
                </p>
            </div>
            <p class="reading">{facts}</p>
        </div>
    })
}

/// The state of an answer in words, if there is something to say.
pub(super) fn state_words(state: &AnswerState, receipt: Option<&Receipt>, thinks: bool) -> String {
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
