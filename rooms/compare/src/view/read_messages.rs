//! The messages that an answer read.

use leptos::prelude::*;
use sash_chat::{Id, excerpt};
use sash_stores::Kernel;
use sash_view::stores::use_kernel;
use sash_words::{
    count::{self, grouped},
    t,
};

/// How many messages that only one of the answers read are quoted.
const MAX_QUOTED: usize = 3;

/// The messages that an answer read, and those of them that the other answer did not read.
#[component]
pub fn ReadMessages(
    /// The messages that it was sent, its question included.
    sent: Vec<Id>,
    /// The messages that the other answer was sent.
    other_sent: Vec<Id>,
) -> impl IntoView {
    let kernel = use_kernel();
    let count = kernel
        .chats()
        .open
        .with_untracked(|chat| chat.count_messages(&sent));
    let read = match count.saturating_sub(1) {
        0 => t!(compare.the_question_alone).to_owned(),
        n => t!(compare.and_the_question, messages = count::messages(n)),
    };
    let only_here = named(
        kernel,
        t!(compare.only_here),
        &missing(kernel, &sent, &other_sent),
    );
    let without = named(
        kernel,
        t!(compare.without),
        &missing(kernel, &other_sent, &sent),
    );

    view! {
        <div>
            <strong>{t!(compare.read, read = &read)}</strong>
            {only_here}
            {without}
        </div>
    }
}

/// The first words of some messages after a title, if there are any messages.
fn named(kernel: Kernel, title: &'static str, ids: &[Id]) -> Option<AnyView> {
    if ids.is_empty() {
        return None;
    }
    let quoted = ids.iter().take(MAX_QUOTED).map(|id| {
        let message = kernel.chats().message(*id);
        let words = message.map(|message| excerpt(&message, &[]));
        // The message may read from the other side than the title does.
        view! {
            " “"
            <bdi>{words}</bdi>
            "”"
        }
    });
    let quoted = quoted.collect_view();
    let more = (ids.len() > MAX_QUOTED).then(|| {
        t!(
            compare.and_more,
            number = grouped((ids.len() - MAX_QUOTED) as u64)
        )
    });
    let line = view! {
        <p dir="auto">{title} {quoted} {more}</p>
    };
    Some(line.into_any())
}

/// The ids that are not among `others`.
fn missing(kernel: Kernel, ids: &[Id], others: &[Id]) -> Vec<Id> {
    let mut missing = ids.to_vec();
    kernel
        .chats()
        .open
        .with_untracked(|chat| missing.retain(|id| !chat.is_among(*id, others)));
    missing
}
