//! The composer: the prompt field, its buttons, and the line that says what goes with the prompt.

mod aside_line;
mod draft_question_line;
mod early_words;
mod first_left_line;
mod foot;
mod former_values_line;
mod mention_lines;
mod overflow_line;
mod overflow_offers;
mod paste_line;
mod policy_menu;
mod prompt_field;
mod queue_list;
mod queue_row;
mod read_ahead_choice;
mod slash_list;
mod temporary_line;
mod waiting_line;
mod window_line;
mod window_words;
mod withheld_line;

use crate::browser::focus_refs::FocusRefs;
use crate::ui::attachments::{DraftFiles, DraftImages, use_drop_and_paste};
use crate::ui::recall::RecallLines;
use crate::ui::stores::use_stores;
use aside_line::AsideLine;
use draft_question_line::DraftQuestionLine;
use first_left_line::FirstLeftLine;
use foot::ComposerFoot;
use former_values_line::FormerValuesLine;
use leptos::prelude::*;
use mention_lines::MentionLines;
use overflow_line::OverflowLine;
use paste_line::PasteLine;
use prompt_field::PromptField;
use queue_list::QueueList;
use sash_browser_kit::page;
use sash_chat::{Id, TextFile};
use sash_state::{Readiness, Stores};
use sash_ui_kit::{Icon, IconName};
use sash_words::t;
use temporary_line::TemporaryLine;
use waiting_line::{WaitingLine, use_send_when_ready};
use web_sys::{MouseEvent, SubmitEvent};
use withheld_line::WithheldLine;

/// The composer.
#[component]
pub fn Composer() -> impl IntoView {
    let stores = use_stores();
    let prompt = FocusRefs::expect().prompt;
    let answering = Memo::new(move |_| stores.answers().is_busy(stores.chats().open_id()));
    // The chat whose draft is sent once its images are scaled and the models are known.
    let waiting = RwSignal::new(None);
    let enter = Callback::new(move |()| enter(stores, stores.chats().open_id_untracked(), waiting));
    use_send_when_ready(stores, waiting, enter);
    let dragged = use_drop_and_paste(stores);
    let unfold = Callback::new(move |file: TextFile| {
        stores.pastes().unfold(&file);
        page::focus(prompt);
    });
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        match answering.get_untracked() {
            true => stores.answers().stop(stores.chats().open_id_untracked()),
            false => enter.run(()),
        }
        page::focus(prompt);
    };

    view! {
        <form class="composer" aria-label=t!(composer.composer) on:submit=on_submit>
            <FirstLeftLine />
            <HeldElsewhere />
            <WithheldLine />
            <FormerValuesLine />
            <OverflowLine send=enter />
            <QueueList answering />
            <WaitingLine waiting />
            <MentionLines />
            <RecallLines />
            <DraftImages />
            <AsideLine />
            <DraftQuestionLine />
            <PasteLine />
            <DraftFiles
                files=stores.drafts().files
                on_remove=move |()| page::focus(prompt)
                on_text=unfold
            />
            <Show when=move || dragged.get()>
                <p class="drop-hint" aria-hidden="true">
                    {t!(composer.drop_files_to_add_them_to)}
                </p>
            </Show>
            <div class="composer-box">
                <PromptField enter />
                <div class="composer-row">
                    <ComposerFoot />
                    <QueueButton answering enter />
                    <SendButton answering />
                </div>
            </div>
            <TemporaryLine />
        </form>
    }
}

/// Sends the draft, once its images are scaled and the models are known; while an answer runs, it gets in line. Says why
/// where there is no model to ask.
fn enter(stores: Stores, chat: Id, waiting: RwSignal<Option<Id>>) {
    let drafts = stores.drafts();
    if drafts.written.with_untracked(|text| is_clear(text)) {
        drafts.written.set(String::new());
        stores.steering().clear_window();
    } else if drafts.draft.with_untracked(|text| !text.trim().is_empty()) {
        let is_pending = stores.attachments().pending.get_untracked() > 0;
        if is_pending && untrack(|| stores.answers().is_busy(chat)) {
            return waiting.set(Some(chat));
        }
        if drafts.entering().ask(&drafts.prompt()) {
            return;
        }
        match untrack(|| stores.answers().readiness()) {
            Readiness::Ready if !is_pending => {}
            Readiness::Ready | Readiness::Pending => return waiting.set(Some(chat)),
            Readiness::Refused(why) => return stores.notices().show(why),
            Readiness::Busy => return,
        }
        let prompt = drafts.going_prompt().text;
        // A prompt that was not sent stays in the composer.
        drafts.set_text("");
        match stores.answers().ask(prompt.clone()) {
            true => drafts.show_own_after_sending(),
            false => drafts.set_text(&prompt),
        }
    }
}

/// Whether what is written is the one command, alone. A longer text that begins with it is a prompt.
fn is_clear(written: &str) -> bool {
    written.trim() == "/clear"
}

/// The line above the composer while another tab answers in the open chat, with a button that takes over: one
/// tab writes at a time.
#[component]
fn HeldElsewhere() -> impl IntoView {
    let stores = use_stores();
    let is_held = move || stores.remote().is_held(stores.chats().open_id());
    let take_over = move |_| {
        stores
            .answers()
            .take_over(untrack(|| stores.chats().open_id()));
    };

    view! {
        <div aria-live="polite" aria-atomic="true">
            <Show when=is_held>
                <div class="overflow">
                    <p>{t!(composer.this_chat_is_in_use_in)}</p>
                    <div class="overflow-offers">
                        <button
                            type="button"
                            title=t!(composer.stops_the_answer_there_and_keeps)
                            on:click=take_over
                        >
                            {t!(composer.take_over)}
                        </button>
                    </div>
                </div>
            </Show>
        </div>
    }
}

/// Puts the draft into the queue, as Enter does; only there while an answer runs and something is written.
#[component]
fn QueueButton(
    /// Whether an answer or a tool is running in the open chat.
    answering: Memo<bool>,
    /// Puts it there.
    enter: Callback<()>,
) -> impl IntoView {
    let stores = use_stores();
    let prompt = FocusRefs::expect().prompt;
    let is_shown = move || {
        let is_written = |draft: &String| !draft.trim().is_empty();
        answering.get() && stores.drafts().draft.with(is_written)
    };
    let add = move |_| {
        enter.run(());
        page::focus(prompt);
    };

    view! {
        <Show when=is_shown>
            <button type="button" class="queue-add" on:click=add>
                {t!(composer.add_to_the_queue)}
            </button>
        </Show>
    }
}

/// A single button that changes between Send and Stop, so that it keeps focus.
#[component]
fn SendButton(
    /// Whether an answer or a tool is running in the open chat.
    answering: Memo<bool>,
) -> impl IntoView {
    let stores = use_stores();
    let may_send = move || {
        let drafts = stores.drafts();
        // An image that is being added would be left behind.
        let ready = || stores.answers().can_send() && stores.attachments().pending.get() == 0;
        drafts.written.with(|text| is_clear(text))
            || drafts.draft.with(|text| !text.trim().is_empty()) && ready()
    };
    let label = move || {
        if answering.get() {
            t!(common.stop)
        } else {
            t!(composer.send)
        }
    };
    let icon = move || match answering.get() {
        true => IconName::Stop,
        false => IconName::Send,
    };
    let is_off = move || !answering.get() && !may_send();
    // A browser takes focus from a button that becomes disabled, as at the end of an answer: while it has focus, the
    // button only says that it is off.
    let focused = RwSignal::new(false);
    // The second click of a double click would stop the answer that the first one requested.
    let once = |event: MouseEvent| {
        if event.detail() > 1 {
            event.prevent_default();
        }
    };

    view! {
        <button
            class="send"
            type="submit"
            data-mode=move || if answering.get() { "stop" } else { "send" }
            aria-label=label
            title=label
            disabled=move || is_off() && !focused.get()
            aria-disabled=move || is_off().then_some("true")
            on:focus=move |_| focused.set(true)
            on:blur=move |_| _ = focused.try_set(false)
            on:click=once
        >
            {move || view! { <Icon name=icon() /> }}
        </button>
    }
}
