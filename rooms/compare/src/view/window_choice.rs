//! The choice of another window for the question.

use super::differences::Differences;
use crate::{WhatIf, WhatIfState};
use leptos::prelude::*;
use sash_chat::window::{Reason, Window};
use sash_chat::{Id, Policy, excerpt, policy_phrase};
use sash_stores::{Kernel, OtherWindow, OverflowSource};
use sash_view::stores::use_kernel;
use sash_words::{
    count::{self, grouped},
    t,
};

/// The rules offered. If several choose the same messages, the first one is shown.
const RULES: [Policy; 7] = [
    Policy::Messages(0),
    Policy::Everything,
    Policy::Messages(1),
    Policy::Messages(3),
    Policy::Messages(6),
    Policy::Messages(12),
    Policy::Messages(24),
];

/// How many of the messages read, counted from the newest, are offered to be left out.
const MAX_LEFT_OUT: usize = 50;

/// The rules, and the messages that were read. Choosing one asks the question.
#[component]
pub fn WindowChoice(
    /// The answer whose question is asked again.
    answer: Id,
) -> impl IntoView {
    let what_if = WhatIf::expect();
    let kernel = use_kernel();
    let read = messages_read(kernel, answer);
    let rules = other_rules(kernel, what_if, answer, &read);
    let without: Vec<(OtherWindow, String)> = read
        .iter()
        .skip(read.len().saturating_sub(MAX_LEFT_OUT))
        .filter_map(|id| Some((*id, kernel.chats().message(*id)?)))
        .filter(|(_, message)| !message.is_in_tool_round())
        .map(|(id, message)| {
            let name = format!("“{}”", excerpt(&message, &[]));
            (OtherWindow::Without(id), name)
        })
        .collect();
    let (has_read, has_choice) = (!read.is_empty(), !read.is_empty() || !rules.is_empty());
    let differences = match has_choice {
        true => what_if.differences_from(answer),
        false => Vec::new(),
    };
    let overflow = kernel.steering().overflow;
    let too_large = Memo::new(move |_| {
        overflow.with(|overflow| {
            let trial = overflow.as_ref();
            let trial = trial.filter(|overflow| matches!(overflow.asked, OverflowSource::Trial(_)));
            trial.map(|overflow| (overflow.tokens, overflow.context))
        })
    });
    // An overflow of this trial is shown only here.
    on_cleanup(move || {
        if too_large.try_get_untracked().flatten().is_some() {
            overflow.set(None);
        }
    });
    let too_large_words = move || {
        too_large.get().map(|(tokens, context)| {
            t!(
                compare.that_may_not_fit_about_tokens,
                tokens = grouped(tokens),
                context = grouped(context)
            )
        })
    };
    let option = move |(other, name, count): (OtherWindow, String, String)| {
        view! { <WindowOption answer other name count /> }
    };

    view! {
        <div class="what-if-choose">
            <p>
                {match has_choice {
                    true => {
                        t!(compare.the_question_is_asked_again_with)
                    }
                    false => t!(compare.no_message_before_this_question_can),
                }}
            </p>
            <Differences all=differences />
            <ShowLet some=too_large_words let:words>
                <p class="note note-failed" role="alert">
                    {words}
                </p>
            </ShowLet>
            {has_choice.then(|| view! { <h3>{t!(compare.what_if_it_had_read)}</h3> })}
            <ul>{rules.into_iter().map(option).collect_view()}</ul>
            {has_read.then(|| view! { <h3>{t!(compare.or_what_it_read_without)}</h3> })}
            <ul>
                {without
                    .into_iter()
                    .map(|(other, name)| option((other, name, String::new())))
                    .collect_view()}
            </ul>
        </div>
    }
}

/// The messages that an answer read before its question.
fn messages_read(kernel: Kernel, answer: Id) -> Vec<Id> {
    let (question, receipt) = kernel.answers().asked(answer).unwrap_or((answer, None));
    let mut read = receipt.map_or_else(Vec::new, |receipt| receipt.sent);
    let asked = read.iter().position(|id| *id == question);
    read.truncate(asked.unwrap_or(read.len()));
    read
}

/// How many messages a window sends; what does not go by the rule is named.
fn count_words(window: &Window) -> String {
    let by = |reason: Reason| {
        let entries = window.entries.iter();
        let counted = entries.filter(|e| e.reason == reason && !e.in_tool_round);
        counted.count()
    };
    let mut words = Vec::new();
    if by(Reason::Policy) > 0 {
        words.push(count::messages(by(Reason::Policy)));
    }
    if by(Reason::Pin) > 0 {
        words.push(t!(compare.pinned, pinned = grouped(by(Reason::Pin) as u64)));
    }
    if by(Reason::QuestionFirst) > 0 {
        words.push(t!(common.the_question_before).to_owned());
    }
    words.join(" + ")
}

/// The rules that choose other messages, each with its name and its number of messages.
fn other_rules(
    kernel: Kernel,
    what_if: WhatIf,
    answer: Id,
    read: &[Id],
) -> Vec<(OtherWindow, String, String)> {
    // A rule that chooses the same messages would only ask again.
    let mut known = vec![read.to_vec()];
    let mut rules = Vec::new();
    let own = kernel
        .chats()
        .open
        .with_untracked(|chat| chat.head.settings.policy);
    for policy in RULES.into_iter().chain([own]) {
        let other = OtherWindow::Rule(policy);
        let window = what_if.other_window(answer, other);
        let would = window.ids();
        if known.contains(&would) {
            continue;
        }
        rules.push((other, policy_phrase(policy), count_words(&window)));
        known.push(would);
    }
    rules
}

/// A button that asks the question with another window.
#[component]
fn WindowOption(
    /// The answer whose question is asked again.
    answer: Id,
    /// The window.
    other: OtherWindow,
    /// Its name.
    name: String,
    /// The number of messages in words; empty where the name already says it.
    count: String,
) -> impl IntoView {
    let kernel = use_kernel();
    let what_if = WhatIf::expect();
    let ask = move |_| {
        if !what_if.try_other(answer, other) && !untrack(|| kernel.answers().can_send()) {
            what_if.state.set(WhatIfState::Closed);
        }
    };

    view! {
        <li>
            <button type="button" class="choice" on:click=ask>
                <span dir="auto">{name}</span>
                " "
                <span class="count">{count}</span>
            </button>
        </li>
    }
}
