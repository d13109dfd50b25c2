//! The choice of a model: a combobox that is searched by typing.

mod options;

use crate::browser::focus_refs::FocusRefs;
use crate::model_words::{describe, label};
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::html;
use leptos::prelude::*;
use options::{PickerChoice, PickerOption, options};
use sash_browser_kit::console::LogError;
use sash_browser_kit::page;
use sash_stores::Kernel;
use sash_ui_kit::{Icon, ListEnds, takes_focus_from, walk};
use sash_wire::ModelInfo;
use sash_words::{plain_t, t};
use web_sys::{FocusEvent, KeyboardEvent};

/// The id of the list.
const LIST_ID: &str = "model-list";

/// The id of an option.
fn option_id(at: usize) -> String {
    format!("model-option-{at}")
}

/// The picker: a field with the chosen model, which becomes a search field above the list of models while the list
/// is open.
#[component]
pub fn ModelPicker() -> impl IntoView {
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    // What is searched for; `None` while the list is closed.
    let search = RwSignal::new(None::<String>);
    let active = RwSignal::new(0_usize);
    let actions = use_places().picker_actions;
    let listed = Memo::new(move |_| {
        search.with(|text| options(kernel, text.as_deref(), actions.get_value()))
    });
    let is_open = Memo::new(move |_| search.with(Option::is_some));
    let chosen = Memo::new(move |_| chosen_words(kernel));
    let place = NodeRef::<html::Div>::new();
    let field = NodeRef::<html::Input>::new();
    let open = move |text: String| {
        let is_search = !text.is_empty();
        search.set(Some(text));
        // The chosen model is where a person expects to be while nothing is searched.
        let chosen = listed.with_untracked(|all| all.iter().position(|option| option.is_chosen));
        active.set(chosen.filter(|_| !is_search).unwrap_or(0));
    };
    let choose = move |option: &PickerOption| {
        if option.is_away && !option.is_chosen {
            return;
        }
        search.set(None);
        page::focus(prompt);
        match &option.choice {
            PickerChoice::Model(model) => kernel.chats().choose_model(model.clone()),
            // It cannot be chosen.
            PickerChoice::Away(_) => {}
            PickerChoice::Folder => kernel.chats().use_folder_model(),
            PickerChoice::Action(action) => (action.run)(),
        }
    };
    let on_keydown = move |event: KeyboardEvent| {
        let shown = is_open.get_untracked();
        let with_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
        match event.key().as_str() {
            "ArrowDown" | "ArrowUp" if !shown => open(String::new()),
            key @ ("ArrowDown" | "ArrowUp") => {
                let count = listed.with_untracked(Vec::len);
                if let Some(to) = walk(key, active.get_untracked(), count, ListEnds::Stop) {
                    active.set(to);
                    page::scroll_to_id(&option_id(to));
                }
            }
            "Enter" if shown => {
                let at = active.get_untracked();
                if let Some(option) = listed.with_untracked(|all| all.get(at).cloned()) {
                    choose(&option);
                }
            }
            "Enter" | " " if !shown => open(String::new()),
            "Escape" if shown => search.set(None),
            // The field takes no text while the list is closed.
            letter if !shown && letter.chars().count() == 1 && !with_modifier => {
                open(letter.to_owned());
            }
            _ => return,
        }
        event.prevent_default();
    };
    let on_focusout = move |event: FocusEvent| {
        if event.related_target().is_none() || takes_focus_from(place, &event) {
            _ = search.try_set(None);
        }
    };
    // The field shows what is typed; the list is placed below it once it is on the page.
    Effect::new(move || {
        let text = search.get().unwrap_or_else(|| chosen.get().name);
        if let Some(field) = field.get() {
            field.set_value(&text);
        }
    });
    let placeholder = move || is_open.get().then(|| chosen.get().name);
    let focus_field = move |_| {
        if let Some(field) = field.get_untracked() {
            field.focus().log_error();
        }
        if !is_open.get_untracked() {
            open(String::new());
        }
    };

    view! {
        <div
            class="model-picker"
            title=move || chosen.get().note
            node_ref=place
            on:focusout=on_focusout
        >
            <input
                node_ref=field
                type="text"
                role="combobox"
                aria-label=t!(common.model)
                aria-autocomplete="list"
                aria-controls=LIST_ID
                aria-expanded=move || is_open.get().to_string()
                aria-activedescendant=move || is_open.get().then(|| option_id(active.get()))
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                readonly=move || !is_open.get()
                placeholder=placeholder
                disabled=move || !kernel.engine().is_reachable()
                on:click=focus_field
                on:input=move |event| open(event_target_value(&event))
                on:keydown=on_keydown
            />
            <Show when=move || is_open.get()>
                <div class="model-list" id=LIST_ID role="listbox" aria-label=t!(common.models)>
                    <ForEnumerate
                        each=move || listed.get()
                        key=Clone::clone
                        children=move |at, option| {
                            view! { <ModelOption option at active on_choose=choose /> }
                        }
                    />
                </div>
            </Show>
        </div>
    }
}

/// The chosen model: what the closed field shows, and everything known about the model.
#[derive(Clone, PartialEq)]
struct ChosenWords {
    name: String,
    note: Option<String>,
}

fn chosen_words(kernel: Kernel) -> ChosenWords {
    let engine = kernel.engine();
    let Some(model) = kernel.steering().model.get() else {
        return ChosenWords {
            name: t!(header.no_model).to_owned(),
            note: None,
        };
    };
    let of_engine = engine.shown_name(model.engine.as_deref());
    let find = |models: &[ModelInfo]| models.iter().find(|listed| listed.is(&model)).cloned();
    let is_away = engine.is_away(model.engine.as_deref());
    let listed = match is_away {
        true => find(&engine.away_models()),
        false => engine.models.with(|models| find(models)),
    };
    let away = is_away.then(|| {
        let engine = of_engine.as_deref().unwrap_or_default();
        t!(transcript.engine_not_reachable, one = engine)
    });
    if let Some(listed) = listed {
        return ChosenWords {
            name: label(&listed, of_engine.as_deref()),
            note: Some(away.unwrap_or_else(|| describe(&listed))),
        };
    }
    let mut name = model.name.clone();
    if let Some(of_engine) = of_engine {
        name += &format!(" · {of_engine}");
    }
    if engine.has_listed(model.engine.as_deref()) {
        // The value of a field has no marks around names.
        name = plain_t!(header.model_is_missing, name = &name);
    }
    ChosenWords { name, note: away }
}

/// An entry of the list: a model with its size and what it can do, or an action.
#[component]
fn ModelOption(
    /// The entry.
    option: PickerOption,
    /// Its place in the list.
    at: ReadSignal<usize>,
    /// The place that the keyboard is at.
    active: RwSignal<usize>,
    /// Called when it is chosen.
    on_choose: impl Fn(&PickerOption) + 'static,
) -> impl IntoView {
    let value = option.value();
    let (name, note) = (option.name.clone(), option.note.clone());
    let icon = option.icon();
    let is_active = move || at.get() == active.get();

    view! {
        <div
            class="model-option"
            id=move || option_id(at.get())
            role="option"
            aria-selected=move || is_active().to_string()
            data-model=value
            data-chosen=option.is_chosen.then_some("true")
            aria-disabled=(option.is_away && !option.is_chosen).then_some("true")
            // The field keeps focus.
            on:pointerdown=|event| event.prevent_default()
            on:click=move |_| on_choose(&option)
        >
            <span class="entry-icon">{icon.map(|name| view! { <Icon name /> })}</span>
            <span class="model-option-name">{name}</span>
            <span class="model-option-note">{note}</span>
        </div>
    }
}
