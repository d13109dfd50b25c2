//! Toasts, above the composer.

use crate::stores::use_kernel;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use sash_browser_kit::keys::has_keyboard;
use sash_chat::Id;
use sash_ui_kit::{IconButton, IconName};
use sash_words::t;

/// The live region of the toast, and above it those that are the last way back to something. A toast disappears after a while, unless it is in use, and at once when its
/// message is outdated. Ctrl+Z and the trash undo the same.
#[component]
pub fn Toaster() -> impl IntoView {
    let kernel = use_kernel();
    let toast = kernel.notices().toast;
    // An effect: a toast that is outdated does not come back.
    Effect::new(move || {
        let undo = toast.with(|toast| toast.as_ref().and_then(|toast| toast.undo));
        if undo.is_some_and(|undo| !kernel.history().holds(undo)) {
            toast.set(None);
        }
    });

    view! {
        <div class="toast-place" aria-live="polite">
            <For each=move || kernel.chats().left.get() key=Clone::clone let:chat>
                <KeepToast chat />
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
    toast: sash_stores::Toast,
) -> impl IntoView {
    let kernel = use_kernel();
    let (pointed, focused) = (RwSignal::new(false), RwSignal::new(false));
    // Not Leptos' timer: its handle is an `i32`, and the timer of a page whose clock is a test's has a larger one.
    Effect::new(move |_| {
        let used = pointed.get() || focused.get();
        (!used).then(|| Timeout::new(SHOWN_MS, move || kernel.notices().toast.set(None)))
    });
    // The region is read out as text, in which the button is one word among others.
    let by_key = toast.undo.map(|_| match has_keyboard() {
        false => t!(parts.can_be_undone).to_owned(),
        true => {
            let keys = untrack(|| kernel.commands().keys("undo"));
            t!(parts.can_be_undone_by, keys = &keys)
        }
    });
    let by_key = by_key.map(|words| {
        view! {
            <span class="visually-hidden">" "{words}</span>
        }
    });
    // A removed element loses focus too; the signal may be disposed by then.
    let set_focused = move |now| _ = focused.try_set(now);

    view! {
        <ToastBox
            close=move || kernel.notices().toast.set(None)
            on:pointerenter=move |_| pointed.set(true)
            on:pointerleave=move |_| pointed.set(false)
            on:focusin=move |_| set_focused(true)
            on:focusout=move |_| set_focused(false)
        >
            <span>{toast.text} {by_key}</span>
            {toast
                .undo
                .map(|undo| {
                    // Focus would be lost with the toast: move it to what was restored.
                    let undo = move |_| _ = kernel.history().undo(undo, focused.get_untracked());
                    view! {
                        <button type="button" on:click=undo>
                            {t!(parts.undo)}
                        </button>
                    }
                })}
        </ToastBox>
    }
}

/// The offer to keep a temporary chat that was left: neither Ctrl+Z nor the trash has it, so it stays as long as there is
/// something to come back to.
#[component]
fn KeepToast(
    /// The chat.
    chat: Id,
) -> impl IntoView {
    let chats = use_kernel().chats();

    view! {
        <ToastBox close=move || chats.forget_temporary(chat)>
            <span>{t!(state.temporary_ended)}</span>
            <button type="button" on:click=move |_| chats.keep_temporary(chat)>
                {t!(parts.keep_it)}
            </button>
        </ToastBox>
    }
}

/// The box of a toast, with a button that closes it.
#[component]
fn ToastBox(
    /// Closes it.
    close: impl Fn() + 'static,
    /// The message, and its button.
    children: Children,
) -> impl IntoView {
    view! {
        // A press must not take focus from a field: the field's change on blur could replace this toast
        // before the click arrives.
        <div class="toast" on:mousedown=|event| event.prevent_default()>
            {children()}
            <IconButton label=t!(common.close) icon=IconName::Close on:click=move |_| close() />
        </div>
    }
}
