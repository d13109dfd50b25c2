//! Deleted chats: kept until the person empties the list.

use crate::ui::app::session;
use leptos::prelude::*;

/// The list of deleted chats, folded.
#[component]
pub fn DeletedChats() -> impl IntoView {
    let session = session();
    let none = move || session.deleted.with(Vec::is_empty);
    let count = move || session.deleted.with(Vec::len);
    view! {
        <Show when=move || !none()>
            <details class="deleted">
                <summary>"Deleted chats " <span class="count">{count}</span></summary>
                <ul>
                    <For each=move || session.deleted.get() key=|s| (s.id, s.title.clone()) let:summary>
                        <li>
                            <span class="chat-title">{summary.title.clone()}</span>
                            <button
                                class="link"
                                aria-label=format!("Restore {}", summary.title)
                                on:click=move |_| session.restore_chat(summary.id)
                            >
                                "Restore"
                            </button>
                        </li>
                    </For>
                </ul>
                <EmptyButton/>
            </details>
        </Show>
    }
}

/// Asks once more before anything is gone for good.
#[component]
fn EmptyButton() -> impl IntoView {
    let session = session();
    let sure = RwSignal::new(false);
    view! {
        <Show
            when=move || sure.get()
            fallback=move || view! { <button class="link" on:click=move |_| sure.set(true)>"Remove for good…"</button> }
        >
            <p class="sure">
                "This cannot be undone. "
                <button class="link" on:click=move |_| sure.set(false)>"Keep them"</button>
                " "
                <button class="link danger" on:click=move |_| session.empty_deleted()>"Remove for good"</button>
            </p>
        </Show>
    }
}
