//! The receipt of an answer: what the model read.

use super::message_state::MessageState;
use crate::panel::role_words;
use crate::receipt_facts::facts_of;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_chat::{Id, Message, Receipt, excerpt};
use sash_markdown_view::FoldedText;
use sash_virtual_list::AutoScroll;
use sash_words::{count, t};

/// The receipt of this row's message, while it is shown. The transcript marks its messages.
#[component]
pub fn ReceiptNote() -> impl IntoView {
    let MessageState {
        receipt,
        receipt_shown,
        ..
    } = MessageState::expect();
    let scroll = expect_context::<AutoScroll>();
    let shown = Memo::new(move |_| receipt_shown.get().then(|| receipt.get()).flatten());
    let opened = move || {
        let receipt = shown.get()?;
        // The receipt of the last answer opens below the visible area.
        scroll.follow();
        Some(view! { <OpenReceipt receipt /> })
    };
    view! { <div>{opened}</div> }
}

/// The messages that went to the model, and the facts of the request.
#[component]
fn OpenReceipt(
    /// The receipt.
    receipt: Receipt,
) -> impl IntoView {
    let kernel = use_kernel();
    let id = MessageState::expect().id;
    let system = kernel.chats().open.with_untracked(|chat| {
        let text = chat.head.system_at(receipt.system)?.to_owned();
        let whose = match receipt.from_folder.as_ref().filter(|from| from.system) {
            Some(from) => t!(transcript.folders_prompt_sent, folder = &from.folder),
            None => t!(transcript.system_prompt_sent).to_owned(),
        };
        // A file that somebody shared may have left it out.
        let text = match text.is_empty() {
            true => t!(transcript.system_prompt_left_out).to_owned(),
            false => text,
        };
        Some(view! { <p>{whose} <FoldedText text /></p> })
    });
    let summary_sent = receipt.summary.map(|number| {
        let text = kernel.chats().open.with_untracked(|chat| {
            let summary = chat.head.summary_numbered(Some(number));
            summary.map(|summary| summary.text.clone())
        });
        let text = text.unwrap_or_else(|| t!(transcript.summary_not_kept).to_owned());
        view! { <p>{t!(transcript.summary_sent)} <FoldedText text /></p> }
    });
    let count = kernel
        .chats()
        .open
        .with_untracked(|chat| chat.tree.count_messages(&receipt.sent));
    let edited = kernel
        .chats()
        .with_message(id, |message| message.edited)
        .flatten();
    let edited = edited.map(|former| {
        view! {
            <p>
                <strong>{t!(transcript.edited_by_you_sentence)}</strong>
                " "
                <FormerAnswer former />
            </p>
        }
    });
    let facts = untrack(|| facts_of(&receipt, count, kernel.engine()));
    let written = kernel.chats().with_message(id, |message| message.created);
    let written = written
        .filter(|at| *at > 0)
        .map(|at| t!(transcript.written, at = clock::date(at)));
    let facts = facts
        .into_iter()
        .chain(written)
        .map(|fact| view! { <li>{fact}</li> });
    let sent = receipt.sent.iter().map(|sent| {
        let note = (receipt.question_before == Some(*sent))
            .then_some(t!(transcript.question_before_needed));
        let recalled = receipt
            .recalled
            .contains(sent)
            .then_some(t!(transcript.with_recalled_messages));
        view! { <li><SentMessage id=*sent />{note}{recalled}</li> }
    });
    view! {
        <div class="receipt" id=format!("receipt-{id}")>
            {edited}
            <p>
                <strong>{summary(&receipt, count)}</strong>
            </p>
            {system}
            {summary_sent}
            <ol aria-label=t!(transcript.messages_it_read)>{sent.collect_view()}</ol>
            <ul>{facts.collect_view()}</ul>
        </div>
    }
}

/// Leads to the answer that the person changed.
#[component]
fn FormerAnswer(
    /// The answer.
    former: Id,
) -> impl IntoView {
    let kernel = use_kernel();
    match kernel.chats().message(former) {
        Some(_) => view! {
            <button type="button" class="link" on:click=move |_| kernel.chats().walk_to(former)>
                {t!(transcript.show_original)}
            </button>
        }
        .into_any(),
        None => view! { <span>{t!(transcript.original_deleted)}</span> }.into_any(),
    }
}

/// How many messages the model read, `sent` with the prompt.
fn summary(receipt: &Receipt, sent: usize) -> String {
    let question = usize::from(receipt.question_before.is_some());
    match sent.saturating_sub(1 + question) {
        0 => t!(transcript.read_prompt_alone).to_owned(),
        n if question > 0 => t!(
            transcript.read_with_question_before,
            messages = count::messages(n)
        ),
        n => t!(transcript.read_with_prompt, messages = count::messages(n)),
    }
}

/// The message in short, with a link to it if it is in the transcript.
#[component]
fn SentMessage(
    /// The message.
    id: Id,
) -> impl IntoView {
    let kernel = use_kernel();
    let Some(message) = kernel.chats().message(id) else {
        let origin = kernel
            .chats()
            .open
            .with_untracked(|chat| chat.head.forked_from);
        let there = origin.and_then(|origin| kernel.chats().read_message(origin, id));
        return match there {
            Some(message) => view! {
                <span>{beginning(&message)} {t!(transcript.in_source_chat)}</span>
            }
            .into_any(),
            None => view! { <span>{t!(transcript.deleted_message)}</span> }.into_any(),
        };
    };
    let words = beginning(&message);
    if kernel
        .chats()
        .path
        .with_untracked(|path| path.contains(&id))
    {
        view! {
            <button type="button" class="link" on:click=move |_| kernel.view().reveal(id)>
                {words}
            </button>
        }
        .into_any()
    } else {
        view! { <span>{words} {t!(transcript.on_another_branch)}</span> }.into_any()
    }
}

/// The author of a message and its beginning, in the direction of that.
fn beginning(message: &Message) -> impl IntoView + use<> {
    let words = excerpt(message, &[]);
    let author = role_words(message.role);
    let images = match message.images.len() {
        0 => None,
        images => Some(format!(" ({})", count::images(images))),
    };
    view! {
        {author}
        ": "
        <bdi>{words}</bdi>
        {images}
    }
}
