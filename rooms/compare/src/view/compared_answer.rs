//! One of two compared answers, with the messages it read.

use super::read_messages::ReadMessages;
use super::side_text::SideText;
use leptos::either::Either;
use leptos::prelude::*;
use sash_chat::Id;
use sash_view::stores::use_kernel;
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
    let kernel = use_kernel();
    let Some(message) = kernel.chats().message(id) else {
        return Either::Left(view! { <div></div> });
    };
    let live = kernel.answers().live(&message);
    let running = live.running();
    let can_keep = Memo::new(move |_| kernel.answers().can_go_on_with(id));
    let receipt = Memo::new(move |_| live.receipt.get());
    let other_receipt = kernel
        .answers()
        .asked(other)
        .and_then(|(_, receipt)| receipt);
    let other_sent = other_receipt.unwrap_or_default().sent;
    Either::Right(view! {
        <div class="side" role="group" aria-label=title>
            <div class="side-head">
                <h3>{title}</h3>
                <span class="count">{message.model.unwrap_or_default()}</span>
                <Show when=move || running.get()>
                    <button
                        type="button"
                        on:click=move |_| kernel.answers().stop(untrack(|| kernel.chats().open_id()))
                    >
                        {t!(common.stop)}
                    </button>
                </Show>
                <Show when=move || can_keep.get()>
                    <button type="button" on:click=move |_| on_keep.run(())>
                        {t!(compare.keep_this)}
                    </button>
                </Show>
            </div>
            <div class="reading">
                <ShowLet some=receipt let:receipt>
                    <ReadMessages sent=receipt.sent other_sent=other_sent.clone() />
                </ShowLet>
            </div>
            <SideText id />
        </div>
    })
}
