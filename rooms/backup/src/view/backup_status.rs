//! How the backup stands: when it was last written, what is in the way, and who writes it.

use super::browsers_list::BrowsersList;
use super::directory_choice::ForgetBackup;
use super::restore_section::{RestoreSection, Review};
use super::words::{former_versions_words, other_files_words, problems_words, status_words};
use crate::fault::fault_words;
use crate::store::{Backup, BackupPhase, BackupSettingsStoreFields};
use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_words::t;

/// When the backup was last written, what is in the way, and what comes back from it.
#[component]
pub fn BackupStatus(
    /// Shows what an import of the restored chats would do.
    review: Review,
) -> impl IntoView {
    let (kernel, backup) = (use_kernel(), Backup::expect());
    let state = backup.state;
    let in_step = backup.settings.current.in_step();
    let status = Memo::new(move |_| status_words(kernel, backup));
    let fault = Memo::new(move |_| {
        state.with(|state| match &state.phase {
            BackupPhase::Failed(fault) => Some(fault_words(fault)),
            _ => None,
        })
    });
    let problems = Memo::new(move |_| state.with(problems_words));
    // Two chats of one title may have the same problem.
    let list = move || {
        let rows = problems.get().into_iter();
        let rows = rows.map(|words| view! { <li class="library-note">{words}</li> });
        rows.collect_view()
    };
    let besides = move || {
        let words = state.with(|state| [former_versions_words(state), other_files_words(state)]);
        words.into_iter().flatten()
    };

    view! {
        <p class="library-note" role="status">
            {status}
        </p>
        <ShowLet some=fault let:fault>
            <p class="note note-failed">{fault}</p>
            <div class="storage-row">
                <button type="button" on:click=move |_| backup.try_again()>
                    {t!(common.try_again)}
                </button>
            </div>
        </ShowLet>
        <Show when=move || !problems.with(Vec::is_empty)>
            <ul class="import-list" tabindex="0" aria-label=t!(backup.problems_title)>
                {list}
            </ul>
        </Show>
        <Show when=move || state.with(|state| state.device.is_none())>
            <label class="backup-choice">
                <input
                    type="checkbox"
                    prop:checked=move || in_step.get()
                    on:change:target=move |event| backup.set_in_step(event.target().checked())
                />
                <span>{t!(backup.sync_with_backup)}</span>
            </label>
            <p class="library-note">{t!(backup.sync_hint)}</p>
        </Show>
        <RestoreSection review />
        <BrowsersList />
        <For each=besides key=Clone::clone let:words>
            <p class="library-note">{words}</p>
        </For>
        <div class="storage-row">
            <ForgetBackup />
        </div>
    }
}
