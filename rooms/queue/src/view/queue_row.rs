//! A prompt of the queue.

use crate::Queue;
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Id, split_files};
use sash_records::queue::QueuedPrompt;
use sash_ui_kit::{IconButton, IconName};
use sash_view::browser::focus_refs::FocusRefs;
use sash_words::{count, t};

/// How much of a prompt is in its row, in characters. The style cuts it to a line.
const SHOWN_CHARS: usize = 200;
/// How much of it is in the names of its buttons.
const NAMED_CHARS: usize = 40;

/// A prompt, and what can be done with it.
#[component]
pub fn QueueRow(
    /// The prompt.
    prompt: QueuedPrompt,
    /// Whether an answer or a tool runs in the open chat.
    answering: Memo<bool>,
    /// Shows what goes with it.
    goes_with: fn(Id) -> AnyView,
) -> impl IntoView {
    let queue = Queue::expect();
    let field = FocusRefs::expect().prompt;
    let id = prompt.id;
    let (files, written) = split_files(&prompt.text);
    let words: String = written.trim().chars().take(SHOWN_CHARS).collect();
    let short: String = words.chars().take(NAMED_CHARS).collect();
    let attached = [
        (files.len(), count::files as fn(usize) -> String),
        (prompt.images.len(), count::images),
    ];
    let attached = attached.into_iter().filter(|(n, _)| *n > 0);
    let attached: Vec<String> = attached.map(|(n, words)| words(n)).collect();
    let attached = attached.join(", ");
    let named = StoredValue::new(match short.is_empty() {
        true => t!(queue.only_attachments).to_owned(),
        false => short,
    });
    let place = Memo::new(move |_| {
        queue.prompts.with(|all| {
            let at = all.iter().position(|prompt| prompt.id == id);
            (at.unwrap_or_default(), all.len())
        })
    });
    let is_first = move || place.get().0 == 0;
    let is_last = move || place.get().0 + 1 == place.get().1;
    let (up, down) = (
        NodeRef::<html::Button>::new(),
        NodeRef::<html::Button>::new(),
    );
    let shift = move |is_up: bool| {
        queue.shift(id, is_up);
        // A row that moves loses focus, and the button at the end of the list is disabled.
        request_animation_frame(move || {
            let is_up = is_up && !untrack(is_first) || !is_up && untrack(is_last);
            page::focus(if is_up { up } else { down });
        });
    };
    let edit = move |_| {
        if queue.edit(id) {
            page::focus(field);
        }
    };
    let send = move |_| {
        queue.send_now(id);
        page::focus(field);
    };
    let remove = move |_| {
        queue.remove(id);
        page::focus(field);
    };
    let send_words = move || match answering.get() {
        true => t!(queue.stop_and_send),
        false => t!(queue.send_now),
    };

    view! {
        <li>
            <span class="queue-words" dir="auto">
                {words}
                {(!attached.is_empty())
                    .then(|| {
                        view! {
                            <small>
                                " " {t!(queue.attached, attached = &attached)}
                            </small>
                        }
                    })}
            </span>
            <span class="queue-buttons">
                <button
                    type="button"
                    aria-label=move || named.with_value(|of| format!("{}: {of}", send_words()))
                    on:click=send
                >
                    {send_words}
                </button>
                <IconButton
                    label=named.with_value(|of| t!(queue.edit_queued, prompt = of))
                    title=t!(queue.edit_in_field).to_owned()
                    icon=IconName::Pencil
                    on:click=edit
                />
                <IconButton
                    label=named.with_value(|of| t!(queue.move_up, prompt = of))
                    title=t!(queue.earlier).to_owned()
                    icon=IconName::Up
                    button_ref=up
                    prop:disabled=is_first
                    on:click=move |_| shift(true)
                />
                <IconButton
                    label=named.with_value(|of| t!(queue.move_down, prompt = of))
                    title=t!(queue.later).to_owned()
                    icon=IconName::Down
                    button_ref=down
                    prop:disabled=is_last
                    on:click=move |_| shift(false)
                />
                <IconButton
                    label=named.with_value(|of| t!(queue.take_out, prompt = of))
                    title=t!(queue.remove_from_queue).to_owned()
                    icon=IconName::Close
                    on:click=remove
                />
            </span>
            {goes_with(id)}
        </li>
    }
}
