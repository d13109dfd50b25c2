//! What is not as it should be, in one line.

use crate::ui::app::session;
use crate::ui::session::Unsaved;
use crate::wire::Upstream;
use leptos::prelude::*;

/// Nothing is saved; the demo answers; Sash itself does not.
#[component]
pub fn Banner() -> impl IntoView {
    let session = session();
    let unsaved = move || {
        session.unsaved.get().map(|why| match why {
            Unsaved::Refused => "Nothing is being saved: this browser refuses storage to the page. The chats live until it is closed.",
            Unsaved::Full => "Not everything is being saved: the browser's storage for this page is full. Delete chats you no longer need, and empty the deleted ones.",
            Unsaved::Newer => "Nothing is being saved: a newer version of Sash wrote the chats here. Reload the page to get it.",
            Unsaved::Foreign => "Nothing is being saved: another program keeps its data under this address.",
        })
    };
    let demo = move || session.ollama.is_demo();
    let may_leave = move || session.settings.with(|s| s.upstream == Upstream::Demo);
    view! {
        {move || unsaved().map(|text| view! { <p class="banner banner-warning">{text}</p> })}
        <Show when=move || session.ollama.server_gone.get()>
            <p class="banner banner-warning">
                "Sash itself does not answer. Is it still running? The chats are here; the page looks again by itself."
            </p>
        </Show>
        <Show when=demo>
            <p class="banner">
                <span>"This is the demo: no language model, it tells what it was given."</span>
                <Show when=may_leave>
                    <button class="link" on:click=move |_| session.use_upstream(Upstream::Ollama)>
                        "Back to Ollama"
                    </button>
                </Show>
            </p>
        </Show>
    }
}
