//! The page of settings.

use super::appearance_section::AppearanceSection;
use super::engine_section::EngineSection;
use super::new_chats_section::NewChatsSection;
use super::parameters_section::ParametersSection;
use super::recall_section::RecallSection;
use super::writing_section::WritingSection;
use leptos::prelude::*;

/// The settings. Each is saved as soon as it is changed.
#[component]
pub fn SettingsPage() -> impl IntoView {
    view! {
        <AppearanceSection />
        <WritingSection />
        <RecallSection />
        <NewChatsSection />
        <EngineSection />
        <ParametersSection />
    }
}
