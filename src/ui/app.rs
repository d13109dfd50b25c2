//! The page: its rooms side by side.

use super::compare::WhatIfDialog;
use super::composer::Composer;
use super::dom::{El, button, el, live};
use super::header::Header;
use super::library::LibraryDialog;
use super::ollama::{OllamaPanel, TokenForm};
use super::panel::{Panel, SystemDialog};
use super::parts::{Announcer, Banner, Toaster};
use super::session::Session;
use super::sidebar::{KeysDialog, Sidebar};
use super::transcript::Transcript;
use crate::browser::page;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// Starts the session and puts the page into the document.
pub fn put_into_body() {
    let session = Session::start();
    provide_context(session);
    live(move || {
        let title = session.open.with(sash_chat::Chat::title);
        page::set_title(&format!("{title} · Sash"));
    });
    page::on_undo(move || session.undo());
    let page = el("div")
        .when(
            // Not to one that is empty: a panel may stand in its place.
            move || !session.ollama.needs_token.get() && !session.path.with(Vec::is_empty),
            || skip_link("#conversation", "Skip to the conversation"),
        )
        .child(skip_link("#prompt", "Skip to the composer"))
        .child(rooms(session))
        .view(view! { <WhatIfDialog /> })
        .view(view! { <SystemDialog /> })
        .view(view! { <KeysDialog /> })
        .view(view! { <LibraryDialog /> })
        .view(view! { <Announcer /> });
    if let Some(body) = document().body() {
        // A body takes any element.
        let _ = body.append_child(&page.element());
    }
}

/// The shared state, wherever a component stands.
pub fn use_session() -> Session {
    expect_context::<Session>()
}

/// The same, for the rooms that are not components yet.
pub fn session() -> Session {
    use_session()
}

fn skip_link(target: &str, name: &str) -> El {
    el("a").class("skip-link").attr("href", target).text(name)
}

fn rooms(session: Session) -> El {
    let stop = move |event: KeyboardEvent| {
        // Escape closes a dialog, and drops what an input method proposes.
        let elsewhere = session.ollama.pull_asked.get_untracked() || event.is_composing();
        if event.key() == "Escape" && !event.default_prevented() && !elsewhere {
            session.stop(untrack(|| session.open_id()));
        }
    };
    let veil = button("sidebar-veil")
        .attr("tabindex", "-1")
        .attr("aria-label", "Close the list of chats")
        .click(move || session.chats_shown.set(false));
    let main = el("main")
        .class("room")
        .view(view! { <Header /> })
        .view(view! { <Banner /> })
        .view(view! {
            <Show
                when=move || session.ollama.needs_token.get()
                fallback=|| view! { <Transcript /> }
            >
                <TokenForm />
            </Show>
        })
        .view(view! { <OllamaPanel /> })
        .view(view! { <Toaster /> })
        .view(view! { <Composer /> });
    el("div")
        .class("page")
        .live_attr("data-chats", move || {
            if session.chats_shown.get() {
                "shown"
            } else {
                "hidden"
            }
            .to_owned()
        })
        .opt_attr("data-panel", move || {
            session.panel_shown.get().then(|| "shown".to_owned())
        })
        .on("keydown", stop)
        .view(view! { <Sidebar /> })
        .child(veil)
        .child(main)
        .view(view! {
            <Show when=move || session.panel_shown.get()>
                <Panel />
            </Show>
        })
}
