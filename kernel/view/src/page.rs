//! The page: the list of chats, the main column, and the panel beside it.

use super::address::follow_address;
use super::composer::Composer;
use super::header::Header;
use super::panel::Panel;
use super::parts::{Announcer, Toaster};
use super::places::use_places;
use super::stores::use_kernel;
use super::token_form::TokenForm;
use super::transcript::Transcript;
use leptos::prelude::*;
use leptos_router::components::{ParentRoute, Route, Router, Routes};
use leptos_router::path;
use sash_browser_kit::page;
use sash_wire::SubPath;
use sash_words::t;
use web_sys::KeyboardEvent;

/// The page, with what the root put into its places.
#[component]
pub fn Page(
    /// The pages over the chat.
    pages: &'static [SubPath],
) -> impl IntoView {
    let kernel = use_kernel();
    let places = use_places();
    page::follow_visual_viewport();
    // No skip link to an empty conversation: a panel may be shown in its place.
    let has_conversation =
        move || !kernel.engine().needs_token.get() && !kernel.chats().path.with(Vec::is_empty);

    view! {
        <div>
            <Show when=has_conversation>
                <a class="skip-link" href="#conversation" rel="external">
                    {t!(page.skip_to_conversation)}
                </a>
            </Show>
            <a class="skip-link" href="#prompt" rel="external">
                {t!(page.skip_to_composer)}
            </a>
            <Router>
                <Columns pages />
            </Router>
            {places.dialogs.view()}
            <Announcer />
        </div>
    }
}

/// The list of chats, the main column, and the panel beside it.
#[component]
fn Columns(
    /// The pages over the chat.
    pages: &'static [SubPath],
) -> impl IntoView {
    let kernel = use_kernel();
    follow_address(kernel, pages);
    let data_chats = move || match kernel.view().chats_shown.get() {
        true => "shown",
        false => "hidden",
    };
    let stop = move |event: KeyboardEvent| {
        // Escape also closes dialogs.
        if event.key() == "Escape" && !event.default_prevented() && !page::has_dialog() {
            kernel.answers().stop(untrack(|| kernel.chats().open_id()));
        }
    };

    view! {
        <div
            class="page"
            data-chats=data_chats
            data-panel=move || kernel.view().panel_shown.get().then_some("shown")
            on:keydown=stop
        >
            {use_places().aside.view()}
            <button
                type="button"
                class="sidebar-veil"
                tabindex="-1"
                aria-label=t!(page.close_chat_list)
                on:click=move |_| kernel.view().chats_shown.set(false)
            ></button>
            <main class="room">
                <Routes fallback=|| ()>
                    <ParentRoute path=path!("") view=ChatRoom>
                        <Route path=path!("*address") view=|| () />
                    </ParentRoute>
                </Routes>
            </main>
            <Show when=move || kernel.view().panel_shown.get()>
                <Panel />
            </Show>
        </div>
    }
}

/// The open chat: its title, its messages and the composer. It stays while another chat is opened.
#[component]
fn ChatRoom() -> impl IntoView {
    let kernel = use_kernel();

    view! {
        <Header />
        <div>{use_places().banners.view()}</div>
        <Show when=move || kernel.engine().needs_token.get() fallback=|| view! { <Transcript /> }>
            <TokenForm />
        </Show>
        {use_places().engine_help.view()}
        <Toaster />
        <Composer />
    }
}
