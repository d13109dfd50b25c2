//! Unreadable records.

use super::LibraryContext;
use super::confirm_button::ConfirmButton;
use super::sizes::Sizes;
use crate::browser::{file, page, storage};
use crate::ui::parts::plural;
use leptos::prelude::*;
use sash_log::QUARANTINE_PREFIX;
use sash_transfer::raw_line;

/// The quarantined records: buttons that save a copy and delete them. Empty if there are none.
#[component]
pub fn SetAsideSection(
    /// The use of the storage.
    sizes: Memo<Sizes>,
) -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let records = move || plural(sizes.with(|sizes| sizes.set_aside), "record");
    let question = Signal::derive(move || format!("{} gone for good?", records()));
    let download = |_| file::download("sash-set-aside.txt", "text/plain", raw_lines().into());
    let delete = move |()| {
        storage::remove_records(QUARANTINE_PREFIX);
        library.note_change();
        page::focus_soon("library-storage".to_owned());
    };

    view! {
        <div>
            <Show when=move || { sizes.with(|sizes| sizes.set_aside) > 0 }>
                <section>
                    <h3>"Records that could not be read"</h3>
                    <p class="library-note">
                        {move || {
                            format!(
                                "{}, set aside unchanged. A copy may help with mending.",
                                records(),
                            )
                        }}
                    </p>
                    <div class="storage-row">
                        <button type="button" on:click=download>
                            "Download"
                        </button>
                        <ConfirmButton
                            label="Delete…"
                            question
                            keep="Keep them"
                            deed="Delete"
                            on_confirm=delete
                        />
                    </div>
                </section>
            </Show>
        </div>
    }
}

/// Each quarantined record as a line of JSON: its key, and its exact value, unpaired surrogates included.
fn raw_lines() -> String {
    let records = storage::records(QUARANTINE_PREFIX);
    let lines = records.iter().map(|(key, value)| raw_line(key, value));
    lines.collect()
}
