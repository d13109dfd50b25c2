//! The questions beside the buttons that delete for good: whether the backup is meant too.

use super::words::{other_files_words, some_names};
use crate::fault::fault_words;
use crate::store::{Backup, BackupPhase, BackupSettingsStoreFields, BackupState};
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use sash_stores::DeletedId;
use sash_view::stores::use_kernel;
use sash_words::t;

/// Whether what is deleted for good is deleted from the backup too.
#[derive(Clone, Copy)]
pub struct PurgeChoice {
    backup: Backup,
    chosen: RwSignal<bool>,
}

impl PurgeChoice {
    /// A choice that begins with `chosen`.
    #[must_use]
    pub fn new(chosen: bool) -> Self {
        Self {
            backup: Backup::expect(),
            chosen: RwSignal::new(chosen),
        }
    }

    /// Whether this browser syncs with the backup: what is deleted here alone would come back from it.
    fn is_in_step(self) -> bool {
        let has_device = self.backup.state.with(|state| state.device.is_some());
        let in_step = self.backup.settings.current.in_step();
        self.backup.is_wanted() && !has_device && in_step.get()
    }

    /// Whether the backup is meant too.
    fn is_meant(self) -> bool {
        self.is_in_step() || self.chosen.get()
    }

    /// Notes what the backup is to delete of the trash, if it is. It is told once it can be reached, so nothing waits for
    /// it here, and everything is deleted here.
    pub fn purge_deleted(
        self,
        all: Vec<DeletedId>,
    ) -> LocalBoxFuture<'static, Result<Vec<DeletedId>, String>> {
        let is_meant = untrack(|| self.is_meant() && self.backup.is_wanted());
        async move {
            if is_meant {
                self.backup.purge_deleted(all.clone()).await;
            }
            Ok(all)
        }
        .boxed_local()
    }

    /// Deletes the chats of this browser from the backup, if that is the answer, and else leaves it. It comes first: the key,
    /// which the backup asks for, is deleted with the settings.
    ///
    /// # Errors
    /// That not all could be deleted there, as sentences. Nothing is to be deleted here then.
    pub fn purge_everything(self) -> LocalBoxFuture<'static, Result<(), String>> {
        let is_open = self.backup.state.with_untracked(BackupState::is_open);
        let is_meant = is_open && self.chosen.get_untracked();
        async move {
            if !is_meant {
                self.backup.leave().await;
                return Ok(());
            }
            match self.backup.purge_everything().await {
                Ok(purged) if purged.unreached.is_empty() => Ok(()),
                Ok(purged) => {
                    let names = some_names(&purged.unreached, 0);
                    Err(t!(backup.everything_unreached, names = names))
                }
                Err(fault) => Err(t!(backup.everything_failed, why = fault_words(&fault))),
            }
        }
        .boxed_local()
    }
}

/// The question beside a button that deletes from the trash. Empty without a backup.
#[component]
pub fn PurgeToo(
    /// The answer.
    choice: PurgeChoice,
) -> impl IntoView {
    let PurgeChoice { backup, chosen } = choice;
    let kernel = use_kernel();
    let is_reached = move || {
        let is_gone = kernel.engine().server_gone.get();
        backup.state.with(|state| {
            let has_failed = matches!(state.phase, BackupPhase::Failed(_));
            state.is_open() && !has_failed && (state.device.is_some() || !is_gone)
        })
    };
    let hint = move || match choice.is_meant() {
        false => t!(backup.stays_in_backup),
        true if !is_reached() => t!(backup.delete_too_later),
        true if choice.is_in_step() => t!(backup.deleted_in_sync),
        true => t!(backup.deleted_files_hint),
    };

    view! {
        <Show when=move || backup.is_wanted()>
            <Show when=move || !choice.is_in_step()>
                <label class="backup-choice">
                    <input type="checkbox" bind:checked=chosen />
                    <span>{t!(backup.delete_too)}</span>
                </label>
            </Show>
            <p class="library-note">
                {hint} " " <WhatStays state=backup.state />
            </p>
        </Show>
    }
}

/// The question beside the button that deletes everything: in this browser alone, which comes first, or in the backup too.
/// Empty without a backup.
#[component]
pub fn EverythingToo(
    /// The answer.
    choice: PurgeChoice,
) -> impl IntoView {
    let PurgeChoice { backup, chosen } = choice;
    let is_open = move || backup.state.with(BackupState::is_open);
    let hint = move || match chosen.get() {
        true => t!(backup.everything_too_hint),
        false => t!(backup.everything_here_hint),
    };
    let answer = move |is_too: bool, words: &'static str| {
        view! {
            <label>
                <input
                    type="radio"
                    name="backup-everything"
                    prop:checked=move || chosen.get() == is_too
                    on:change=move |_| chosen.set(is_too)
                />
                {words}
            </label>
        }
    };

    view! {
        <Show when=is_open>
            <fieldset class="choices" aria-label=t!(backup.everything_which)>
                {answer(false, t!(backup.everything_here))}
                {answer(true, t!(backup.everything_too))}
            </fieldset>
            <p class="library-note">{hint} " " <WhatStays state=backup.state /></p>
        </Show>
        <Show when=move || !is_open() && backup.is_wanted()>
            <p class="library-note">{t!(backup.unreachable_stays)}</p>
        </Show>
    }
}

/// What stays in the directory whatever is deleted: what version control keeps, and files that are none of Sash's.
#[component]
fn WhatStays(
    /// How the backup stands.
    state: RwSignal<BackupState>,
) -> impl IntoView {
    let is_versioned = move || state.with(|state| state.is_versioned);

    view! {
        {move || is_versioned().then_some(t!(backup.version_control_keeps))}
        " "
        {move || state.with(other_files_words)}
    }
}
