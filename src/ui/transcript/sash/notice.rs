//! Said once in each browser, when the first message has left the window.

use crate::browser::page;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{RecallMode, RecallSetting};

/// A line above the upper edge of the window: the model no longer sees what is above, and what can be done. It lies over
/// the messages and takes no room.
#[component]
pub fn WindowNotice() -> impl IntoView {
    let stores = use_stores();
    let shown = Memo::new(move |_| {
        let explained = stores.settings.current.with(|s| s.window_explained);
        !explained && stores.steering.window.with(|window| window.left_above > 0)
    });
    let recalls =
        Memo::new(move |_| stores.steering.recall_setting.get().mode == RecallMode::ByItself);
    let send_more = move |_| {
        stores.view.rules_shown.set(true);
        stores.settings.note_window_explained();
    };
    let recall = move |_| {
        let setting = stores.steering.recall_setting.get_untracked();
        stores.steering.set_recall(RecallSetting {
            mode: RecallMode::ByItself,
            ..setting
        });
        stores.settings.note_window_explained();
        page::focus("prompt");
    };
    let close = move |_| {
        stores.settings.note_window_explained();
        page::focus("prompt");
    };

    view! {
        <div role="status">
            <Show when=move || shown.get()>
                <div class="window-notice">
                    <span>"From here up the model no longer sees the chat"</span>
                    <div class="window-notice-buttons">
                        <button type="button" on:click=send_more>
                            "Send more"
                        </button>
                        <Show when=move || !recalls.get()>
                            <button type="button" on:click=recall>
                                "Recall older messages"
                            </button>
                        </Show>
                        <button type="button" on:click=close>
                            "OK"
                        </button>
                    </div>
                </div>
            </Show>
        </div>
    }
}
