//! The placeholders of a prompt that was chosen: each is asked for once, before the prompt stands in the field.

use crate::SavedPrompts;
use crate::store::ChosenPrompt;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_stores::SendKey;
use sash_ui_kit::DialogFrame;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::parts::is_send;
use sash_words::t;
use std::collections::BTreeMap;
use web_sys::{KeyboardEvent, SubmitEvent};

/// The dialog; open while placeholders are being filled in.
#[component]
pub fn FillDialog() -> impl IntoView {
    let chosen = SavedPrompts::expect().chosen;
    let title = move || {
        chosen.with(|chosen| {
            let name = chosen.as_ref().map(|chosen| chosen.prompt.name.clone());
            name.unwrap_or_default()
        })
    };

    view! {
        <DialogFrame
            class="prompt-fill"
            title_id="prompt-fill-title"
            title=Signal::derive(title)
            shown=Signal::derive(move || chosen.with(Option::is_some))
            on_close=move |()| chosen.set(None)
        >
            <ShowLet some=move || chosen.get() let:chosen>
                <FillForm chosen />
            </ShowLet>
        </DialogFrame>
    }
}

/// A field for each placeholder.
#[component]
fn FillForm(
    /// The prompt.
    chosen: ChosenPrompt,
) -> impl IntoView {
    let prompts = SavedPrompts::expect();
    let prompt = FocusRefs::expect().prompt;
    let names: Vec<String> = chosen
        .placeholders()
        .into_iter()
        .map(str::to_owned)
        .collect();
    let empty = names.iter().map(|name| (name.clone(), String::new()));
    let values = StoredValue::new(empty.collect::<BTreeMap<_, _>>());
    let is_too_long = RwSignal::new(false);
    let put = move |values: &BTreeMap<String, String>| match prompts.fill(values) {
        true => page::focus_soon(prompt),
        false => is_too_long.set(true),
    };
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        put(&values.get_value());
    };
    // In a field of several lines Enter alone begins a line.
    let on_keydown = move |event: KeyboardEvent| {
        if is_send(&event, SendKey::CtrlEnter) {
            event.prevent_default();
            put(&values.get_value());
        }
    };
    let fields = names.into_iter().enumerate().map(|(at, name)| {
        let id = format!("placeholder-{at}");
        let label = name.clone();
        let on_input = move |event| {
            let text = event_target_value(&event);
            values.update_value(|values| _ = values.insert(name.clone(), text));
        };
        view! {
            <label for=id.clone() dir="auto">
                {label}
            </label>
            <textarea
                id=id
                rows="2"
                dir="auto"
                autocomplete="off"
                autofocus=at == 0
                on:input=on_input
                on:keydown=on_keydown
            ></textarea>
        }
    });

    view! {
        <form class="dialog-form" on:submit=on_submit>
            <div class="dialog-body prompt-fields">
                {fields.collect_view()}
                <p class="hint-line">{t!(prompts.fill_hint)}</p>
                <div role="alert">
                    <Show when=move || is_too_long.get()>
                        <p class="note">{t!(prompts.filled_too_long)}</p>
                    </Show>
                </div>
            </div>
            <div class="dialog-foot">
                <button type="button" on:click=move |_| prompts.chosen.set(None)>
                    {t!(common.cancel)}
                </button>
                <button type="button" on:click=move |_| put(&BTreeMap::new())>
                    {t!(prompts.leave_the_braces)}
                </button>
                <button type="submit" class="primary">
                    {t!(prompts.put_into_the_field)}
                </button>
            </div>
        </form>
    }
}
