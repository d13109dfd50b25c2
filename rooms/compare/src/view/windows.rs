//! Two answers to one question with different windows.

use super::column::{AnswerText, Column};
use crate::Compare;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Id, excerpt};
use sash_stores::{Kernel, WhatIfDifference};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::stores::use_kernel;
use sash_words::{
    count::{self, grouped},
    t,
};

/// How many messages that only one of the answers read are quoted.
const MAX_QUOTED: usize = 3;

/// Both answers, before the person keeps one.
#[component]
pub fn Windows(
    /// The answer on the branch.
    first: Id,
    /// The answer with the other window.
    second: Id,
    /// What besides the window is different.
    differences: Vec<WhatIfDifference>,
) -> impl IntoView {
    let (kernel, compare) = (use_kernel(), Compare::expect());
    let prompt = FocusRefs::expect().prompt;
    let keep_second = move || {
        kernel.chats().walk_to(second);
        compare.close();
        // The element that opened the dialog went with its branch.
        page::focus_soon(prompt);
    };

    view! {
        <Differences all=differences />
        <div class="sides">
            <WindowAnswer
                title=t!(compare.former_answer)
                id=first
                other=second
                on_keep=move || compare.close()
            />
            <WindowAnswer
                title=t!(compare.other_answer)
                id=second
                other=first
                on_keep=keep_second
            />
        </div>
    }
}

/// One of two answers: its model, the messages it read, its text, and how it ended.
#[component]
fn WindowAnswer(
    /// Its title.
    title: &'static str,
    /// The answer.
    id: Id,
    /// The other answer.
    other: Id,
    /// Called when the person keeps this one.
    on_keep: impl Fn() + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let kernel = use_kernel();
    let answers = kernel.answers();
    let message = kernel.chats().message(id)?;
    let live = answers.live(&message);
    let running = live.running();
    let can_keep = Memo::new(move |_| answers.can_go_on_with(id));
    let sent = Memo::new(move |_| live.receipt.get().map(|receipt| receipt.sent));
    let other = answers.asked(other).and_then(|(_, receipt)| receipt);
    let other = StoredValue::new(other.unwrap_or_default().sent);
    let stop = move |_| answers.stop(kernel.chats().open_id_untracked());
    let buttons = move || {
        view! {
            <Show when=move || running.get()>
                <button type="button" on:click=stop>
                    {t!(common.stop)}
                </button>
            </Show>
            <Show when=move || can_keep.get()>
                <button type="button" on:click=move |_| on_keep()>
                    {t!(compare.keep_this)}
                </button>
            </Show>
        }
    };

    Some(view! {
        <Column title note=message.model.unwrap_or_default() buttons>
            <div class="reading">
                {move || sent.get().map(|sent| other.with_value(|other| read_words(kernel, &sent, other)))}
            </div>
            <AnswerText id />
        </Column>
    })
}

/// How many messages an answer was sent, and which of them the other answer was not sent and the other way round.
fn read_words(kernel: Kernel, sent: &[Id], other: &[Id]) -> impl IntoView + use<> {
    let open = kernel.chats().open;
    let (count, only_here, without) = open.with_untracked(|chat| {
        let missing = |ids: &[Id], others: &[Id]| {
            let missing = ids.iter().filter(|id| !chat.tree.is_among(**id, others));
            missing.copied().collect::<Vec<_>>()
        };
        (
            chat.tree.count_messages(sent),
            missing(sent, other),
            missing(other, sent),
        )
    });
    let read = match count.saturating_sub(1) {
        0 => t!(compare.read_question_alone).to_owned(),
        n => t!(compare.read_with_question, messages = count::messages(n)),
    };

    view! {
        <div>
            <strong>{t!(compare.read, read = &read)}</strong>
            {quoted(kernel, t!(compare.only_here), &only_here)}
            {quoted(kernel, t!(compare.without), &without)}
        </div>
    }
}

/// The first words of some messages after a title, if there are any messages.
fn quoted(kernel: Kernel, title: &'static str, ids: &[Id]) -> Option<impl IntoView + use<>> {
    let quotes = ids.iter().take(MAX_QUOTED).map(|id| {
        let message = kernel.chats().message(*id);
        let words = message.map(|message| excerpt(&message, &[]));
        // The message may read from the other side than the title does.
        view! {
            " “"
            <bdi>{words}</bdi>
            "”"
        }
    });
    let quotes = quotes.collect_view();
    let more = ids.len().saturating_sub(MAX_QUOTED) as u64;
    let more = (more > 0).then(|| t!(compare.quotes_left, number = grouped(more)));
    (!ids.is_empty()).then(|| view! { <p dir="auto">{title} {quotes} {more}</p> })
}

/// A sentence for each difference. Empty if the window is the only one.
#[component]
pub fn Differences(
    /// The differences.
    all: Vec<WhatIfDifference>,
) -> impl IntoView {
    (!all.is_empty()).then(|| {
        let lines = all.into_iter().map(|one| view! { <li>{words(one)}</li> });
        view! {
            <div class="note" role="note">
                <p>{t!(compare.other_differences)}</p>
                <ul>{lines.collect_view()}</ul>
            </div>
        }
    })
}

fn words(difference: WhatIfDifference) -> String {
    match difference {
        WhatIfDifference::NotRecorded => t!(compare.differs_not_recorded).to_owned(),
        WhatIfDifference::ModelGone { former, now } => {
            t!(compare.differs_model_gone, former = &former, now = &now)
        }
        WhatIfDifference::ModelChanged(name) => {
            t!(compare.differs_model_changed, name = &name)
        }
        WhatIfDifference::ThinkGone => t!(compare.differs_think_gone).to_owned(),
        WhatIfDifference::ToolsGone(names) => {
            t!(compare.differs_tools_gone, list = names.join(", "))
        }
        WhatIfDifference::SystemGone => t!(compare.differs_system_gone).to_owned(),
        WhatIfDifference::SummaryGone => t!(compare.differs_summary_gone).to_owned(),
    }
}
