//! The calls that wait for the person.

use crate::ui::parts::{Icon, IconName, grouped};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::window::{MAX_TOOL_ROUNDS, ToolLimit};
use sash_chat::{Id, MAX_CALLS, ToolCall};
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
    let stop = move |_| stores.answers.stop(stores.chats.open_id_untracked());

    view! {
        {move || match (runs.get(), waiting.with(Vec::is_empty)) {
            (true, _) => {
                view! {
                    <p class="note">
                        "Running the tools… "
                        <button type="button" class="link" on:click=stop>
                            "Stop the tools"
                        </button>
                    </p>
                }
                    .into_any()
            }
            (false, true) => ().into_any(),
            (false, false) => view! { <ResultForm id calls=waiting.get() /> }.into_any(),
        }}
    }
}

/// The form. What is written in it is a draft of the chat until it is sent.
#[component]
fn ResultForm(
    /// The answer with the calls.
    id: Id,
    /// Its calls.
    calls: Vec<ToolCall>,
) -> impl IntoView {
    let stores = use_stores();
    let drafts = stores.drafts;
    // Whether the person answers the call; Sash answers the others.
    let is_by_hand = calls
        .iter()
        .map(|call| !stores.answers.is_automatic(call))
        .collect::<Vec<bool>>();
    let by_hand = is_by_hand.iter().filter(|is_by_hand| **is_by_hand).count();
    let words = match (stores.answers.tool_limit(id), by_hand) {
        (Some(limit), _) => limit_words(limit),
        (None, 0) => "The calls were not answered.".to_owned(),
        (None, _) => {
            "The model waits for the result of its call. Write it, or ask something else below."
                .to_owned()
        }
    };
    let button = match by_hand {
        0 => "Run and go on",
        _ => "Send the result",
    };
    let fields = calls.iter().zip(&is_by_hand).enumerate();
    let fields = fields.filter(|(_, (_, is_by_hand))| **is_by_hand);
    let fields: Vec<_> = fields
        .map(|(at, (call, _))| {
            let field = format!("result-{id}-{at}");
            let label = format!("Result of {}", call.function.visible_name());
            view! {
                <label for=field.clone()>{label}</label>
                <textarea
                    id=field
                    rows="3"
                    dir="auto"
                    prop:value=move || drafts.result(id, at)
                    on:input=move |event| drafts.write_result(id, at, event_target_value(&event))
                ></textarea>
            }
        })
        .collect();
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        let written = is_by_hand.iter().enumerate();
        let written =
            written.map(|(at, is_by_hand)| is_by_hand.then(|| untrack(|| drafts.result(id, at))));
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

fn limit_words(limit: ToolLimit) -> String {
    match limit {
        ToolLimit::CallsOfAnswer(_) => format!(
            "Sash answers at most {MAX_CALLS} calls in one answer. Let the model go on with those above?"
        ),
        ToolLimit::CallsOfQuestion(calls) => {
            let calls = grouped(calls as u64);
            format!("The model has called {calls} tools for this question. Let it go on?")
        }
        ToolLimit::Rounds(_) => {
            format!("The model has called tools in {MAX_TOOL_ROUNDS} rounds or more. Let it go on?")
        }
    }
}
