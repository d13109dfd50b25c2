//! The button that opens the tools.

use leptos::prelude::*;
use sash_ui_kit::{Icon, IconName};
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// Opens the tools of the open chat; says how many are on. Empty where the model calls no tools and none is on.
#[component]
pub fn ToolsButton() -> impl IntoView {
    let kernel = use_kernel();
    let on = Memo::new(move |_| {
        kernel
            .chats()
            .open
            .with(|chat| chat.head.settings.tools.len())
    });
    let uses = Memo::new(move |_| {
        let model = kernel.steering().model.get();
        // Until the list has come the button would be there for a moment only.
        model.is_some_and(|model| {
            kernel.engine().has_listed(model.engine.as_deref())
                && kernel.engine().uses_tools(&model)
        })
    });
    let words = move || match on.get() {
        0 => t!(common.tools).to_owned(),
        on => t!(tools.tools, on = &on),
    };
    let title = move || match (on.get(), uses.get()) {
        (0, _) => t!(tools.button_hint).to_owned(),
        (on, true) => t!(tools.model_may_call, tools = count::tools(on)),
        (_, false) => t!(tools.model_without_tools).to_owned(),
    };

    view! {
        <Show when=move || uses.get() || (on.get() > 0)>
            <button
                type="button"
                class="attach tools-button"
                aria-haspopup="dialog"
                title=title
                data-set=move || (on.get() > 0 && uses.get()).then_some("true")
                on:click=move |_| kernel.commands().run("tools")
            >
                <Icon name=IconName::Tool />
                <span class="attach-words">{words}</span>
            </button>
        </Show>
    }
}
