//! The composer: where a prompt is written and sent, and the line that says what goes with it.

mod window_line;

use super::app::session;
use super::parts::{Icon, icon};
use leptos::ev::{KeyboardEvent, MouseEvent, SubmitEvent};
use leptos::html;
use leptos::prelude::*;
use std::collections::HashMap;
use window_line::WindowLine;

pub use window_line::grouped;

/// The composer. Drafts are kept for each chat while the page lives.
#[component]
pub fn Composer() -> impl IntoView {
    let session = session();
    let area = NodeRef::<html::Textarea>::new();
    let drafts = StoredValue::new(HashMap::<crate::chat::Id, String>::new());
    let draft = RwSignal::new(String::new());
    let chat = Memo::new(move |_| session.open_id());
    let answering = Memo::new(move |_| session.answering.with(|all| all.contains_key(&chat.get())));

    // A draft stays with its chat.
    Effect::new(move |former: Option<crate::chat::Id>| {
        let now = chat.get();
        if former.is_some_and(|former| former != now) {
            let text = draft.get_untracked();
            drafts.update_value(|all| {
                if let Some(former) = former {
                    all.insert(former, text);
                }
            });
            draft.set(drafts.with_value(|all| all.get(&now).cloned().unwrap_or_default()));
        }
        now
    });
    let may_send = move || session.may_ask() && draft.with(|text| !text.trim().is_empty());
    let act = move || {
        if answering.get_untracked() {
            session.stop(chat.get_untracked());
        } else if untrack(may_send) {
            let prompt = draft.get_untracked();
            draft.set(String::new());
            session.ask(prompt);
        }
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        act();
        if let Some(area) = area.get_untracked() {
            let _ = area.focus();
        }
    };
    let key = move |event: KeyboardEvent| {
        // 229: a key that an input method is still working on; some browsers say only that.
        let composing = event.is_composing() || event.key_code() == 229;
        if event.key() == "Enter" && !event.shift_key() && !composing {
            event.prevent_default();
            if !event.repeat() && !answering.get_untracked() {
                act();
            }
        }
    };
    // The second half of a double click would stop what the first has sent.
    let once = |event: MouseEvent| {
        if event.detail() > 1 {
            event.prevent_default();
        }
    };
    let label = move || if answering.get() { "Stop" } else { "Send" };
    view! {
        <form class="composer" aria-label="Composer" on:submit=submit>
            <div class="composer-box">
                <textarea
                    id="prompt"
                    node_ref=area
                    aria-label="Message"
                    aria-describedby="composer-hint"
                    placeholder="Ask something"
                    rows="1"
                    prop:value=move || draft.get()
                    on:input=move |event| draft.set(event_target_value(&event))
                    on:keydown=key
                ></textarea>
                <button
                    class="send"
                    type="submit"
                    data-mode=move || label().to_ascii_lowercase()
                    aria-label=label
                    title=label
                    disabled=move || !answering.get() && !may_send()
                    on:click=once
                >
                    {move || icon(if answering.get() { Icon::Stop } else { Icon::Send })}
                </button>
            </div>
            <div class="composer-foot">
                <WindowLine/>
                <span id="composer-hint" class="hint">"Enter sends, Shift+Enter breaks the line"</span>
            </div>
        </form>
    }
}
