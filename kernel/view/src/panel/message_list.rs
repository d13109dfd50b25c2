//! The messages of the next request in the order they are sent.

use super::request_message::{RequestMessage, request_messages};
use super::role_words;
use crate::files::ImageThumbnail;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_chat::window::{Size, join};
use sash_chat::{Image, RecalledBlock, Role};
use sash_markdown_view::FoldedText;
use sash_stores::Kernel;
use sash_words::{count, t};
use std::sync::Arc;

/// How many messages before the draft's are shown initially: the window may contain thousands of messages.
const FIRST_MESSAGES: usize = 100;

/// How many more messages each press of the button shows.
const MORE_MESSAGES: usize = 500;

/// The list. Typing changes only the last message; the others are rebuilt when the window changes.
#[component]
pub fn MessageList() -> impl IntoView {
    let kernel = use_kernel();
    let messages = Memo::new(move |_| request_messages(kernel));
    let last = Memo::new(move |_| messages.with(|messages| messages.last().cloned()));
    let most = RwSignal::new(FIRST_MESSAGES);
    let hidden = Memo::new(move |_| messages.with(Vec::len).saturating_sub(most.get() + 1));
    let before = move || {
        let hidden = hidden.get();
        messages.with(|messages| {
            let before = messages.split_last();
            let shown = before.and_then(|(_, before)| before.get(hidden..));
            shown.unwrap_or_default().to_vec()
        })
    };

    view! {
        <div class="turn-place">
            <Show when=move || { hidden.get() > 0 }>
                <p class="turn-empty">
                    {move || t!(panel.before_these, messages = count::messages(hidden.get()))}
                    <button
                        type="button"
                        class="link"
                        on:click=move |_| most.update(|most| *most += MORE_MESSAGES)
                    >
                        {move || t!(panel.show_more, number = hidden.get().min(MORE_MESSAGES))}
                    </button>
                </p>
            </Show>
            <ol class="turns" aria-label=t!(panel.message_order)>
                <For each=before key=Arc::clone let:message>
                    <MessageItem message />
                </For>
                <ShowLet some=last let:message>
                    <DraftItem message />
                </ShowLet>
            </ol>
        </div>
    }
}

/// A message of the next request: its text, its images and its tool calls.
#[component]
fn MessageItem(
    /// The message.
    message: Arc<RequestMessage>,
) -> impl IntoView {
    let kernel = use_kernel();
    let size = message.size;
    let tokens = Signal::derive(move || kernel.steering().estimate.get().part(size));
    let text = message.text.clone();
    let calls = message.calls.clone();
    let images = Signal::stored(message.images.clone());

    view! {
        <MessageFrame role=message.role title=message.title notes=message.notes.clone() tokens>
            <FoldedText text rendered=message.is_markdown />
            <TurnImages images />
            {calls.map(|calls| view! { <FoldedText text=calls /> })}
        </MessageFrame>
    }
}

/// The last message: an unanswered question, if there is one, and the draft.
#[component]
fn DraftItem(
    /// The message without the draft.
    message: Arc<RequestMessage>,
) -> impl IntoView {
    let kernel = use_kernel();
    let mut message = Arc::unwrap_or_clone(message);
    message.note(match message.notes.is_empty() {
        true => t!(panel.your_prompt),
        false => t!(panel.joined_with_prompt),
    });
    let RequestMessage {
        role,
        text: before,
        images: images_before,
        notes,
        size,
        ..
    } = message;
    let tokens = Signal::derive(move || {
        let size = (size + Size::of_part(&prompt(kernel))).as_one_message();
        kernel.steering().estimate.get().part(size)
    });
    let text = Signal::derive(move || join(before.clone(), &prompt(kernel)));
    let images = Signal::derive(move || {
        let mut images = images_before.clone();
        images.extend(kernel.drafts().images.get());
        images
    });
    let is_blank = move || kernel.drafts().draft.with(|draft| draft.trim().is_empty());

    view! {
        <MessageFrame role notes tokens draft=true>
            <FoldedText text />
            <TurnImages images />
            <Show when=is_blank>
                <p class="turn-empty">{t!(panel.nothing_written)}</p>
            </Show>
        </MessageFrame>
    }
}

/// The draft as it is sent: with what is recalled for it.
fn prompt(kernel: Kernel) -> String {
    let window = kernel.steering().window;
    let quoted = |draft: &String| {
        window.with(|window| RecalledBlock::before(window.quotes.as_ref(), draft).into_owned())
    };
    kernel.drafts().draft.with(quoted)
}

/// The frame of a message: its role, why it is sent, and its estimated number of tokens.
#[component]
fn MessageFrame(
    /// The role.
    role: Role,
    /// Why the message is sent, and other notes.
    notes: Vec<String>,
    /// The estimated number of tokens.
    tokens: Signal<u64>,
    /// What it is, where that is not its role.
    #[prop(default = None)]
    title: Option<&'static str>,
    /// Whether it contains the draft.
    #[prop(optional)]
    draft: bool,
    /// Its text.
    children: Children,
) -> impl IntoView {
    let chips = notes.into_iter().map(|note| {
        let is_warning = note == t!(panel.question_not_sent);
        view! {
            <span class="chip" class:chip-warning=is_warning>
                {note}
            </span>
        }
    });
    let tokens = move || {
        let tokens = usize::try_from(tokens.get()).unwrap_or(usize::MAX);
        t!(common.about_tokens, tokens = count::tokens(tokens))
    };

    view! {
        <li class="turn" class:turn-draft=draft data-role=role.as_str()>
            <p class="turn-head">
                <strong>{title.unwrap_or_else(|| role_words(role))}</strong>
                {chips.collect_view()}
                <span class="turn-tokens">{tokens}</span>
            </p>
            {children()}
        </li>
    }
}

/// The images in small, and below each that is not sent the reason.
#[component]
fn TurnImages(
    /// The images.
    #[prop(into)]
    images: Signal<Vec<Image>>,
) -> impl IntoView {
    let attachments = use_kernel().attachments();
    let why_not = move |image: &Image| {
        let hash = image.hash;
        move || match attachments.is_kept(hash) {
            _ if !attachments.sees.get() => Some(t!(panel.images_unseen)),
            Some(false) => Some(t!(panel.images_missing)),
            _ => None,
        }
    };

    view! {
        <Show when=move || images.with(|images| !images.is_empty())>
            <div class="turn-images" role="group" aria-label=t!(common.images)>
                <For each=move || images.get() key=|image| image.hash let:image>
                    <div>
                        <span>{why_not(&image)}</span>
                        <ImageThumbnail image />
                    </div>
                </For>
            </div>
        </Show>
    }
}
