//! The dialog with the tools of the chat.

use super::own_tool_form::OwnToolForm;
use leptos::prelude::*;
use sash_chat::window::{MAX_CALLS_OF_QUESTION, MAX_TOOL_ROUNDS};
use sash_chat::{BuiltinTool, ChatSettingsStoreFields, MAX_CALLS, OwnTool, Tool, visible_name};
use sash_stores::hooks::Command;
use sash_ui_kit::Dialog;
use sash_view::stores::use_kernel;
use sash_words::t;
use web_sys::Event;

/// Whether the dialog is open.
#[derive(Clone, Copy)]
struct ToolsShown(RwSignal<bool>);

/// Opens the tools of the open chat.
pub fn tools_command() -> Command {
    let shown = RwSignal::new(false);
    provide_context(ToolsShown(shown));
    Command::new("tools", || t!(common.tools), move || shown.set(true)).of_chat()
}

/// The tools of the open chat, to be switched on and off, and those of one's own.
#[component]
pub fn ToolsDialog() -> impl IntoView {
    let kernel = use_kernel();
    let ToolsShown(shown) = expect_context();
    let unused = Memo::new(move |_| {
        let model = kernel.steering().model.get()?;
        (!kernel.engine().uses_tools(&model)).then_some(model.name)
    });
    let own = move || {
        kernel.chats().open_settings().tools().with(|tools| {
            let own = tools.iter().filter_map(|tool| match tool {
                Tool::Own(own) => Some(own.clone()),
                Tool::Builtin(_) => None,
            });
            own.collect::<Vec<_>>()
        })
    };
    let rounds = t!(
        tools.limits_hint,
        max_tool_rounds = MAX_TOOL_ROUNDS,
        max_calls_of_question = MAX_CALLS_OF_QUESTION,
        max_calls = MAX_CALLS
    );

    view! {
        <Dialog class="tools" title=t!(tools.dialog_title) shown>
            <p class="hint-line">
                {t!(tools.tools_hint)}
                {rounds.clone()}
            </p>
            {move || {
                unused
                    .get()
                    .map(|model| {
                        view! {
                            <p class="note">
                                {model}
                                {t!(tools.model_without_tools_hint)}
                            </p>
                        }
                    })
            }}
            <ul class="tool-list">
                {BuiltinTool::ALL.map(|tool| view! { <BuiltinRow tool /> }).collect_view()}
                <For each=own key=|tool| tool.name.clone() let:tool>
                    <OwnToolRow tool />
                </For>
            </ul>
            <OwnToolForm />
        </Dialog>
    }
}

/// A built-in tool with its switch and a sentence on what it does.
#[component]
fn BuiltinRow(
    /// The tool.
    tool: BuiltinTool,
) -> impl IntoView {
    let kernel = use_kernel();
    let tools = kernel.chats().open_settings().tools();
    let is_on = move || tools.with(|tools| tools.contains(&Tool::Builtin(tool)));
    let switch = move |event: Event| {
        let on = event_target_checked(&event);
        let mut tools = tools.get_untracked();
        tools.retain(|known| *known != Tool::Builtin(tool));
        if on {
            tools.push(Tool::Builtin(tool));
        }
        kernel.steering().set_tools(tools);
    };
    let (name, words) = (tool.name(), words(tool));

    view! {
        <li>
            <label class="tool-switch">
                <input type="checkbox" prop:checked=is_on on:change=switch />
                <span>
                    <strong>{words.0}</strong>
                    " "
                    <code>{name}</code>
                </span>
            </label>
            <p class="hint-line">{words.1}</p>
        </li>
    }
}

/// What a tool is called for the person: the name of one that is built in, else the name by which it is called.
pub fn tool_title(name: &str) -> String {
    match BuiltinTool::named(name) {
        Some(tool) => words(tool).0.to_owned(),
        None => visible_name(name),
    }
}

/// A name and a sentence for the person.
fn words(tool: BuiltinTool) -> (&'static str, &'static str) {
    match tool {
        BuiltinTool::CurrentTime => (t!(tools.date_and_time), t!(tools.date_and_time_hint)),
        BuiltinTool::Calculate => (t!(tools.calculator), t!(tools.calculator_hint)),
        BuiltinTool::ReadFile => (t!(tools.attached_files), t!(tools.attached_files_hint)),
    }
}

/// A tool that the person described: its name, what it does, and a button that removes it.
#[component]
fn OwnToolRow(
    /// The tool.
    tool: OwnTool,
) -> impl IntoView {
    let kernel = use_kernel();
    let name = tool.name.clone();
    let remove = move |_| {
        let mut tools = kernel
            .chats()
            .open
            .with_untracked(|chat| chat.head.settings.tools.clone());
        tools.retain(|known| !matches!(known, Tool::Own(own) if own.name == name));
        kernel.steering().set_tools(tools);
    };
    let label = t!(tools.remove_the_tool, name = &tool.name);

    view! {
        <li>
            <div class="tool-own">
                <strong>
                    <code>{tool.name}</code>
                </strong>
                <span class="chip">{t!(tools.answered_by_you)}</span>
                <button type="button" class="link" aria-label=label on:click=remove>
                    {t!(common.remove)}
                </button>
            </div>
            <p class="hint-line" dir="auto">
                {tool.description}
            </p>
        </li>
    }
}
