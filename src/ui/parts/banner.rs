//! Warnings in one line each: about the log, the server and the demo.

use super::{IconButton, IconName, plural};
use crate::browser::log::{bring_back_cleared, leave_cleared};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::{SettingsStoreFields, StorageState, Stores, Unsaved};
use sash_wire::Upstream;

/// Says that nothing is saved, that Sash itself does not answer, or that the demo answers.
#[component]
pub fn Banner() -> impl IntoView {
    let stores = use_stores();
    // Only if the person chose the demo: a server that is itself a demo has no other engine.
    let is_chosen = move || stores.settings.current.upstream().get() == Upstream::Demo;

    view! {
        <div>
            <StorageLine />
            <Show when=move || stores.engine.server_gone.get()>
                <p class="banner banner-warning">
                    "Sash itself does not answer. Is it still running? The chats are here; the page looks again by itself."
                </p>
            </Show>
            <Show when=move || stores.engine.is_demo()>
                <p class="banner">
                    <span>
                        "This is the demo. It is no language model: it only tells what it was given."
                    </span>
                    <Show when=is_chosen>
                        <button
                            type="button"
                            class="link"
                            on:click=move |_| stores.engine.use_upstream(Upstream::Ollama)
                        >
                            "Back to Ollama"
                        </button>
                    </Show>
                </p>
            </Show>
        </div>
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
            Self::Cleared => "The chats of this page were cleared from outside. What was written in the last day can be brought back.".into(),
            Self::Unsaved(Unsaved::Refused, _) => "Nothing is being saved: this browser refuses storage to the page. The chats live until it is closed.".into(),
            Self::Unsaved(Unsaved::Full, waiting) => format!(
                "Not everything is being saved: the browser’s storage for this page is full, and {} found no room.",
                plural(waiting, "record")
            ),
            Self::Unsaved(Unsaved::Newer, _) => "Nothing is being saved: a newer version of Sash wrote the chats here. Reload the page to get it.".into(),
            Self::Unsaved(Unsaved::Foreign, _) => "Nothing is being saved: another program keeps its data under this address.".into(),
            Self::Unreadable(count) => format!(
                "{} could not be read. What is whole is here; the rest is kept aside.",
                plural(count, "record")
            ),
            Self::Used(percent) => format!("More than {percent} % of the browser’s storage for this page is used."),
        }
    }
}

/// The line: a sentence and buttons.
#[component]
fn StorageLine() -> impl IntoView {
    let stores = use_stores();
    // A line that was closed stays closed until there is another message.
    let closed = RwSignal::new(None);
    let line = Memo::new(move |_| StorageWarning::of(stores.storage.state.get()));
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
        view! { <IconButton label="Close" icon=IconName::Close on:click=move |_| on_close() /> }
    };
    let offers = match line {
        StorageWarning::Cleared => view! {
            {offer("Bring it back", bring_back_cleared)}
            {offer("Leave it cleared", leave_cleared)}
        }
        .into_any(),
        StorageWarning::Unsaved(Unsaved::Full, _) => view! {
            {offer("Pack or delete…", |stores| stores.library.open("storage"))}
            {offer("Export…", |stores| stores.library.open("transfer"))}
        }
        .into_any(),
        StorageWarning::Unreadable(_) => view! {
            {offer("Show…", |stores| stores.library.open("storage"))}
            {close()}
        }
        .into_any(),
        StorageWarning::Used(_) => view! {
            {offer("Make room…", |stores| stores.library.open("storage"))}
            {close()}
        }
        .into_any(),
        StorageWarning::Unsaved(..) => return None,
    };

    Some(view! { <span class="banner-offers">{offers}</span> })
}
