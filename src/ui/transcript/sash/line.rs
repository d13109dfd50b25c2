//! The line at the upper edge of the window.

use super::handle::SashHandle;
use super::stops::offset_of;
use crate::browser::page::{self, FocusRefs};
use crate::ui::stores::use_stores;
use crate::ui::transcript::virtual_list::Virtualizer;
use leptos::html::{Div, Section};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_use_resize_observer::use_resize_observer;
use sash_chat::{RecallMode, RecallSetting};
use sash_state::{SettingsStoreFields, Stores};
use sash_words::t;

/// A line across the transcript at the upper edge of the window, with its handle. It overlays the rows and
/// takes no room.
#[component]
pub fn Sash(
    /// The element that scrolls the messages.
    scroller: NodeRef<Section>,
    /// The messages.
    list: Virtualizer,
) -> impl IntoView {
    let stores = use_stores();
    let line = NodeRef::<Div>::new();
    let offset = edge_offset(stores, list);
    view! {
        <div
            class="sash"
            node_ref=line
            style:top=move || offset.get().map(|offset| format!("{offset}px"))
        >
            <SashHandle scroller list line />
            <WindowNotice />
        </div>
    }
}

/// The distance of the edge from the top of the list, in pixels. Follows the edge and every move of the
/// messages.
fn edge_offset(stores: Stores, list: Virtualizer) -> RwSignal<Option<i32>> {
    let offset = RwSignal::new(None);
    let measure = move || {
        let edge = stores.steering.window.with_untracked(|window| window.edge);
        let now = Some(offset_of(stores, list, edge));
        // Set it only if it changed: an answer grows with each frame, nearly always below the edge. The sash
        // may be removed by then.
        if offset.try_get_untracked().is_some_and(|known| known != now) {
            offset.set(now);
        }
    };
    Effect::new(move || {
        stores.steering.window.track();
        stores.chats.path.track();
        list.placed.track();
        // After the messages are in place, and before this frame is painted.
        spawn_local(async move { measure() });
    });
    use_resize_observer(list.list, move |_, _| measure());
    offset
}

/// A line above the upper edge of the window: the model no longer sees what is above, and what can be done. It lies over
/// the messages and takes no room.
#[component]
fn WindowNotice() -> impl IntoView {
    let stores = use_stores();
    let prompt = FocusRefs::expect().prompt;
    let shown = Memo::new(move |_| {
        let explained = stores.settings.current.window_explained().get();
        !explained && stores.steering.window.with(|window| window.left_above > 0)
    });
    let recalls =
        Memo::new(move |_| stores.steering.recall_setting.get().mode == RecallMode::ByItself);
    let send_more = move |_| {
        stores.view.rules_shown.set(true);
        stores.settings.record_window_explained();
    };
    let recall = move |_| {
        let setting = stores.steering.recall_setting.get_untracked();
        stores.steering.set_recall(RecallSetting {
            mode: RecallMode::ByItself,
            ..setting
        });
        stores.settings.record_window_explained();
        page::focus(prompt);
    };
    let close = move |_| {
        stores.settings.record_window_explained();
        page::focus(prompt);
    };

    view! {
        <div aria-live="polite" aria-atomic="true">
            <Show when=move || shown.get()>
                <div class="window-notice">
                    <span>{t!(transcript.from_here_up_the_model_no)}</span>
                    <div class="window-notice-buttons">
                        <button type="button" on:click=send_more>
                            {t!(transcript.send_more)}
                        </button>
                        <Show when=move || !recalls.get()>
                            <button type="button" on:click=recall>
                                {t!(common.recall_older_messages)}
                            </button>
                        </Show>
                        <button type="button" on:click=close>
                            {t!(transcript.ok)}
                        </button>
                    </div>
                </div>
            </Show>
        </div>
    }
}
