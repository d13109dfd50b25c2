//! The calls that wait for the person.

use crate::ui::parts::Icon;
use crate::ui::parts::IconName;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::window::MAX_TOOL_ROUNDS;
use sash_chat::{Id, ToolCall};
use web_sys::SubmitEvent;

/// A form with a field for each call that the person answers. Empty unless the answer's calls wait.
#[component]
pub fn WaitingCalls(
    /// The answer with the calls.
    id: Id,
    /// Whether the answer runs.
    running: Memo<bool>,
    /// Its calls.
    #[prop(into)]
    calls: Signal<Vec<ToolCall>>,
) -> impl IntoView {
    let stores = use_stores();
    let waiting = Memo::new(move |_| match calls.with(Vec::is_empty) || running.get() {
        true => Vec::new(),
        false => stores.answers.waiting_calls(id),
    });
    let runs = Memo::new(move |_| stores.answers.runs_tools(id));

    view! {
        {move || match (runs.get(), waiting.with(Vec::is_empty)) {
            (true, _) => view! { <p class="note">"Running the tools…"</p> }.into_any(),
            (false, true) => ().into_any(),
            (false, false) => view! { <ResultForm id calls=waiting.get() /> }.into_any(),
        }}
    }
}

/// The form.
#[component]
fn ResultForm(
    /// The answer with the calls.
    id: Id,
    /// Its calls.
    calls: Vec<ToolCall>,
) -> impl IntoView {
    let stores = use_stores();
    // What the person writes, call by call; nothing for a call that Sash answers.
    let results: Vec<Option<RwSignal<String>>> = calls
        .iter()
        .map(|call| (!stores.answers.is_automatic(call)).then(|| RwSignal::new(String::new())))
        .collect();
    let by_hand = results.iter().flatten().count();
    let words = match by_hand {
        _ if stores.answers.is_last_round(id) => {
            format!("The model has called tools in {MAX_TOOL_ROUNDS} rounds or more. Let it go on?")
        }
        0 => "The calls were not answered.".to_owned(),
        _ => "The model waits for the result of its call. Write it, or ask something else below."
            .to_owned(),
    };
    let button = match by_hand {
        0 => "Run and go on",
        _ => "Send the result",
    };
    let fields = calls.iter().zip(&results).enumerate();
    let fields: Vec<_> = fields
        .filter_map(|(at, (call, result))| {
            let result = (*result)?;
            let field = format!("result-{id}-{at}");
            let label = format!("Result of {}", call.function.name);
            Some(view! {
                <label for=field.clone()>{label}</label>
                <textarea id=field rows="3" dir="auto" bind:value=result></textarea>
            })
        })
        .collect();
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        let written = results
            .iter()
            .map(|result| result.map(|text| text.get_untracked()));
        stores.answers.answer_calls_by_hand(id, written.collect());
    };

    view! {
        <form class="note waiting-calls" on:submit=on_submit>
            <p>{words}</p>
            {fields}
            <button disabled=move || !stores.answers.may_ask()>
                <Icon name=IconName::Send />
                {button}
            </button>
        </form>
    }
}
