//! The tab for export and import.

use super::export_section::ExportSection;
use super::import::ImportSection;
use leptos::prelude::*;

/// Export and import.
#[component]
pub fn TransferTab() -> impl IntoView {
    view! {
        <div class="storage">
            <ExportSection />
            <ImportSection />
        </div>
    }
}
