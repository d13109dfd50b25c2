//! The line at the foot with something to undo. It stays until it is closed or replaced: no time
//! limits on people.

use super::{Icon, icon};
use crate::ui::app::session;
use leptos::prelude::*;

/// The line.
#[component]
pub fn ToastLine() -> impl IntoView {
    let session = session();
    view! {
        <div class="toast-place" role="status">
            {move || {
                session.toast.get().map(|toast| {
                    let undo = toast.undo.map(|id| {
                        view! { <button on:click=move |_| session.restore_chat(id)>"Undo"</button> }
                    });
                    view! {
                        <div class="toast">
                            <span>{toast.text}</span>
                            {undo}
                            <button class="icon-button" aria-label="Close" on:click=move |_| session.toast.set(None)>
                                {icon(Icon::Close)}
                            </button>
                        </div>
                    }
                })
            }}
        </div>
    }
}
