//! The form that adds a tool of one's own.

use leptos::prelude::*;
use sash_chat::{BuiltinTool, ChatSettingsStoreFields, OwnTool, Tool, is_tool_name, parse_schema};
use sash_stores::Kernel;
use sash_view::stores::use_kernel;
use sash_words::t;
use web_sys::SubmitEvent;

/// Adds a tool that the person describes, and whose calls the person answers.
#[component]
pub fn OwnToolForm() -> impl IntoView {
    let kernel = use_kernel();
    let (name, description, schema) = (
        RwSignal::new(String::new()),
        RwSignal::new(String::new()),
        RwSignal::new(String::new()),
    );
    let error = RwSignal::new(None::<String>);
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        let fields = [name, description, schema];
        let [name, description, schema] = fields.map(|field| field.get_untracked());
        match add(kernel, name.trim(), description.trim(), schema.trim()) {
            Ok(()) => {
                for field in fields {
                    field.set(String::new());
                }
                error.set(None);
            }
            Err(why) => error.set(Some(why)),
        }
    };

    view! {
        <details class="tool-form">
            <summary>{t!(tools.add_own_tool)}</summary>
            <p class="hint-line">
                {t!(tools.own_tool_hint)}
            </p>
            <form on:submit=on_submit>
                <label for="tool-name">{t!(common.name)}</label>
                <input
                    id="tool-name"
                    placeholder=t!(tools.pieces_in_stock)
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="tool-error"
                    bind:value=name
                />
                <label for="tool-description">{t!(tools.description_label)}</label>
                <input id="tool-description" autocomplete="off" bind:value=description />
                <label for="tool-schema">{t!(tools.arguments_label)}</label>
                <textarea
                    id="tool-schema"
                    class="schema-field"
                    rows="5"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder=t!(tools.arguments_example)
                    bind:value=schema
                ></textarea>
                <p id="tool-error" class="parameter-error" role="alert">
                    {move || error.get()}
                </p>
                <button>{t!(tools.add)}</button>
            </form>
        </details>
    }
}

/// Adds a tool to the open chat.
///
/// # Errors
/// A sentence that says what is wrong with it.
fn add(kernel: Kernel, name: &str, description: &str, schema: &str) -> Result<(), String> {
    if !is_tool_name(name) {
        return Err(t!(tools.name_invalid).to_owned());
    }
    let is_taken = |tools: &[Tool]| tools.iter().any(|tool| tool.name() == name);
    let tools = kernel.chats().open_settings().tools();
    if BuiltinTool::named(name).is_some() || tools.with_untracked(|tools| is_taken(tools)) {
        return Err(t!(tools.name_taken, name = &name));
    }
    let parameters = match schema {
        "" => None,
        text => Some(parse_schema(text)?),
    };
    let mut tools = tools.get_untracked();
    tools.push(Tool::Own(OwnTool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
    }));
    kernel.steering().set_tools(tools);
    Ok(())
}
