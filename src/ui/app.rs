//! The page: its rooms side by side.

use super::composer::Composer;
use super::header::Header;
use super::ollama::{OllamaPanel, TokenForm};
use super::parts::{Announcer, Banner, ToastLine};
use super::session::Session;
use super::sidebar::Sidebar;
use super::transcript::Transcript;
use crate::browser::page;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// The page.
#[component]
pub fn App() -> impl IntoView {
    let session = Session::start();
    provide_context(session);
    Effect::new(move || {
        let title = session.open.with(crate::chat::Chat::title);
        page::set_title(&format!("{title} · Sash"));
    });
    let stop = move |event: KeyboardEvent| {
        let id = session.open.with_untracked(|chat| chat.head.id);
        if event.key() == "Escape" && !event.default_prevented() {
            session.stop(id);
        }
    };
    view! {
        <Show when=move || !session.ollama.needs_token.get()>
            <a class="skip-link" href="#conversation">"Skip to the conversation"</a>
        </Show>
        <a class="skip-link" href="#prompt">"Skip to the composer"</a>
        <div class="page" data-chats=move || if session.chats_shown.get() { "shown" } else { "hidden" } on:keydown=stop>
            <Sidebar/>
            <main class="room">
                <Header/>
                <Banner/>
                <Show
                    when=move || session.ollama.needs_token.get()
                    fallback=move || view! { <Transcript/> }.into_any()
                >
                    <TokenForm/>
                </Show>
                <OllamaPanel/>
                <Composer/>
            </main>
        </div>
        <ToastLine/>
        <Announcer/>
    }
}

/// The shared state, wherever a component stands.
pub fn session() -> Session {
    expect_context::<Session>()
}
