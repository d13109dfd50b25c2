//! The calls that wait for the person.

use crate::Tools;
use leptos::prelude::*;
use sash_chat::window::{MAX_TOOL_ROUNDS, ToolLimit};
use sash_chat::{Id, MAX_CALLS, ToolCall};
use sash_ui_kit::{Icon, IconName};
use sash_view::stores::use_kernel;
use sash_view::transcript::MessageState;
use sash_words::{count::grouped, t};
use web_sys::SubmitEvent;

/// A form with a field for each call that the person answers. Empty unless the answer's calls wait.
#[component]
pub fn WaitingCalls() -> impl IntoView {
    let MessageState {
        id, running, calls, ..
    } = MessageState::expect();
    let (tools, kernel) = (Tools::expect(), use_kernel());
    let waiting = Memo::new(move |_| match calls.with(Vec::is_empty) || running.get() {
        true => Vec::new(),
        false => tools.waiting_calls(id),
    });
    let runs = Memo::new(move |_| tools.runs_tools(id));
    let stop = move |_| kernel.answers().stop(kernel.chats().open_id_untracked());

    view! {
        {move || match (runs.get(), waiting.with(Vec::is_empty)) {
            (true, _) => {
                view! {
                    <p class="note">
                        {t!(tools.running_the_tools)}
                        <button type="button" class="link" on:click=stop>
                            {t!(tools.stop_the_tools)}
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
    let (tools, kernel) = (Tools::expect(), use_kernel());
    let drafts = kernel.drafts();
    // Whether the person answers the call; Sash answers the others.
    let is_by_hand = calls
        .iter()
        .map(|call| !tools.is_automatic(call))
        .collect::<Vec<bool>>();
    let by_hand = is_by_hand.iter().filter(|is_by_hand| **is_by_hand).count();
    let words = match (tools.tool_limit(id), by_hand) {
        (Some(limit), _) => limit_words(limit),
        (None, 0) => t!(tools.calls_unanswered).to_owned(),
        (None, _) => t!(tools.waits_for_result).to_owned(),
    };
    let button = match by_hand {
        0 => t!(tools.run_and_continue),
        _ => t!(tools.send_the_result),
    };
    let fields = calls.iter().zip(&is_by_hand).enumerate();
    let fields = fields.filter(|(_, (_, is_by_hand))| **is_by_hand);
    let fields: Vec<_> = fields
        .map(|(at, (call, _))| {
            let field = format!("result-{id}-{at}");
            let label = t!(tools.result_of, visible_name = call.function.visible_name());
            view! {
                <label for=field.clone()>{label}</label>
                <textarea
                    id=field
                    rows="3"
                    dir="auto"
                    autocomplete="off"
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
        tools.answer_calls_by_hand(id, written.collect());
    };

    view! {
        <form class="note waiting-calls" on:submit=on_submit>
            <p>{words}</p>
            {fields}
            <button disabled=move || !kernel.answers().can_send()>
                <Icon name=IconName::Send />
                {button}
            </button>
        </form>
    }
}

fn limit_words(limit: ToolLimit) -> String {
    match limit {
        ToolLimit::CallsOfAnswer(_) => {
            t!(tools.over_call_limit, max_calls = MAX_CALLS)
        }
        ToolLimit::CallsOfQuestion(calls) => {
            let calls = grouped(calls as u64);
            t!(tools.over_question_limit, calls = &calls)
        }
        ToolLimit::Rounds(_) => {
            t!(tools.over_round_limit, max_tool_rounds = MAX_TOOL_ROUNDS)
        }
    }
}
