//! The settings, as other parts of the page name and open them.

use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_stores::View;
use sash_words::t;

/// The id of the section of the engines.
pub const ENGINES: &str = "settings-engine";

/// A control of the page of settings, or a heading of it.
#[derive(Clone, Copy)]
pub struct Setting {
    /// Its id.
    pub id: &'static str,
    /// Its words.
    pub words: fn() -> &'static str,
}

/// Opens the settings at the element with that id. A heading takes no focus, but comes into view.
pub fn open_setting(view: View, id: &'static str) {
    view.show_page("settings");
    request_animation_frame(move || {
        page::scroll_to_id(id);
        page::focus_id_soon(id.to_owned());
    });
}

/// The button behind a sentence that names a setting.
#[component]
pub fn SettingsButton(
    /// The id of the setting.
    id: &'static str,
) -> impl IntoView {
    let view = use_kernel().view();
    view! {
        <button type="button" class="link" on:click=move |_| open_setting(view, id)>
            {t!(common.settings)}
        </button>
    }
}
