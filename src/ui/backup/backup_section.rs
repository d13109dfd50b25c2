//! The backup: whether there is one, when it was last written, and what comes back from it.

use super::backup_key_form::BackupKeyForm;
use super::bring_back_section::BringBackSection;
use super::old_backup_words;
use crate::ui::stores::use_stores;
use leptos::either::EitherOf4;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_calls::BackupFault;
use sash_state::{BackupPhase, BackupSettingsStoreFields, BackupState};
use sash_words::{count, t};

/// What is shown of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// How one is begun.
    Advice,
    /// The form for the key.
    Key,
    /// That the browser wants to ask the person.
    Permission,
    /// How it stands.
    Status,
}

/// The backup of this browser's chats.
#[component]
pub fn BackupSection() -> impl IntoView {
    let stores = use_stores();
    let state = stores.backup().state;
    let shown = Memo::new(move |_| {
        state.with(|state| match state.phase {
            BackupPhase::Off => Shown::Advice,
            BackupPhase::NeedsKey(_) => Shown::Key,
            BackupPhase::NeedsPermission => Shown::Permission,
            _ => Shown::Status,
        })
    });

    view! {
        <section>
            <h3>{t!(library.backup)}</h3>
            <ShowLet some=move || stores.backup_age().old.get() let:old>
                <p class="note note-failed">
                    {old_backup_words(old)} " "
                    {move || {
                        (shown.get() == Shown::Advice).then(|| BackupFault::Off.to_string())
                    }}
                </p>
            </ShowLet>
            {move || match shown.get() {
                Shown::Advice => {
                    EitherOf4::A(
                        view! {
                            <p class="library-note">{t!(library.no_backup_hint)}</p>
                            <ChooseFolder />
                        },
                    )
                }
                Shown::Key => {
                    EitherOf4::B(
                        view! {
                            <BackupKeyForm />
                            <ChooseFolder />
                        },
                    )
                }
                Shown::Permission => EitherOf4::C(view! { <AllowFolder /> }),
                Shown::Status => EitherOf4::D(view! { <BackupStatus /> }),
            }}
        </section>
    }
}

/// The button that has the person choose a folder of this device. Empty where the browser does not let them.
#[component]
fn ChooseFolder() -> impl IntoView {
    let backup = use_stores().backup();
    let choose = Action::new_local(move |(): &()| backup.choose_folder());
    let refused = Memo::new(move |_| {
        let done = choose.value().get()?;
        done.err().map(|fault| fault.to_string())
    });

    view! {
        <Show when=move || backup.can_choose_folder()>
            <p class="library-note">{t!(library.choose_folder_hint)}</p>
            <div class="storage-row">
                <button
                    type="button"
                    disabled=move || choose.pending().get()
                    on:click=move |_| _ = choose.dispatch(())
                >
                    {t!(library.choose_a_folder)}
                </button>
            </div>
            <ShowLet some=refused let:refused>
                <p class="note note-failed" role="alert">
                    {refused}
                </p>
            </ShowLet>
            <p class="library-note" role="status">
                {move || choose.pending().get().then_some(t!(library.reading_the_backup))}
            </p>
        </Show>
    }
}

/// What to do where the browser wants to ask the person whether the folder may still be written.
#[component]
fn AllowFolder() -> impl IntoView {
    let backup = use_stores().backup();
    let allow = Action::new_local(move |(): &()| backup.allow_folder());
    let name = Memo::new(move |_| {
        backup
            .state
            .with(|state| state.device.clone().unwrap_or_default())
    });

    view! {
        <p class="note note-failed">
            {move || t!(library.folder_needs_permission, folder = &name.get())}
        </p>
        <div class="storage-row">
            <button type="button" class="primary" on:click=move |_| _ = allow.dispatch(())>
                {t!(library.allow_the_folder)}
            </button>
            <ForgetBackup />
        </div>
    }
}

/// The link that ends the backup of this browser.
#[component]
fn ForgetBackup() -> impl IntoView {
    let backup = use_stores().backup();
    let forget = Action::new_local(move |(): &()| backup.forget());

    view! {
        <button type="button" class="link" on:click=move |_| _ = forget.dispatch(())>
            {t!(library.stop_backup)}
        </button>
    }
}

/// When the backup was last written, what is in the way, and what comes back from it.
#[component]
fn BackupStatus() -> impl IntoView {
    let stores = use_stores();
    let backup = stores.backup();
    let state = backup.state;
    let backed_up = backup.settings.current.backed_up();
    let words = Memo::new(move |_| {
        let by_any_tab = Some(backed_up.get()).filter(|at| *at > 0);
        state.with(|state| {
            let last = match state.phase {
                // What another tab has written is in the settings, which all tabs share.
                BackupPhase::OtherTab => state.last.max(by_any_tab),
                _ => state.last,
            };
            status_words(state, last)
        })
    });
    let fault = Memo::new(move |_| {
        state.with(|state| match &state.phase {
            BackupPhase::Failed(fault) => Some(fault.to_string()),
            _ => None,
        })
    });
    let refused = Memo::new(move |_| state.with(|state| state.refused.clone()));
    let refused = move || {
        let refused = refused.get().into_iter();
        refused
            .map(|(chat, fault)| {
                let title = stores.kernel().chats().title_now(chat);
                let why = fault.to_string();
                view! { <li>{t!(library.not_in_backup, title = &title, why = &why)}</li> }
            })
            .collect_view()
    };
    let in_step = stores.backup().settings.current.in_step();
    let no_room = Memo::new(move |_| state.with(|state| state.no_room.clone()));
    let no_room = move || {
        let chats = no_room.get().into_iter();
        chats
            .map(|(_, title)| {
                view! { <li>{t!(library.only_in_backup, title = &title)}</li> }
            })
            .collect_view()
    };

    let device = Memo::new(move |_| state.with(|state| state.device.clone()));
    let folder = move || {
        let device = device.get()?;
        Some(t!(library.folder_on_device, folder = &device))
    };

    view! {
        <p class="library-note" role="status">
            {folder} " " {words}
        </p>
        <ShowLet some=fault let:fault>
            <p class="note note-failed">{fault}</p>
            <div class="storage-row">
                <button type="button" on:click=move |_| backup.try_again()>
                    {t!(common.try_again)}
                </button>
            </div>
        </ShowLet>
        <ul class="library-note">{refused}{no_room}</ul>
        <Show when=move || device.get().is_none()>
            <label class="folder-too">
                <input
                    type="checkbox"
                    prop:checked=move || in_step.get()
                    on:change:target=move |event| backup.set_in_step(event.target().checked())
                />
                <span>{t!(library.keep_in_sync)}</span>
            </label>
            <p class="library-note">{t!(library.keep_in_sync_hint)}</p>
        </Show>
        <BringBackSection />
        <div class="storage-row">
            <ForgetBackup />
        </div>
    }
}

/// How the backup stands, in words. `last` is when it was last written, in milliseconds since 1970.
fn status_words(state: &BackupState, last: Option<u64>) -> String {
    let last = match last {
        Some(at) => t!(library.last_written, date = clock::date(at)),
        None => t!(library.nothing_written).to_owned(),
    };
    match &state.phase {
        BackupPhase::OtherTab => format!("{} {last}", t!(library.another_tab_writes)),
        BackupPhase::Writing if state.waiting > 1 => {
            t!(library.writing_left, chats = count::chats(state.waiting))
        }
        BackupPhase::Failed(_) => t!(library.backup_not_written, last = &last),
        _ => last,
    }
}
