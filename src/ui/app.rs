//! The page: all of its parts side by side.

use super::address::follow_address;
use super::all_commands::add_commands;
use super::attachments::FileDialog;
use super::compare::{AskWithDialog, BranchMapDialog, SidesDialog, WhatIfDialog};
use super::composer::Composer;
use super::header::{Header, TitleDialog};
use super::keys::KeysDialog;
use super::library::LibraryDialog;
use super::links::fill_in;
use super::models::ModelsDialog;
use super::numbers::NumbersDialog;
use super::ollama::{OllamaPanel, TokenForm};
use super::palette::{PaletteDialog, use_command_keys};
use super::panel::Panel;
use super::parameters::ParametersDialog;
use super::parts::{Announcer, Banner, Toaster};
use super::phone::PhoneDialog;
use super::prompts::{FillDialog, PromptEditDialog};
use super::settings::SettingsDialog;
use super::share::ShareDialog;
use super::sidebar::{FolderDialog, MoveDialog, Sidebar, use_drawer_swipe};
use super::system::SystemDialog;
use super::tools::ToolsDialog;
use super::transcript::Transcript;
use crate::browser::appearance::Appearance;
use crate::browser::focus_refs::FocusRefs;
use crate::browser::text_size::TextSize;
use crate::browser::theme::Theme;
use crate::pages::PAGES;
use crate::ui::stores::{provide_stores, use_stores};
use leptos::prelude::*;
use leptos_meta::{Html, Title, provide_meta_context};
use leptos_router::components::{ParentRoute, Route, Router, Routes};
use leptos_router::path;
use sash_browser_kit::favicon::use_icon_dot;
use sash_browser_kit::keys::use_input_method;
use sash_browser_kit::page;
use sash_browser_kit::wake_lock::use_wake_lock;
use sash_state::SettingsStoreFields;
use sash_words::names::visible;
use sash_words::t;
use web_sys::KeyboardEvent;

/// The page. It creates the stores, which all components share.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    let stores = provide_stores(FocusRefs::provide());
    fill_in(stores);
    let theme = Appearance::<Theme>::provide(Theme::KEY);
    let text_size = Appearance::<TextSize>::provide(TextSize::KEY);
    add_commands();
    use_command_keys();
    use_drawer_swipe(stores);
    page::follow_visual_viewport();
    use_input_method();
    use_icon_dot(Signal::derive(move || stores.answer_notices().has_unseen()));
    use_wake_lock(Signal::derive(move || {
        stores.settings().current.wake_lock().get() && stores.answers().is_any_busy()
    }));
    let title = move || format!("{} · Sash", visible(&stores.answer_notices().page_title()));
    // No skip link to an empty conversation: a panel may be shown in its place.
    let has_conversation =
        move || !stores.engine().needs_token.get() && !stores.chats().path.with(Vec::is_empty);

    view! {
        <Title text=title />
        <Html
            {..}
            data-theme=move || theme.attribute()
            data-text-size=move || text_size.attribute()
        />
        <div>
            <Show when=has_conversation>
                <a class="skip-link" href="#conversation" rel="external">
                    {t!(page.skip_to_the_conversation)}
                </a>
            </Show>
            <a class="skip-link" href="#prompt" rel="external">
                {t!(page.skip_to_the_composer)}
            </a>
            <Router>
                <Rooms />
            </Router>
            <FileDialog />
            <TitleDialog />
            <WhatIfDialog />
            <AskWithDialog />
            <SidesDialog />
            <BranchMapDialog />
            <SystemDialog />
            <ParametersDialog />
            <ToolsDialog />
            <ShareDialog />
            <KeysDialog />
            <PaletteDialog />
            <MoveDialog />
            <FolderDialog />
            <LibraryDialog />
            <ModelsDialog />
            <SettingsDialog />
            <NumbersDialog />
            <PromptEditDialog />
            <FillDialog />
            <PhoneDialog />
            <Announcer />
        </div>
    }
}

/// The list of chats, the main column, and the panel beside it.
#[component]
fn Rooms() -> impl IntoView {
    let stores = use_stores();
    follow_address(stores, PAGES);
    let data_chats = move || match stores.view().chats_shown.get() {
        true => "shown",
        false => "hidden",
    };
    let stop = move |event: KeyboardEvent| {
        // Escape also closes dialogs.
        let elsewhere = stores.pulls().asked.get_untracked();
        if event.key() == "Escape" && !event.default_prevented() && !elsewhere {
            stores.answers().stop(untrack(|| stores.chats().open_id()));
        }
    };

    view! {
        <div
            class="page"
            data-chats=data_chats
            data-panel=move || stores.view().panel_shown.get().then_some("shown")
            on:keydown=stop
        >
            <Sidebar />
            <button
                type="button"
                class="sidebar-veil"
                tabindex="-1"
                aria-label=t!(page.close_the_list_of_chats)
                on:click=move |_| stores.view().chats_shown.set(false)
            ></button>
            <main class="room">
                <Routes fallback=|| ()>
                    <ParentRoute path=path!("") view=ChatRoom>
                        <Route path=path!("*address") view=|| () />
                    </ParentRoute>
                </Routes>
            </main>
            <Show when=move || stores.view().panel_shown.get()>
                <Panel />
            </Show>
        </div>
    }
}

/// The open chat: its title, its messages and the composer. It stays while another chat is opened.
#[component]
fn ChatRoom() -> impl IntoView {
    let stores = use_stores();

    view! {
        <Header />
        <Banner />
        <Show when=move || stores.engine().needs_token.get() fallback=|| view! { <Transcript /> }>
            <TokenForm />
        </Show>
        <OllamaPanel />
        <Toaster />
        <Composer />
    }
}
