//! The settings over the chat.

use super::appearance_section::AppearanceSection;
use super::engine_section::EngineSection;
use super::new_chats_section::NewChatsSection;
use super::notices_section::NoticesSection;
use super::parameters_section::ParametersSection;
use super::reading_section::ReadingSection;
use super::recall_section::RecallSection;
use super::storage_section::StorageSection;
use super::writing_section::WritingSection;
use crate::ui::parts::PageDialog;
use crate::ui::prompts::PromptsSection;
use leptos::prelude::*;
use sash_words::t;

/// The id of the page's heading.
const TITLE_ID: &str = "settings-title";

/// The settings over the chat. Each is saved as soon as it is changed.
#[component]
pub fn SettingsDialog() -> impl IntoView {
    view! {
        <PageDialog page="settings" class="settings" title_id=TITLE_ID title=t!(common.settings)>
            <AppearanceSection />
            <WritingSection />
            <PromptsSection />
            <NoticesSection />
            <ReadingSection />
            <RecallSection />
            <NewChatsSection />
            <EngineSection />
            <ParametersSection />
            <StorageSection />
        </PageDialog>
    }
}
