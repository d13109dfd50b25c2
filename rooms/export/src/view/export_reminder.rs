//! The reminder that the chats are in one browser alone.

use crate::reminder::is_export_due;
use crate::{ExportSettings, ExportSettingsStoreFields};
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_view::stores::use_kernel;
use sash_words::t;

/// A line at the top of the library, where there is no backup, and nothing was exported, imported or backed up for a month.
#[component]
pub fn ExportReminder(
    /// Whether there is a backup.
    #[prop(into)]
    has_backup: Signal<bool>,
    /// When everything was in a backup last, in milliseconds since 1970; 0: never.
    #[prop(into)]
    backed_up: Signal<u64>,
) -> impl IntoView {
    let kernel = use_kernel();
    let settings = kernel.settings().part::<ExportSettings>();
    let is_due = Memo::new(move |_| {
        let exported = settings.current.exported().get();
        !has_backup.get()
            && !settings.current.no_export_reminder().get()
            && kernel
                .chats()
                .list
                .with(|chats| is_export_due(chats, exported, backed_up.get(), clock::now()))
    });

    view! {
        <Show when=move || is_due.get()>
            <p class="library-note export-reminder">
                <span>{t!(export.export_reminder)}</span>
                <button type="button" class="link" on:click=move |_| kernel.view().show_all_chats("transfer")>
                    {t!(common.export)}
                </button>
                <button
                    type="button"
                    class="link"
                    on:click=move |_| settings.change(|settings| settings.no_export_reminder = true)
                >
                    {t!(library.stop_reminding)}
                </button>
            </p>
        </Show>
    }
}
