//! The choice of another window for the question of an answer.

use super::does_not_fit::DoesNotFit;
use super::windows::Differences;
use crate::Compare;
use leptos::prelude::*;
use sash_chat::window::{Reason, Window};
use sash_chat::{Id, Policy, excerpt, policy_phrase};
use sash_stores::{Kernel, OtherWindow};
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
pub fn ChooseWindow(
    /// The answer whose question is asked again.
    answer: Id,
) -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let read = messages_read(kernel, answer);
    let rules = other_rules(kernel, compare, answer, &read);
    let newest = read.iter().skip(read.len().saturating_sub(MAX_LEFT_OUT));
    let messages = newest.filter_map(|id| kernel.chats().message(*id));
    let messages = messages.filter(|message| !message.is_in_tool_round());
    let without = messages.map(|message| {
        let name = format!("“{}”", excerpt(&message, &[]));
        (OtherWindow::Without(message.id), name, String::new())
    });
    let without: Vec<_> = without.collect();
    let (has_read, has_choice) = (!read.is_empty(), !read.is_empty() || !rules.is_empty());
    let (words, differences) = match has_choice {
        true => (t!(compare.what_if_hint), compare.differences_from(answer)),
        false => (t!(compare.nothing_to_choose), Vec::new()),
    };
    let option = move |(other, name, count): (OtherWindow, String, String)| {
        let ask = move |_| {
            if !compare.try_other(answer, other) && !untrack(|| kernel.answers().can_send()) {
                compare.close();
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
    };

    view! {
        <div class="choose-window">
            <p>{words}</p>
            <Differences all=differences />
            <DoesNotFit is_failure=true />
            {has_choice.then(|| view! { <h3>{t!(compare.what_if_read)}</h3> })}
            <ul>{rules.into_iter().map(option).collect_view()}</ul>
            {has_read.then(|| view! { <h3>{t!(compare.or_without)}</h3> })}
            <ul>{without.into_iter().map(option).collect_view()}</ul>
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
        Some(counted.count()).filter(|count| *count > 0)
    };
    let pinned = |count: usize| t!(compare.pinned, pinned = grouped(count as u64));
    let before = |_: usize| t!(common.question_before).to_owned();
    let words = [
        by(Reason::Policy).map(count::messages),
        by(Reason::Pin).map(pinned),
        by(Reason::QuestionFirst).map(before),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" + ")
}

/// The rules that choose other messages, each with its name and its number of messages.
fn other_rules(
    kernel: Kernel,
    compare: Compare,
    answer: Id,
    read: &[Id],
) -> Vec<(OtherWindow, String, String)> {
    // A rule that chooses the same messages would only ask again.
    let mut known = vec![read.to_vec()];
    let own = kernel.chats().open;
    let own = own.with_untracked(|chat| chat.head.settings.policy);
    let rules = RULES.into_iter().chain([own]).filter_map(|policy| {
        let other = OtherWindow::Rule(policy);
        let window = compare.other_window(answer, other);
        let would = window.ids();
        if known.contains(&would) {
            return None;
        }
        known.push(would);
        Some((other, policy_phrase(policy), count_words(&window)))
    });
    rules.collect()
}
