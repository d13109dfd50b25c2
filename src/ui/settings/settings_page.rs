//! The page of settings.

use super::appearance_section::AppearanceSection;
use super::engine_section::EngineSection;
use super::new_chats_section::NewChatsSection;
use super::parameters_section::ParametersSection;
use super::writing_section::WritingSection;
use leptos::prelude::*;

/// The id of the page's heading.
pub const TITLE_ID: &str = "settings-title";

/// The settings. Each is saved as soon as it is changed.
#[component]
pub fn SettingsPage() -> impl IntoView {
    view! {
        <div class="sub-page settings">
            <h2 id=TITLE_ID tabindex="-1">
                "Settings"
            </h2>
            <div class="sub-page-body">
                <AppearanceSection />
                <WritingSection />
                <NewChatsSection />
                <EngineSection />
                <ParametersSection />
            </div>
        </div>
    }
}
