//! The choice whether what is deleted for good goes from the backup too.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use sash_calls::BackupPurge;
use sash_state::{Backup, BackupSettingsStoreFields, BackupState, Stores};
use sash_stores::DeletedId;
use sash_words::{count, t};

/// Whether what is deleted for good goes from the backup too.
#[derive(Clone, Copy)]
pub struct FolderChoice {
    stores: Stores,
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
            stores,
            chosen: RwSignal::new(chosen),
            in_step,
        }
    }

    /// The answer.
    fn get(self) -> bool {
        self.in_step.get_untracked() || self.chosen.get_untracked()
    }

    /// The backup, if it is to be asked and is open.
    fn asked(self, answer: bool) -> Option<Backup> {
        let backup = Some(self.stores.backup()).filter(|_| answer);
        backup.filter(|backup| backup.state.with_untracked(BackupState::is_open))
    }

    /// Removes what is to be deleted for good from the folder, if that is the answer now. Gives what is to be deleted here:
    /// what the folder does not remove stays in the trash.
    pub fn purge_deleted(
        self,
        all: Vec<DeletedId>,
    ) -> LocalBoxFuture<'static, Result<Vec<DeletedId>, String>> {
        let answer = self.get();
        async move {
            match self.asked(answer) {
                Some(backup) => {
                    let purged = backup.purge_deleted(all).await;
                    purged.map_err(|fault| fault.to_string())
                }
                None => Ok(all),
            }
        }
        .boxed_local()
    }

    /// Removes everything from the folder, if that is the answer now. It comes first: without its key, which goes with the
    /// settings, nothing can be removed there.
    pub fn purge_everything(self) -> LocalBoxFuture<'static, Result<(), String>> {
        let answer = self.get();
        async move {
            let Some(backup) = self.asked(answer) else {
                return Ok(());
            };
            // What is written now would be handed over after the folder is empty.
            backup.stop();
            let purged = backup.purge(BackupPurge::Everything).await;
            purged.map(drop).map_err(|fault| {
                backup.try_again();
                fault.to_string()
            })
        }
        .boxed_local()
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
    let FolderChoice {
        stores,
        chosen,
        in_step,
    } = folder_too;
    let state = stores.backup().state;
    let is_open = Memo::new(move |_| state.with(BackupState::is_open));
    let is_versioned = Memo::new(move |_| state.with(|state| state.is_versioned));
    let others = Memo::new(move |_| state.with(|state| state.others));

    view! {
        <Show when=move || in_step.get()>
            <p class="library-note">{t!(library.deleted_from_backup_too)}</p>
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
                    true => t!(library.removed_from_backup_files),
                    false => stays,
                }} " "
                {move || is_versioned.get().then_some(t!(library.version_control_keeps))}
                " "
                {move || {
                    (others.get() > 0)
                        .then(|| {
                            t!(
                                library.unknown_files_stay,
                                count = others.get() as u64,
                                files = count::files(others.get())
                            )
                        })
                }}
            </p>
        </Show>
        <Show when=move || !is_open.get() && stores.backup().is_wanted()>
            <p class="library-note">{t!(library.backup_unreachable)}</p>
        </Show>
    }
}
