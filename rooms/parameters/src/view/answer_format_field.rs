//! The form of the answers.

use leptos::html::Textarea;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{AnswerFormat, ChatSettingsStoreFields, Id, parse_schema};
use sash_ui_kit::{OtherValue, use_mirror};
use sash_view::stores::use_kernel;
use sash_words::t;
use web_sys::Event;

/// The values of the select.
const TEXT: &str = "text";
const JSON: &str = "json";
const SCHEMA: &str = "schema";
/// The id of the field for a schema.
const SCHEMA_FIELD_ID: &str = "answer-schema";

/// The choice between free text, JSON, and JSON that fits a schema.
#[component]
pub fn AnswerFormatField() -> impl IntoView {
    let (chats, steering) = (use_kernel().chats(), use_kernel().steering());
    let format = Memo::new(move |_| chats.open_settings().format().get());
    // A schema is asked for, and the chat has none yet.
    let writing = RwSignal::new(false);
    let chosen = move || match format.get() {
        _ if writing.get() => SCHEMA,
        None => TEXT,
        Some(AnswerFormat::Json) => JSON,
        Some(AnswerFormat::Schema(_)) => SCHEMA,
    };
    let choose = move |event: Event| {
        let choice = event_target_value(&event);
        writing.set(choice == SCHEMA);
        match choice.as_str() {
            JSON => steering.set_format(Some(AnswerFormat::Json)),
            SCHEMA => {}
            _ => steering.set_format(None),
        }
    };
    let schema = Memo::new(move |_| match format.get() {
        Some(AnswerFormat::Schema(schema)) if !schema.is_empty() => {
            serde_json::to_string_pretty(&schema).unwrap_or_default()
        }
        _ => String::new(),
    });

    view! {
        <div class="parameter">
            <label for="answer-format">{t!(common.answer)}</label>
            <select id="answer-format" prop:value=chosen on:change=choose>
                <option value=TEXT>{t!(common.plain_text)}</option>
                <option value=JSON>{t!(parameters.json)}</option>
                <option value=SCHEMA>{t!(common.json_with_schema)}</option>
            </select>
            <Show when=move || chosen() != TEXT>
                <p class="hint-line">{t!(parameters.json_hint)}</p>
            </Show>
            <Show when=move || chosen() == SCHEMA>
                <SchemaField schema writing />
            </Show>
        </div>
    }
}

/// The field for a schema. It has the focus when the person has just asked for it.
#[component]
fn SchemaField(
    /// The chat's schema, as a person reads it; empty if it has none.
    schema: Memo<String>,
    /// Whether the chat has none yet.
    writing: RwSignal<bool>,
) -> impl IntoView {
    let (chats, steering) = (use_kernel().chats(), use_kernel().steering());
    let field = NodeRef::<Textarea>::new();
    if writing.get_untracked() {
        page::focus_on_load(field);
    }
    let error = RwSignal::new(None::<String>);
    let text = use_mirror(move || schema.get());
    // What was typed since the field was left, and the chat that was open then.
    let typed = StoredValue::new(None::<(Id, String)>);
    let use_typed = move || {
        let Some((chat, written)) = typed.try_update_value(Option::take).flatten() else {
            return;
        };
        match parse_schema(&written) {
            Ok(schema) => {
                steering.set_format_of(chat, AnswerFormat::Schema(schema));
                error.set(None);
                writing.set(false);
                text.settle();
            }
            Err(why) => error.set(Some(why)),
        }
    };
    let on_input = move |event: Event| {
        let chat = chats.open_id_untracked();
        let written = event_target_value(&event);
        typed.set_value(Some((chat, written.clone())));
        text.on_input(written);
    };
    Effect::new(move |former: Option<Id>| {
        let open = chats.open_id();
        if former.is_some_and(|former| former != open) {
            untrack(use_typed);
            text.settle();
        }
        open
    });

    view! {
        <textarea
            autocomplete="off"
            node_ref=field
            id=SCHEMA_FIELD_ID
            class="schema-field"
            rows="8"
            aria-label=t!(parameters.json_schema)
            aria-invalid=move || error.with(Option::is_some).then_some("true")
            aria-describedby="schema-hint"
            spellcheck="false"
            placeholder=t!(parameters.schema_example)
            prop:value=move || text.text.get()
            on:input=on_input
            on:change=move |_| use_typed()
        ></textarea>
        <OtherValue mirror=text id=SCHEMA_FIELD_ID on_use=move |()| typed.set_value(None) />
        <p id="schema-hint" class="hint-line">
            {t!(parameters.schema_order_hint)}
            <span role="alert" class="parameter-error">
                {move || error.get().map(|why| format!(" {why}"))}
            </span>
        </p>
    }
}
