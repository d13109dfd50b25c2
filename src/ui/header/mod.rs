//! The page's header: the chat's title, the model and its parameters, the panel button, the theme.

mod chat_title;
mod model_picker;
mod title_dialog;

use crate::browser::appearance::Appearance;
use crate::browser::focus_refs::FocusRefs;
use crate::browser::theme::Theme;
use crate::ui::panel::PanelButton;
use crate::ui::stores::use_stores;
use chat_title::ChatTitle;
use leptos::prelude::*;
use model_picker::ModelPicker;
use sash_state::PullsProgress;
use sash_state::models::PAGE;
use sash_ui_kit::{IconButton, IconName};
use sash_wire::{PageAddress, SubPage};
use sash_words::{count, t};
pub use title_dialog::{TitleDialog, title_command};

/// The header.
#[component]
pub fn Header() -> impl IntoView {
    let stores = use_stores();

    view! {
        <header class="header">
            <IconButton
                label=t!(common.chats)
                icon=IconName::Menu
                class="chats-toggle"
                button_ref=FocusRefs::expect().chats_button
                attr:aria-controls="chats"
                attr:aria-expanded=move || stores.view().chats_shown.get().to_string()
                on:click=move |_| stores.view().chats_shown.update(|shown| *shown = !*shown)
            />
            <ChatTitle />
            // Elsewhere it is in the list of chats, which a narrow page hides.
            <IconButton
                label=t!(common.new_chat)
                icon=IconName::Plus
                class="header-new-chat"
                on:click=move |_| stores.chats().begin_chat()
            />
            <PullsLink />
            <ModelPicker />
            <ParametersButton />
            <PanelButton />
            <ThemeButton />
        </header>
    }
}

/// A link to the models page with the progress of the pulls that run. Empty if none does.
#[component]
fn PullsLink() -> impl IntoView {
    let pulls = use_stores().pulls();
    let progress = Memo::new(move |_| pulls.progress());
    // The link stays the same element while its words change, so that it keeps the focus.
    let what = move || progress.with(|all| all.as_ref().map(pulls_words).unwrap_or_default());
    let percent = move || progress.with(|all| all.as_ref()?.percent.map(count::percent));
    let name = move || match percent() {
        Some(percent) => t!(header.text, what = what(), percent = &percent),
        None => what(),
    };
    view! {
        <Show when=move || progress.with(Option::is_some)>
            <a
                class="pulls-link"
                href=PageAddress::Sub(SubPage::whole(PAGE)).to_string()
                title=name
                aria-label=name
            >
                <span class="pulls-link-name">{what}</span>
                <span class="count">{move || percent().unwrap_or_else(|| "…".to_owned())}</span>
            </a>
        </Show>
    }
}

/// What is pulled, in words.
fn pulls_words(progress: &PullsProgress) -> String {
    match progress.count {
        1 => t!(header.pulling_model, first = &progress.first),
        count => t!(header.pulling, models = count::models(count)),
    }
}

/// Opens the parameters of the open chat; its title says how many are set.
#[component]
fn ParametersButton() -> impl IntoView {
    let stores = use_stores();
    let count = Memo::new(move |_| stores.steering().count_parameters());
    let title = move || match count.get() {
        0 => t!(header.parameters_of_the_model).to_owned(),
        set => t!(
            header.parameters_of_the_model_set,
            values = count::values(set)
        ),
    };

    view! {
        <IconButton
            label=t!(common.parameters)
            icon=IconName::Sliders
            attr:id="parameters-button"
            attr:aria-haspopup="dialog"
            attr:title=title
            attr:data-set=move || (count.get() > 0).then_some("true")
            on:click=move |_| stores.commands().run("parameters")
        >
            <span class="button-word">{t!(common.parameters)}</span>
        </IconButton>
    }
}

/// A button that cycles through the three themes.
#[component]
fn ThemeButton() -> impl IntoView {
    let chosen = Appearance::<Theme>::expect();
    let icon = move || match chosen.get() {
        Theme::System => IconName::Half,
        Theme::Light => IconName::Sun,
        Theme::Dark => IconName::Moon,
    };

    view! {
        <IconButton
            label=move || t!(header.theme, name = theme_words(chosen.get()))
            icon=icon
            class="theme-button"
            on:click=move |_| chosen.set(untrack(|| chosen.get()).next())
        />
    }
}

/// The name of a theme within a sentence.
fn theme_words(theme: Theme) -> &'static str {
    match theme {
        Theme::System => t!(header.theme_system),
        Theme::Light => t!(header.theme_light),
        Theme::Dark => t!(header.theme_dark),
    }
}
