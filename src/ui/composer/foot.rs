//! The row below the prompt field, in its frame: what can be added to the prompt, how it is answered, and what goes with
//! it.

use super::window_line::WindowLine;
use crate::browser::focus_refs::FocusRefs;
use crate::ui::attachments::add_files;
use crate::ui::stores::use_stores;
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::file;
use sash_browser_kit::keys::has_keyboard;
use sash_chat::{AnswerFormat, ChatSettingsStoreFields, Think};
use sash_state::{SendKey, SettingsStoreFields};
use sash_ui_kit::{Icon, IconName};
use sash_words::{count, t};
use web_sys::Event;

/// The row below the prompt field.
#[component]
pub fn ComposerFoot() -> impl IntoView {
    let stores = use_stores();
    // Whoever has written in a chat knows which key sends; readers of screens hear it with the field.
    let is_known = move || stores.chats().list.with(|chats| !chats.is_empty());

    view! {
        <div class="composer-foot">
            <div class="composer-buttons">
                <AttachButton />
                <ToolsButton />
            </div>
            <FormatChip />
            <ThinkingChoice />
            <span id="composer-hint" class="hint" class:visually-hidden=is_known>
                {move || hint(stores.settings().current.send_key().get())}
            </span>
            <WindowLine />
        </div>
    }
}

/// What the keys of the field do.
fn hint(send_key: SendKey) -> &'static str {
    match send_key.on(has_keyboard()) {
        SendKey::Enter | SendKey::Device => t!(composer.enter_sends_shift_enter_starts_a),
        SendKey::CtrlEnter => t!(composer.ctrl_enter_sends_enter_starts_a),
    }
}

/// The button below the prompt field that opens the browser's choice of files: images, text and documents.
#[component]
fn AttachButton() -> impl IntoView {
    let stores = use_stores();
    let field = NodeRef::<html::Input>::new();
    let prompt = FocusRefs::expect().prompt;
    let open = move |_| {
        if let Some(field) = field.get_untracked() {
            // The same file can be chosen again after it was removed.
            field.set_value("");
            field.click();
        }
    };
    let title = move || match stores.attachments().sees.get() {
        true => t!(composer.images_text_pdf_or_word_documents),
        false => {
            t!(composer.text_pdf_or_word_documents_or)
        }
    };
    let on_change = move |event: Event| add_files(stores, prompt, file::all_chosen(&event));

    view! {
        <div class="attach-place">
            <button type="button" class="attach" title=title on:click=open>
                <Icon name=IconName::File />
                <span class="attach-words">{t!(composer.add_files)}</span>
            </button>
            <input
                type="file"
                class="visually-hidden"
                tabindex="-1"
                aria-hidden="true"
                multiple
                node_ref=field
                on:change=on_change
            />
        </div>
    }
}

/// Opens the tools of the open chat; says how many are on. Empty where the model calls no tools and none is on.
#[component]
fn ToolsButton() -> impl IntoView {
    let stores = use_stores();
    let on = Memo::new(move |_| {
        stores
            .chats()
            .open
            .with(|chat| chat.head.settings.tools.len())
    });
    let uses = Memo::new(move |_| {
        let model = stores.steering().model.get();
        // Until the list has come the button would be there for a moment only.
        model.is_some_and(|model| {
            stores.engine().has_listed(model.engine.as_deref())
                && stores.engine().uses_tools(&model)
        })
    });
    let words = move || match on.get() {
        0 => t!(common.tools).to_owned(),
        on => t!(composer.tools, on = &on),
    };
    let title = move || match (on.get(), uses.get()) {
        (0, _) => t!(composer.functions_that_the_model_may_call).to_owned(),
        (on, true) => t!(composer.the_model_may_call, tools = count::tools(on)),
        (_, false) => t!(composer.this_model_does_not_call_tools).to_owned(),
    };

    view! {
        <Show when=move || uses.get() || (on.get() > 0)>
            <button
                type="button"
                class="attach tools-button"
                aria-haspopup="dialog"
                title=title
                data-set=move || (on.get() > 0 && uses.get()).then_some("true")
                on:click=move |_| stores.commands().run("tools")
            >
                <Icon name=IconName::Tool />
                <span class="attach-words">{words}</span>
            </button>
        </Show>
    }
}

/// Says that the chat asks for JSON; a click opens the parameters, where that is set. Empty without.
#[component]
fn FormatChip() -> impl IntoView {
    let stores = use_stores();
    let format = Memo::new(move |_| {
        stores.chats().open_settings().format().with(|format| {
            let format = format.as_ref()?;
            let short = match format {
                AnswerFormat::Json => "JSON",
                AnswerFormat::Schema(_) => t!(composer.schema),
            };
            Some((short, format.name()))
        })
    });

    view! {
        <ShowLet some=format let:format>
            <button
                type="button"
                class="format-chip"
                aria-haspopup="dialog"
                aria-label=t!(composer.answers_must_be_value, value = format.0, form = format.1)
                title=t!(composer.answers_must_be, value = format.1)
                on:click=move |_| stores.commands().run("parameters")
            >
                {format.0}
            </button>
        </ShowLet>
    }
}

/// Whether and how much the model thinks before it answers. Empty for a model that cannot think; only the values that
/// have an effect on the model are offered.
#[component]
fn ThinkingChoice() -> impl IntoView {
    let stores = use_stores();
    let (choices, chosen) = (stores.steering().think_choices, stores.steering().think);
    let on_change = move |event: Event| {
        let value = event_target_value(&event);
        stores.steering().set_think(Think::named(&value));
    };

    view! {
        <Show when=move || choices.with(|choices| !choices.is_empty())>
            <label class="thinking-choice">
                <span>{t!(common.thinking_label)}</span>
                <select on:change=on_change>
                    <option value="" prop:selected=move || chosen.get().is_none()>
                        {t!(composer.models_default)}
                    </option>
                    <For each=move || choices.get() key=|think| *think let:think>
                        <option
                            value=think.name()
                            prop:selected=move || chosen.get() == Some(think)
                        >
                            {label(think)}
                        </option>
                    </For>
                </select>
            </label>
        </Show>
    }
}

fn label(think: Think) -> &'static str {
    match think {
        Think::On => t!(composer.thinking_on),
        Think::Off => t!(composer.off),
        Think::Low => t!(composer.low),
        Think::Medium => t!(composer.medium),
        Think::High => t!(composer.high),
        Think::Max => t!(composer.max),
    }
}
