//! A toast.

use super::{IconButton, IconName};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::Undo;
use std::time::Duration;

/// How long a toast stays when nobody points at it and focus is elsewhere.
const SHOWN_FOR: Duration = Duration::from_secs(10);

/// What happened, and a button that undoes it.
#[component]
pub fn Toast(
    /// What is said, and what can be undone.
    toast: sash_state::Toast,
) -> impl IntoView {
    let stores = use_stores();
    let pointed = RwSignal::new(false);
    let focused = RwSignal::new(false);
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let stop = move || {
        if let Some(timer) = timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    };
    Effect::new(move || {
        let used = [pointed.get(), focused.get()].contains(&true);
        stop();
        if !used {
            let hide = move || stores.notices.toast.set(None);
            timer.set_value(set_timeout_with_handle(hide, SHOWN_FOR).ok());
        }
    });
    on_cleanup(stop);
    let undo = move |undo| {
        // Focus goes with the toast: it belongs on what came back.
        let had_focus = focused.get_untracked();
        stores.steering.undo_offer(undo);
        if let Undo::Removed(_, id) = undo
            && had_focus
        {
            stores.view.reveal(id);
        }
    };
    // Focus leaves what is removed, too: by then the signal may be gone.
    let set_focused = move |now| _ = focused.try_set(now);

    view! {
        // A press must not take focus from a field: what the field does when it is left could replace this toast
        // before the click arrives.
        <div
            class="toast"
            on:mousedown=|event| event.prevent_default()
            on:pointerenter=move |_| pointed.set(true)
            on:pointerleave=move |_| pointed.set(false)
            on:focusin=move |_| set_focused(true)
            on:focusout=move |_| set_focused(false)
        >
            <span>{toast.text}</span>
            {toast
                .undo
                .map(|step| {
                    view! {
                        <button type="button" on:click=move |_| undo(step)>
                            "Undo"
                        </button>
                    }
                })}
            <IconButton
                label="Close"
                icon=IconName::Close
                on:click=move |_| stores.notices.toast.set(None)
            />
        </div>
    }
}
