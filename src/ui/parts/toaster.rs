//! Toasts, above the composer.

use crate::ui::stores::use_stores;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use sash_browser_kit::keys::has_keyboard;
use sash_state::{Command, Undo};
use sash_ui_kit::{IconButton, IconName};
use sash_words::t;

/// The live region of the toast, and above it those that are the last way back to something. A toast disappears after a while, unless it is in use, and at once when its
/// message is outdated. Ctrl+Z and the trash undo the same.
#[component]
pub fn Toaster() -> impl IntoView {
    let stores = use_stores();
    let toast = stores.notices.toast;
    // An effect: a toast that is outdated does not come back.
    Effect::new(move || {
        let undo = toast.with(|toast| toast.as_ref().and_then(|toast| toast.undo));
        if undo.is_some_and(|undo| !stores.steering.is_done(undo)) {
            toast.set(None);
        }
    });

    view! {
        <div class="toast-place" aria-live="polite">
            <For each=move || stores.notices.offers.get() key=Clone::clone let:toast>
                <Toast toast />
            </For>
        </div>
        <div class="toast-place" aria-live="polite" aria-atomic="true">
            // Another toast is another element, so that hovering is tracked anew.
            <For each=move || toast.get() key=Clone::clone let:toast>
                <Toast toast />
            </For>
        </div>
    }
}

/// How long a toast stays when nobody points at it and focus is elsewhere, in milliseconds.
const SHOWN_MS: u32 = 10_000;

/// What was done, and a button that undoes it.
#[component]
fn Toast(
    /// The message, and what can be undone.
    toast: sash_state::Toast,
) -> impl IntoView {
    let stores = use_stores();
    let pointed = RwSignal::new(false);
    let focused = RwSignal::new(false);
    // Not Leptos' timer: its handle is an `i32`, and the timer of a page whose clock is a test's has a larger one.
    let is_offer = toast.undo.is_some_and(Undo::is_last_way_back);
    Effect::new(move |_| {
        // What is the last way back stays as long as there is something to come back to.
        let used = is_offer || pointed.get() || focused.get();
        (!used).then(|| Timeout::new(SHOWN_MS, move || stores.notices.toast.set(None)))
    });
    let undo = move |undo| {
        // Focus would be lost with the toast: move it to what was restored.
        let had_focus = focused.get_untracked();
        stores.steering.undo_offer(undo);
        if let Undo::Removed(_, id) = undo
            && had_focus
        {
            stores.view.reveal(id);
        }
    };
    // The region is read out as text, in which the button is one word among others. What a temporary chat offers has no
    // key.
    let by_key = match toast.undo {
        None | Some(Undo::Left(_)) => None,
        Some(_) if !has_keyboard() => Some(t!(parts.can_be_undone).to_owned()),
        Some(_) => {
            let keys = untrack(|| stores.commands.keys(Command::Undo));
            Some(t!(parts.can_be_undone_with, keys = &keys))
        }
    };
    let by_key = by_key.map(|words| {
        view! {
            <span class="visually-hidden">" "{words}</span>
        }
    });
    let close = move || match toast.undo {
        Some(Undo::Left(chat)) => stores.chats.forget_temporary(chat),
        _ => stores.notices.toast.set(None),
    };
    // A removed element loses focus too; the signal may be disposed by then.
    let set_focused = move |now| _ = focused.try_set(now);

    view! {
        // A press must not take focus from a field: the field's change on blur could replace this toast
        // before the click arrives.
        <div
            class="toast"
            on:mousedown=|event| event.prevent_default()
            on:pointerenter=move |_| pointed.set(true)
            on:pointerleave=move |_| pointed.set(false)
            on:focusin=move |_| set_focused(true)
            on:focusout=move |_| set_focused(false)
        >
            <span>{toast.text} {by_key}</span>
            {toast
                .undo
                .map(|step| {
                    view! {
                        <button type="button" on:click=move |_| undo(step)>
                            {match step {
                                Undo::Left(_) => t!(parts.keep_it),
                                _ => t!(parts.undo),
                            }}
                        </button>
                    }
                })}
            <IconButton
                label=t!(common.close)
                icon=IconName::Close
                on:click=move |_| close()
            />
        </div>
    }
}
