//! The button that opens the tools of the chat.

use crate::ui::parts::{Icon, IconName, plural};
use crate::ui::stores::use_stores;
use leptos::prelude::*;

/// Opens the tools of the open chat; says how many are on. Empty where the model calls no tools and none is on.
#[component]
pub fn ToolsButton() -> impl IntoView {
    let stores = use_stores();
    let on = Memo::new(move |_| {
        stores
            .chats
            .open
            .with(|chat| chat.head.settings.tools.len())
    });
    let uses = Memo::new(move |_| {
        let model = stores.steering.model.get();
        // Until the list has come the button would be there for a moment only.
        model.is_some_and(|model| {
            stores.engine.has_listed(model.engine.as_deref()) && stores.engine.uses_tools(&model)
        })
    });
    let words = move || match on.get() {
        0 => "Tools".to_owned(),
        on => format!("Tools: {on}"),
    };
    let title = move || match (on.get(), uses.get()) {
        (0, _) => "Functions that the model may call".to_owned(),
        (on, true) => format!("The model may call {}", plural(on, "tool")),
        (_, false) => "This model does not call tools, so they are not sent".to_owned(),
    };

    view! {
        <Show when=move || uses.get() || (on.get() > 0)>
            <button
                type="button"
                class="attach tools-button"
                aria-haspopup="dialog"
                title=title
                data-set=move || (on.get() > 0 && uses.get()).then_some("true")
                on:click=move |_| stores.view.tools_shown.set(true)
            >
                <Icon name=IconName::Tool />
                <span class="attach-words">{words}</span>
            </button>
        </Show>
    }
}
