//! The line of what is wrong with the storage, above the transcript.

use super::cleared::{bring_back_cleared, keep_cleared};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_stores::{Kernel, StorageState, Unsaved};
use sash_ui_kit::{IconButton, IconName};
use sash_view::parts::BannerLine;
use sash_view::stores::use_kernel;
use sash_words::{count, t};

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

/// A button: its words, and what it does.
type Offer = (&'static str, fn(Kernel));

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
            Self::Cleared => t!(storage.storage_was_cleared).into(),
            Self::Unsaved(Unsaved::Refused, _) => t!(storage.saving_no_storage).into(),
            Self::Unsaved(Unsaved::Full, waiting) => t!(
                storage.saving_storage_full,
                records = count::records(waiting)
            ),
            Self::Unsaved(Unsaved::Newer, _) => t!(storage.saving_stopped_newer_sash).into(),
            Self::Unsaved(Unsaved::Foreign, _) => t!(storage.saving_stopped_other_program).into(),
            Self::Unreadable(count) => {
                t!(storage.records_unreadable, records = count::records(count))
            }
            Self::Used(percent) => t!(storage.storage_share_used, percent = &percent),
        }
    }

    /// The buttons for it.
    fn offers(self) -> Vec<Offer> {
        let offer = |words: &'static str, act: fn(Kernel)| (words, act);
        let show_storage = |words| offer(words, |kernel| kernel.view().show_all_chats("storage"));
        match self {
            Self::Cleared => vec![
                offer(t!(storage.bring_it_back), bring_back_cleared),
                offer(t!(storage.leave_it_cleared), keep_cleared),
            ],
            Self::Unsaved(Unsaved::Full, _) => vec![
                show_storage(t!(storage.pack_or_delete)),
                offer(t!(storage.export), |kernel| {
                    kernel.view().show_all_chats("transfer")
                }),
            ],
            Self::Unsaved(Unsaved::Newer, _) => {
                vec![offer(t!(storage.reload_the_page), |_| page::reload())]
            }
            Self::Unsaved(..) => Vec::new(),
            Self::Unreadable(_) => vec![show_storage(t!(parts.show))],
            Self::Used(_) => vec![show_storage(t!(storage.make_room))],
        }
    }
}

/// The line: a sentence and buttons.
#[component]
pub fn StorageLine() -> impl IntoView {
    let kernel = use_kernel();
    // A line that was closed stays closed until there is another message.
    let closed = RwSignal::new(None);
    let line = Memo::new(move |_| StorageWarning::of(kernel.storage().state.get()));
    let shown = move || line.get().filter(|line| Some(*line) != closed.get());
    let show = move |line: StorageWarning| {
        let offer = |(label, act): Offer| {
            view! {
                <button type="button" class="link" on:click=move |_| act(kernel)>
                    {label}
                </button>
            }
        };
        let offers = line.offers().into_iter().map(offer).collect_view();
        let can_close = matches!(
            line,
            StorageWarning::Unreadable(_) | StorageWarning::Used(_)
        );
        let on_close = move |_| closed.set(Some(line));
        let close = can_close.then(|| {
            view! { <IconButton label=t!(common.close) icon=IconName::Close on:click=on_close /> }
        });
        view! { <BannerLine words=move || line.sentence()>{offers} {close}</BannerLine> }
    };

    view! { <div>{move || shown().map(show)}</div> }
}
