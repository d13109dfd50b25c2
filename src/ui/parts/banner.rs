//! Warnings in one line each: about the log, the server and the demo.

use crate::browser::log::{bring_back_cleared, keep_cleared};
use crate::ui::parts::old_backup_words;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_use_interval_fn::use_interval_fn;
use sash_browser_kit::page;
use sash_state::{BackupPhase, BackupState, SettingsStoreFields, StorageState, Stores, Unsaved};
use sash_ui_kit::{IconButton, IconName};
use sash_wire::Upstream;
use sash_words::{count, t};

/// Says that nothing is saved, that Sash itself does not answer, or that the demo answers.
#[component]
pub fn Banner() -> impl IntoView {
    let stores = use_stores();
    // Only if the person chose the demo: a server that is itself a demo has no other engine.
    let is_chosen = move || stores.settings().current.upstream().get() == Upstream::Demo;

    view! {
        <div>
            <StorageLine />
            <BackupLine />
            <NoKeyLine />
            <NotBackedUpLine />
            <Show when=move || stores.engine().server_gone.get()>
                <p class="banner banner-warning">
                    {t!(parts.sash_itself_does_not_answer_is)}
                </p>
            </Show>
            <Show when=move || stores.engine().is_demo()>
                <p class="banner">
                    <span>
                        {t!(parts.this_is_the_demo_it_is)}
                    </span>
                    <Show when=is_chosen>
                        <button
                            type="button"
                            class="link"
                            on:click=move |_| stores.engine().use_upstream(Upstream::Ollama)
                        >
                            {t!(parts.back_to_ollama)}
                        </button>
                    </Show>
                </p>
            </Show>
        </div>
    }
}

/// How often it is looked whether the backup is old, in milliseconds.
const AGE_CHECK_MS: u64 = 60_000;

/// Says that the backup has not been written for a while, and why, or that it is old.
#[component]
fn BackupLine() -> impl IntoView {
    let stores = use_stores();
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
        let is_gone = stores.engine().server_gone.get();
        let state = stores.backup().state.get();
        if let Some(why) = state.problem().filter(|_| !is_gone) {
            return Some(t!(parts.the_backup_is_not_being_written, why = why));
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
            <p class="banner banner-warning">
                <span>{t!(library.the_browser_wants_to_ask_again, folder = &folder)}</span>
                <span class="banner-offers">
                    <button type="button" class="link" on:click=move |_| _ = allow.dispatch(())>
                        {t!(library.allow_the_folder)}
                    </button>
                </span>
            </p>
        </ShowLet>
        <ShowLet some=move || problem.get().filter(|_| unanswered.get().is_none()) let:words>
            <p class="banner banner-warning">
                <span>{words}</span>
                <span class="banner-offers">
                    <button
                        type="button"
                        class="link"
                        on:click=move |_| stores.view().show_all_chats("transfer")
                    >
                        {t!(parts.show)}
                    </button>
                </span>
            </p>
        </ShowLet>
    }
}

/// Says that there is a backup which this browser has no part in.
#[component]
fn NoKeyLine() -> impl IntoView {
    let stores = use_stores();
    let settings = stores.settings();
    let is_without = Memo::new(move |_| {
        let phase = stores.backup().state.with(|state| state.phase.clone());
        phase == BackupPhase::NeedsKey(None) && !settings.current.no_export_reminder().get()
    });

    view! {
        <Show when=move || is_without.get()>
            <p class="banner">
                <span>{t!(parts.this_sash_keeps_a_backup)}</span>
                <span class="banner-offers">
                    <button
                        type="button"
                        class="link"
                        on:click=move |_| stores.view().show_all_chats("transfer")
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
                        {t!(library.do_not_remind_me)}
                    </button>
                </span>
            </p>
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
            <p class="banner banner-warning">
                <span>
                    {move || {
                        t!(
                            parts.chats_are_not_in_the_backup,
                            count = refused.get() as u64,
                            chats = count::chats(refused.get())
                        )
                    }}
                </span>
                <span class="banner-offers">
                    <button
                        type="button"
                        class="link"
                        on:click=move |_| stores.view().show_all_chats("transfer")
                    >
                        {t!(parts.show)}
                    </button>
                    <IconButton
                        label=t!(common.close)
                        icon=IconName::Close
                        on:click=move |_| closed.set(refused.get_untracked())
                    />
                </span>
            </p>
        </Show>
    }
}

/// The message, most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StorageWarning {
    /// Someone cleared the log.
    Cleared,
    /// Not everything is saved: this many records wait for room.
    Unsaved(Unsaved, usize),
    /// This many records are unreadable.
    Unreadable(usize),
    /// At least this many per cent of the room are used.
    Used(usize),
}

impl StorageWarning {
    fn of(storage: StorageState) -> Option<Self> {
        if storage.cleared {
            return Some(Self::Cleared);
        }
        if let Some(why) = storage.unsaved {
            return Some(Self::Unsaved(why, storage.waiting));
        }
        if storage.unreadable > 0 {
            return Some(Self::Unreadable(storage.unreadable));
        }
        let passed = [95, 85, 70].into_iter().find(|n| storage.percent >= *n);
        passed.map(Self::Used)
    }

    fn sentence(self) -> String {
        match self {
            Self::Cleared => t!(parts.the_chats_of_this_page_were).into(),
            Self::Unsaved(Unsaved::Refused, _) => {
                t!(parts.nothing_is_being_saved_this_browser).into()
            }
            Self::Unsaved(Unsaved::Full, waiting) => t!(
                parts.not_everything_is_being_saved_the,
                records = count::records(waiting)
            ),
            Self::Unsaved(Unsaved::Newer, _) => t!(parts.nothing_is_being_saved_a_newer).into(),
            Self::Unsaved(Unsaved::Foreign, _) => t!(parts.nothing_is_being_saved_another).into(),
            Self::Unreadable(count) => t!(
                parts.could_not_be_read_what_is,
                records = count::records(count)
            ),
            Self::Used(percent) => t!(parts.more_than_of_the_browsers_storage, percent = &percent),
        }
    }
}

/// The line: a sentence and buttons.
#[component]
fn StorageLine() -> impl IntoView {
    let stores = use_stores();
    // A line that was closed stays closed until there is another message.
    let closed = RwSignal::new(None);
    let line = Memo::new(move |_| StorageWarning::of(stores.storage().state.get()));
    let shown = move || line.get().filter(|line| Some(*line) != closed.get());

    view! {
        <div>
            {move || {
                shown()
                    .map(|line| {
                        view! {
                            <p class="banner banner-warning">
                                <span>{line.sentence()}</span>
                                <StorageOffers line on_close=move || closed.set(Some(line)) />
                            </p>
                        }
                    })
            }}
        </div>
    }
}

/// The buttons for a message, if something can be done.
#[component]
fn StorageOffers(
    /// The message.
    line: StorageWarning,
    /// Closes the line.
    on_close: impl Fn() + Copy + 'static,
) -> impl IntoView {
    let stores = use_stores();
    let offer = move |label: &'static str, on_click: fn(Stores)| {
        view! {
            <button type="button" class="link" on:click=move |_| on_click(stores)>
                {label}
            </button>
        }
    };
    let close = move || {
        view! { <IconButton label=t!(common.close) icon=IconName::Close on:click=move |_| on_close() /> }
    };
    let offers = match line {
        StorageWarning::Cleared => view! {
            {offer(t!(parts.bring_it_back), bring_back_cleared)}
            {offer(t!(parts.leave_it_cleared), keep_cleared)}
        }
        .into_any(),
        StorageWarning::Unsaved(Unsaved::Full, _) => view! {
            {offer(t!(parts.pack_or_delete), |stores| stores.view().show_all_chats("storage"))}
            {offer(t!(parts.export), |stores| stores.view().show_all_chats("transfer"))}
        }
        .into_any(),
        StorageWarning::Unreadable(_) => view! {
            {offer(t!(parts.show), |stores| stores.view().show_all_chats("storage"))}
            {close()}
        }
        .into_any(),
        StorageWarning::Used(_) => view! {
            {offer(t!(parts.make_room), |stores| stores.view().show_all_chats("storage"))}
            {close()}
        }
        .into_any(),
        StorageWarning::Unsaved(Unsaved::Newer, _) => {
            offer(t!(parts.reload_the_page), |_| page::reload()).into_any()
        }
        StorageWarning::Unsaved(..) => return None,
    };

    Some(view! { <span class="banner-offers">{offers}</span> })
}
