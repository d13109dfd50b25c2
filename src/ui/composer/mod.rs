//! The composer: the prompt field, its buttons, and the line that says what goes with the prompt.

mod enter;
mod format_chip;
mod held_elsewhere;
mod mention_lines;
mod mention_offer;
mod message_quote;
mod next_line;
mod overflow_line;
mod overflow_offers;
mod policy_menu;
mod prompt_field;
mod rule_choice;
mod send_button;
mod send_when_ready;
mod thinking_choice;
mod window_line;
mod window_parts;
mod window_words;
mod withheld_line;

use super::attachments::{AttachButton, DraftFiles, DraftImages, use_drop_and_paste};
use super::tools::ToolsButton;
use crate::browser::page;
use crate::ui::recall::RecallLines;
use crate::ui::stores::use_stores;
pub use enter::is_send;
use format_chip::FormatChip;
use held_elsewhere::HeldElsewhere;
use leptos::prelude::*;
use mention_lines::MentionLines;
use mention_offer::is_include_key;
use next_line::{NextLine, use_send_when_answered};
use overflow_line::OverflowLine;
pub use policy_menu::steady;
use prompt_field::PromptField;
pub use rule_choice::RuleChoice;
use sash_chat::Id;
use sash_state::{Readiness, SendKey, Stores};
use send_button::SendButton;
use send_when_ready::use_send_when_ready;
use thinking_choice::ThinkingChoice;
use web_sys::{KeyboardEvent, SubmitEvent};
use window_line::WindowLine;
use withheld_line::WithheldLine;

/// The composer.
#[component]
pub fn Composer() -> impl IntoView {
    let stores = use_stores();
    let chat = Memo::new(move |_| stores.chats.open_id());
    let answering = Memo::new(move |_| stores.answers.is_busy(chat.get()));
    // The chat whose draft is sent once its images are scaled and the models are known.
    let waiting = RwSignal::new(None);
    let act = Callback::new(move |()| act(stores, chat.get_untracked(), waiting));
    // The chat whose draft is sent after the running answer.
    let next = RwSignal::new(None);
    use_send_when_answered(stores, answering, next, act);
    use_send_when_ready(stores, waiting, act);
    let dragged = use_drop_and_paste(stores);
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        act.run(());
        page::focus("prompt");
    };
    let on_keydown = move |event: KeyboardEvent| {
        if is_include_key(&event) && stores.mentions.take_offer() {
            event.prevent_default();
        }
    };

    view! {
        <form class="composer" aria-label="Composer" on:submit=on_submit on:keydown=on_keydown>
            <HeldElsewhere />
            <WithheldLine />
            <OverflowLine send=act />
            <NextLine next waiting />
            <MentionLines />
            <RecallLines />
            <DraftImages />
            <DraftFiles files=stores.drafts.files on_remove=move |()| page::focus("prompt") />
            <Show when=move || dragged.get()>
                <p class="drop-hint" aria-hidden="true">
                    "Drop files to add them to the prompt"
                </p>
            </Show>
            <div class="composer-box">
                <PromptField chat answering next act />
                <SendButton answering />
            </div>
            <div class="composer-foot">
                <div class="composer-buttons">
                    <AttachButton />
                    <ToolsButton />
                </div>
                <WindowLine />
                <FormatChip />
                <ThinkingChoice />
                <span id="composer-hint" class="hint">
                    {move || hint(stores.settings.current.with(|settings| settings.send_key))}
                </span>
            </div>
        </form>
    }
}

/// What the keys of the field do.
fn hint(send_key: SendKey) -> &'static str {
    match send_key {
        SendKey::Enter => "Enter sends, Shift+Enter starts a new line",
        SendKey::CtrlEnter => "Ctrl+Enter sends, Enter starts a new line",
    }
}

/// Stops the running answer or its tools, or sends the draft, once its images are scaled and the models are known. Says
/// why where there is no model to ask.
fn act(stores: Stores, chat: Id, waiting: RwSignal<Option<Id>>) {
    let drafts = stores.drafts;
    if untrack(|| stores.answers.is_busy(chat)) {
        stores.answers.stop(chat);
    } else if drafts.written.with_untracked(|text| is_clear(text)) {
        drafts.written.set(String::new());
        stores.steering.clear_window();
    } else if drafts.draft.with_untracked(|text| !text.trim().is_empty()) {
        match untrack(|| stores.answers.readiness()) {
            Readiness::Ready if stores.attachments.pending.get_untracked() == 0 => {}
            Readiness::Ready | Readiness::Pending => return waiting.set(Some(chat)),
            Readiness::Refused(why) => return stores.notices.show(why),
            Readiness::Busy => return,
        }
        let prompt = drafts.draft.get_untracked();
        stores.recalls.prepare(&prompt);
        // A prompt that was not sent stays in the composer.
        drafts.set_text("");
        if !stores.answers.ask(prompt.clone()) {
            drafts.set_text(&prompt);
        }
    }
}

/// Whether what is written is the one command, alone. A longer text that begins with it is a prompt.
fn is_clear(written: &str) -> bool {
    written.trim() == "/clear"
}
