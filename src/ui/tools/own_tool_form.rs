//! The form that adds a tool of one's own.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{BuiltinTool, ChatSettingsStoreFields, OwnTool, Tool, is_tool_name, parse_schema};
use sash_state::Stores;
use web_sys::SubmitEvent;

/// Adds a tool that the person describes, and whose calls the person answers.
#[component]
pub fn OwnToolForm() -> impl IntoView {
    let stores = use_stores();
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
        match add(stores, name.trim(), description.trim(), schema.trim()) {
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
            <summary>"Add a tool of your own"</summary>
            <p class="hint-line">
                "You answer its calls: the model waits until you have written the result."
            </p>
            <form on:submit=on_submit>
                <label for="tool-name">"Name"</label>
                <input
                    id="tool-name"
                    placeholder="pieces_in_stock"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="tool-error"
                    bind:value=name
                />
                <label for="tool-description">"What it does, for the model"</label>
                <input id="tool-description" autocomplete="off" bind:value=description />
                <label for="tool-schema">"Arguments, as a JSON schema (optional)"</label>
                <textarea
                    id="tool-schema"
                    class="schema-field"
                    rows="5"
                    spellcheck="false"
                    placeholder=r#"{ "type": "object", "properties": { "part": { "type": "string" } }, "required": ["part"] }"#
                    bind:value=schema
                ></textarea>
                <p id="tool-error" class="parameter-error" role="alert">
                    {move || error.get()}
                </p>
                <button>"Add"</button>
            </form>
        </details>
    }
}

/// Adds a tool to the open chat.
///
/// # Errors
/// A sentence that says what is wrong with it.
fn add(stores: Stores, name: &str, description: &str, schema: &str) -> Result<(), String> {
    if !is_tool_name(name) {
        return Err("A name has 1 to 64 letters without accents, digits, “_” or “-”.".to_owned());
    }
    let is_taken = |tools: &[Tool]| tools.iter().any(|tool| tool.name() == name);
    let tools = stores.chats.open_settings().tools();
    if BuiltinTool::named(name).is_some() || tools.with_untracked(|tools| is_taken(tools)) {
        return Err(format!("There is a tool {name} already."));
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
    stores.steering.set_tools(tools);
    Ok(())
}
