//! The dialog with the parameters.

use super::answer_format_field::AnswerFormatField;
use super::other_parameters::OtherParameters;
use leptos::prelude::*;
use sash_chat::ChatSettingsStoreFields;
use sash_stores::hooks::Command;
use sash_ui_kit::{Dialog, ParameterField};
use sash_view::stores::use_kernel;
use sash_wire::{KEEP_ALIVE, NUM_CTX, PARAMETERS, Parameter, parameter_text, short_name};
use sash_words::t;

/// Whether the dialog is open.
#[derive(Clone, Copy)]
struct ParametersShown(RwSignal<bool>);

/// Opens the parameters of the open chat.
pub fn parameters_command() -> Command {
    let shown = RwSignal::new(false);
    provide_context(ParametersShown(shown));
    let words = || t!(common.parameters);
    Command::new("parameters", words, move || shown.set(true)).of_chat()
}

/// The dialog with the parameters of the open chat.
#[component]
pub fn ParametersDialog() -> impl IntoView {
    let ParametersShown(shown) = expect_context();

    view! {
        <Dialog class="parameters" title=t!(common.parameters) shown>
            <ParameterList />
        </Dialog>
    }
}

/// The parameters that are above the context length; the others are below it.
const MOST_WANTED: [&str; 2] = ["temperature", KEEP_ALIVE];

/// The fields of the parameters, and what can be done with all of them.
#[component]
fn ParameterList() -> impl IntoView {
    let kernel = use_kernel();
    let (steering, notices) = (kernel.steering(), kernel.notices());
    let model = move || match steering.model.get() {
        Some(model) => short_name(&model.name).to_owned(),
        None => t!(parameters.some_model).to_owned(),
    };
    let own = kernel.chats().open_settings().parameters();
    let share = move |_| {
        steering.share_parameters();
        notices.announce(t!(parameters.saved_for_all_chats));
    };
    let reset = move |_| {
        steering.reset_parameters();
        notices.announce(t!(parameters.all_reset));
    };

    // What people look for most comes first, and is seen without scrolling.
    let rows = move |of_most: bool| {
        let all = PARAMETERS.iter();
        let these = all.filter(|parameter| MOST_WANTED.contains(&parameter.name) == of_most);
        let rows = these.map(|parameter| {
            // What the engine does not take is not offered for its models.
            view! {
                <Show when=move || steering.accepts(parameter.name)>
                    <ParameterRow parameter />
                </Show>
            }
        });
        rows.collect_view()
    };

    view! {
        <p class="hint-line">
            {t!(parameters.dialog_hint)}
        </p>
        <AnswerFormatField />
        <ul class="parameter-list">
            {rows(true)} <Show when=move || steering.accepts(NUM_CTX)>
                <ContextRow />
            </Show>
            {rows(false)}
            <OtherParameters />
        </ul>
        <div class="parameters-all">
            <button type="button" on:click=share disabled=move || own.with(|own| own.is_empty())>
                {move || t!(parameters.use_for_all_chats, model = model())}
            </button>
            <button
                type="button"
                on:click=reset
                disabled=move || steering.count_parameters() == 0
            >
                {t!(parameters.reset_all)}
            </button>
        </div>
    }
}

/// The field of one parameter of the open chat.
#[component]
fn ParameterRow(
    /// The parameter.
    parameter: &'static Parameter,
) -> impl IntoView {
    let (engine, steering) = (use_kernel().engine(), use_kernel().steering());
    let name = parameter.name;
    let of_model = Memo::new(move |_| steering.model_parameter(name));
    let of_file = Memo::new(move |_| engine.default_of(&steering.model.get()?, name));
    // Only Ollama’s own defaults are known.
    let is_ollama = Memo::new(move |_| {
        let model = steering.model.get().unwrap_or_default();
        engine.parameters(model.engine.as_deref()).is_none()
    });
    let value = Memo::new(move |_| steering.parameter(name).as_ref().map(parameter_text));
    let of_folder = Memo::new(move |_| steering.folder_parameter(name));
    let placeholder = move || match of_model.get() {
        _ if let Some((folder, value)) = of_folder.get() => t!(
            parameters.value_of_the_folder,
            value = parameter_text(&value),
            folder = &folder
        ),
        Some(value) => {
            let value = parameter_text(&value);
            t!(parameters.value_for_all_chats, value = value)
        }
        None => match of_file.get().map(|value| value.replace('\n', ", ")) {
            Some(value) => t!(parameters.default_of_model, n = value),
            None if is_ollama.get() => {
                t!(parameters.default_value, default = (parameter.default)())
            }
            None => t!(parameters.engine_default).to_owned(),
        },
    };
    let on_change = move |text: &str| {
        steering.set_parameter(name, parameter.parse(text)?);
        Ok(())
    };

    view! {
        <ParameterField
            name
            note=(parameter.note)()
            is_list=parameter.is_list()
            value
            placeholder=Signal::derive(placeholder)
            on_change
        />
    }
}

/// The most tokens that the field takes.
const MAX_TOKENS: u64 = 100_000_000;

/// The context length of the open chat's model. It belongs to the model: two chats with different values would make
/// Ollama load the model again and again.
#[component]
fn ContextRow() -> impl IntoView {
    let steering = use_kernel().steering();
    let value = Memo::new(move |_| steering.given_context().map(|tokens| tokens.to_string()));
    let placeholder = move || match steering.context.get() {
        Some(tokens) => t!(parameters.now, tokens = &tokens),
        None => t!(parameters.as_ollama_decides).to_owned(),
    };
    let on_change = move |text: &str| {
        match text.trim() {
            "" => steering.clear_context(),
            text => match text.parse() {
                Ok(tokens @ 1..=MAX_TOKENS) => steering.raise_context(tokens),
                _ => return Err(t!(parameters.context_invalid).to_owned()),
            },
        }
        Ok(())
    };

    view! {
        <ParameterField
            name=NUM_CTX
            note=t!(parameters.context_hint)
            value
            placeholder=Signal::derive(placeholder)
            on_change
        />
    }
}
