//! The section of the backup in *All chats*.

use super::backup_status::BackupStatus;
use super::directory_choice::{AllowDirectory, ChooseDirectory};
use super::key_form::KeyForm;
use super::restore_section::Review;
use super::words::old_words;
use crate::BackupFault;
use crate::store::{Backup, BackupPhase, BackupState};
use leptos::prelude::*;
use sash_words::t;

/// The backup of this browser's chats.
#[component]
pub fn BackupSection(
    /// Shows what an import of the restored chats would do.
    review: Review,
) -> impl IntoView {
    let backup = Backup::expect();
    let is_off = move || backup.state.with(|state| state.phase == BackupPhase::Off);
    let needs_key = move || {
        let is_missing = |phase: &BackupPhase| matches!(phase, BackupPhase::NeedsKey(_));
        backup.state.with(|state| is_missing(&state.phase))
    };
    let old = Memo::new(move |_| Some(backup.left_behind()).filter(|chats| *chats > 0));

    view! {
        <section class="backup">
            <h3>{t!(backup.title)}</h3>
            <ShowLet some=old let:chats>
                <p class="note note-failed">
                    {old_words(backup, chats)} " "
                    {move || is_off().then(|| BackupFault::Off.to_string())}
                </p>
            </ShowLet>
            <Show when=is_off>
                <p class="library-note">{t!(backup.no_backup_hint)}</p>
            </Show>
            <Show when=needs_key>
                <KeyForm />
            </Show>
            <Show when=move || is_off() || needs_key()>
                <ChooseDirectory />
            </Show>
            <Show when=move || backup.needs_permission()>
                <AllowDirectory />
            </Show>
            <Show when=move || backup.state.with(BackupState::is_open)>
                <BackupStatus review />
            </Show>
        </section>
    }
}
