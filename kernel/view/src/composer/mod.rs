//! The composer: the prompt field, its buttons, and the line that says what goes with the prompt.

mod draft_question_line;
mod early_words;
mod field_hooks;
mod first_left_line;
mod foot;
mod offer_line;
mod overflow_line;
mod overflow_offers;
mod policy_menu;
mod prompt_field;
mod state;
mod temporary_line;
mod waiting_line;
mod window_line;
mod window_words;

use crate::browser::focus_refs::FocusRefs;
use crate::places::use_places;
use crate::stores::use_kernel;
pub use draft_question_line::DraftQuestionLine;
pub use field_hooks::{FieldHooks, Listbox};
use first_left_line::FirstLeftLine;
use foot::ComposerFoot;
use leptos::prelude::*;
pub use offer_line::OfferLine;
pub use overflow_line::OverflowLine;
pub use policy_menu::PolicyMenuOpen;
use prompt_field::PromptField;
use sash_browser_kit::page;
use sash_chat::Id;
use sash_stores::{Kernel, Readiness};
use sash_ui_kit::{Icon, IconName};
use sash_words::t;
pub use state::ComposerState;
use temporary_line::TemporaryLine;
pub use waiting_line::WaitingLine;
use waiting_line::use_send_when_ready;
use web_sys::{MouseEvent, SubmitEvent};

/// The composer.
#[component]
pub fn Composer() -> impl IntoView {
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let answering = Memo::new(move |_| kernel.answers().is_busy(kernel.chats().open_id()));
    let waiting = RwSignal::new(None);
    let enter = Callback::new(move |()| enter(kernel, kernel.chats().open_id_untracked(), waiting));
    use_send_when_ready(kernel, waiting, enter);
    FieldHooks::provide();
    provide_context(ComposerState {
        answering,
        waiting,
        enter,
    });
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        match answering.get_untracked() {
            true => kernel.answers().stop(kernel.chats().open_id_untracked()),
            false => enter.run(()),
        }
        page::focus(prompt);
    };

    view! {
        <form class="composer" aria-label=t!(composer.composer) on:submit=on_submit>
            <FirstLeftLine />
            <HeldElsewhere />
            {use_places().composer_lines.view()}
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
fn enter(kernel: Kernel, chat: Id, waiting: RwSignal<Option<Id>>) {
    let drafts = kernel.drafts();
    if drafts.written.with_untracked(|text| is_clear(text)) {
        drafts.written.set(String::new());
        kernel.steering().clear_window();
    } else if drafts.draft.with_untracked(|text| !text.trim().is_empty()) {
        let is_pending = kernel.attachments().pending.get_untracked() > 0;
        if is_pending && untrack(|| kernel.answers().is_busy(chat)) {
            return waiting.set(Some(chat));
        }
        if drafts.entering().ask(&drafts.prompt()) {
            return;
        }
        match untrack(|| kernel.answers().readiness()) {
            Readiness::Ready if !is_pending => {}
            Readiness::Ready | Readiness::Pending => return waiting.set(Some(chat)),
            Readiness::Refused(why) => return kernel.notices().show(why),
            Readiness::Busy => return,
        }
        let prompt = drafts.going_prompt().text;
        // A prompt that was not sent stays in the composer.
        drafts.set_text("");
        match kernel.answers().ask(prompt.clone()) {
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
    let kernel = use_kernel();
    let is_held = Signal::derive(move || kernel.remote().is_held(kernel.chats().open_id()));
    let take_over = move |_| {
        kernel
            .answers()
            .take_over(untrack(|| kernel.chats().open_id()));
    };

    view! {
        <OfferLine shown=is_held words=t!(composer.answered_in_another_tab) is_warning=true>
            <button
                type="button"
                title=t!(composer.take_over_hint)
                on:click=take_over
            >
                {t!(composer.take_over)}
            </button>
        </OfferLine>
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
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let is_shown = move || {
        let is_written = |draft: &String| !draft.trim().is_empty();
        answering.get() && kernel.drafts().draft.with(is_written)
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
    let kernel = use_kernel();
    let may_send = move || {
        let drafts = kernel.drafts();
        // An image that is being added would be left behind.
        let ready = || kernel.answers().can_send() && kernel.attachments().pending.get() == 0;
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
