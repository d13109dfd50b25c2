//! The prompts that wait for the end of an answer, above the field.

use super::queue_row::QueueRow;
use crate::{Queue, QueuePause, QueueState};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::Id;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::composer::ComposerState;
use sash_words::t;

/// The queue of the open chat, in its order, and what it waits for. Empty while no prompt waits.
#[component]
pub fn QueueList(
    /// Shows what goes with a prompt, at its row.
    goes_with: fn(Id) -> AnyView,
) -> impl IntoView {
    let answering = ComposerState::expect().answering;
    let queue = Queue::expect();
    let prompt = FocusRefs::expect().prompt;
    let some = Memo::new(move |_| queue.prompts.with(|all| !all.is_empty()));
    let state = Memo::new(move |_| queue.state());
    let is_paused = move || matches!(state.get(), QueueState::Paused(_));
    let switch = move |_| {
        match is_paused() {
            true => queue.go_on(),
            false => queue.pause(),
        }
        page::focus(prompt);
    };

    view! {
        <div class="queue" data-waits=move || some.get().then_some("")>
            // It is there always, so that a change is announced.
            <p class="queue-state" aria-live="polite" aria-atomic="true">
                {move || some.get().then(|| state_words(state.get()))}
            </p>
            <Show when=move || some.get()>
                <ol aria-label=t!(queue.queue)>
                    <For
                        each=move || queue.prompts.get()
                        key=|prompt| prompt.id
                        children=move |prompt| view! { <QueueRow prompt answering goes_with /> }
                    />
                </ol>
                <Show when=move || state.get() != QueueState::Elsewhere>
                    <button type="button" class="queue-switch" on:click=switch>
                        {move || match is_paused() {
                            true => t!(queue.resume_queue),
                            false => t!(queue.pause_the_queue),
                        }}
                    </button>
                </Show>
            </Show>
        </div>
    }
}

fn state_words(state: QueueState) -> &'static str {
    match state {
        QueueState::Goes => t!(queue.sent_after_answers),
        QueueState::AwaitsCalls => t!(queue.sent_after_calls),
        QueueState::AwaitsModels => t!(queue.sent_after_models),
        QueueState::Elsewhere => t!(queue.another_tab_answers_here),
        QueueState::Paused(QueuePause::NotOfThisPage) => t!(queue.paused_by_reload),
        QueueState::Paused(QueuePause::ByHand) => t!(queue.paused_by_hand),
        QueueState::Paused(QueuePause::Failed) => t!(queue.paused_answer_failed),
        QueueState::Paused(QueuePause::Stopped) => t!(queue.paused_answer_stopped),
        QueueState::Paused(QueuePause::DoesNotFit) => t!(queue.paused_no_room),
        QueueState::Paused(QueuePause::NotSent) => t!(queue.paused_not_sent),
    }
}
