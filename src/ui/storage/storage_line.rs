//! What is wrong with the storage, above the transcript.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_state::Stores;
use sash_stores::{StorageState, Unsaved};
use sash_ui_kit::{IconButton, IconName};
use sash_view::browser::log::{bring_back_cleared, keep_cleared};
use sash_view::parts::BannerLine;
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
pub fn StorageLine() -> impl IntoView {
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
                        let words = move || line.sentence();
                        match offers(stores, line, move || closed.set(Some(line))) {
                            Some(offers) => view! { <BannerLine words>{offers}</BannerLine> }.into_any(),
                            None => view! { <BannerLine words /> }.into_any(),
                        }
                    })
            }}
        </div>
    }
}

/// The buttons for a message, if something can be done.
fn offers(
    stores: Stores,
    line: StorageWarning,
    on_close: impl Fn() + Copy + Send + 'static,
) -> Option<AnyView> {
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
            {offer(t!(parts.bring_it_back), |stores| bring_back_cleared(stores.kernel()))}
            {offer(t!(parts.leave_it_cleared), |stores| keep_cleared(stores.kernel()))}
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
    Some(offers)
}
