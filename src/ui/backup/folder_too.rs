//! Whether what is deleted for good goes from the backup too.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::{BackupSettingsStoreFields, BackupState, Stores};
use sash_words::{count, t};

/// Whether what is deleted for good goes from the backup too.
#[derive(Clone, Copy)]
pub struct FolderChoice {
    chosen: RwSignal<bool>,
    /// Whether this browser is in step with the folder: what goes here alone would come back from it.
    in_step: Memo<bool>,
}

impl FolderChoice {
    /// A choice that begins with `chosen`.
    pub fn new(stores: Stores, chosen: bool) -> Self {
        let state = stores.backup().state;
        let is_in_step = stores.backup().settings.current.in_step();
        let in_step = Memo::new(move |_| {
            let is_at_server = state.with(|state| state.is_open() && state.device.is_none());
            is_at_server && is_in_step.get()
        });
        Self {
            chosen: RwSignal::new(chosen),
            in_step,
        }
    }

    /// The answer.
    pub fn get(self) -> bool {
        self.in_step.get() || self.chosen.get()
    }
}

/// The question beside a button that deletes for good. Empty without a backup.
#[component]
pub fn FolderToo(
    /// The answer.
    folder_too: FolderChoice,
    /// What stays in the backup if the answer is no.
    stays: &'static str,
) -> impl IntoView {
    let stores = use_stores();
    let state = stores.backup().state;
    let is_open = Memo::new(move |_| state.with(BackupState::is_open));
    let FolderChoice { chosen, in_step } = folder_too;
    let is_versioned = Memo::new(move |_| state.with(|state| state.is_versioned));
    let others = Memo::new(move |_| state.with(|state| state.others));

    view! {
        <Show when=move || in_step.get()>
            <p class="library-note">{t!(library.it_goes_from_the_backup_too)}</p>
        </Show>
        <Show when=move || is_open.get() && !in_step.get()>
            <label class="folder-too">
                <input
                    type="checkbox"
                    prop:checked=move || chosen.get()
                    on:change:target=move |event| chosen.set(event.target().checked())
                />
                <span>{t!(library.from_the_backup_too)}</span>
            </label>
            <p class="library-note">
                {move || match chosen.get() {
                    true => t!(library.texts_and_images_go_from_the),
                    false => stays,
                }} " "
                {move || is_versioned.get().then_some(t!(library.version_control_keeps_what_it_has))}
                " "
                {move || {
                    (others.get() > 0)
                        .then(|| {
                            t!(
                                library.files_that_sash_does_not_know,
                                count = others.get() as u64,
                                files = count::files(others.get())
                            )
                        })
                }}
            </p>
        </Show>
        <Show when=move || !is_open.get() && stores.backup().is_wanted()>
            <p class="library-note">{t!(library.the_backup_cannot_be_reached_what)}</p>
        </Show>
    }
}
