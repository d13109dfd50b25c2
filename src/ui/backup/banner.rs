//! The banner of the backup above the transcript.

use super::old_backup_words;
use crate::ui::stores::use_stores;
use export::{ExportSettings, ExportSettingsStoreFields};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_use_interval_fn::use_interval_fn;
use sash_state::{BackupPhase, BackupState};
use sash_ui_kit::{IconButton, IconName};
use sash_view::parts::BannerLine;
use sash_words::{count, t};

/// The lines of the backup.
#[component]
pub fn BackupBanner() -> impl IntoView {
    view! {
        <BackupLine />
        <NoKeyLine />
        <NotBackedUpLine />
    }
}

/// How often it is looked whether the backup is old, in milliseconds.
const AGE_CHECK_MS: u64 = 60_000;

/// Says that the backup has not been written for a while, and why, or that it is old.
#[component]
fn BackupLine() -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let age = stores.backup_age();
    let backup = stores.backup();
    use_interval_fn(
        move || {
            age.check();
            if untrack(|| backup.needs_permission()) {
                spawn_local(backup.check_permission());
            }
        },
        AGE_CHECK_MS,
    );
    let problem = Memo::new(move |_| {
        // That Sash itself does not answer is said already.
        let is_gone = kernel.engine().server_gone.get();
        let state = stores.backup().state.get();
        if let Some(why) = state.problem().filter(|_| !is_gone) {
            return Some(t!(parts.backup_not_written, why = why));
        }
        age.old.get().map(old_backup_words)
    });

    let unanswered = Memo::new(move |_| {
        let device = backup.state.with(|state| state.device.clone());
        device.filter(|_| backup.needs_permission())
    });
    let allow = Action::new_local(move |(): &()| backup.allow_folder());

    view! {
        <ShowLet some=unanswered let:folder>
            <BannerLine words=move || t!(library.folder_needs_permission, folder = &folder)>
                <button type="button" class="link" on:click=move |_| _ = allow.dispatch(())>
                    {t!(library.allow_the_folder)}
                </button>
            </BannerLine>
        </ShowLet>
        <ShowLet some=move || problem.get().filter(|_| unanswered.get().is_none()) let:words>
            <BannerLine words=move || words.clone()>
                <button
                    type="button"
                    class="link"
                    on:click=move |_| kernel.view().show_all_chats("transfer")
                >
                    {t!(parts.show)}
                </button>
            </BannerLine>
        </ShowLet>
    }
}

/// Says that there is a backup which this browser has no part in.
#[component]
fn NoKeyLine() -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let settings = kernel.settings().part::<ExportSettings>();
    let is_without = Memo::new(move |_| {
        let phase = stores.backup().state.with(|state| state.phase.clone());
        phase == BackupPhase::NeedsKey(None) && !settings.current.no_export_reminder().get()
    });

    view! {
        <Show when=move || is_without.get()>
            <BannerLine words=|| t!(parts.backup_needs_key) is_plain=true>
                <button
                    type="button"
                    class="link"
                    on:click=move |_| kernel.view().show_all_chats("transfer")
                >
                    {t!(parts.enter_the_key)}
                </button>
                <button
                    type="button"
                    class="link"
                    on:click=move |_| {
                        settings.change(|settings| settings.no_export_reminder = true);
                    }
                >
                    {t!(library.stop_reminding)}
                </button>
            </BannerLine>
        </Show>
    }
}

/// Says that the folder of the backup does not take some chats.
#[component]
fn NotBackedUpLine() -> impl IntoView {
    let stores = use_stores();
    let refused = Memo::new(move |_| stores.backup().state.with(BackupState::refused_count));
    // A line that was closed stays closed until there are others.
    let closed = RwSignal::new(0);
    let shown = move || refused.get() > closed.get();

    view! {
        <Show when=shown>
            <BannerLine words=move || {
                        t!(
                            parts.chats_not_backed_up,
                            count = refused.get() as u64,
                            chats = count::chats(refused.get())
                        )
                    }>
                <button
                    type="button"
                    class="link"
                    on:click=move |_| stores.kernel().view().show_all_chats("transfer")
                >
                    {t!(parts.show)}
                </button>
                <IconButton
                    label=t!(common.close)
                    icon=IconName::Close
                    on:click=move |_| closed.set(refused.get_untracked())
                />
            </BannerLine>
        </Show>
    }
}
