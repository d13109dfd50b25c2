//! Says below the field that the open chat is a temporary one.

use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_words::t;

/// Says that nothing of the open chat is stored, and stores it. Empty for other chats.
#[component]
pub fn TemporaryLine() -> impl IntoView {
    let kernel = use_kernel();
    let chats = kernel.chats();
    let is_temporary = Memo::new(move |_| chats.is_temporary(chats.open_id()));
    // Focus stays where it is when such a chat begins. The line itself is no live region: its button comes with the first
    // message, and the line would be read out again.
    Effect::new(move || {
        if is_temporary.get() {
            kernel.notices().announce(t!(composer.temporary_hint));
        }
    });
    let has_messages = Memo::new(move |_| chats.path.with(|path| !path.is_empty()));

    view! {
        <Show when=move || is_temporary.get()>
            <p class="temporary-line">
                {t!(composer.temporary_hint)}
                <Show when=move || has_messages.get()>
                    " "
                    <button
                        type="button"
                        class="link"
                        on:click=move |_| chats.keep_temporary(chats.open_id_untracked())
                    >
                        {t!(common.keep_this_chat)}
                    </button>
                </Show>
            </p>
        </Show>
    }
}
