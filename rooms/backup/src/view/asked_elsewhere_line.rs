//! The line that says that another browser asked at the same time.

use crate::AskedElsewhere;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_ui_kit::{IconButton, IconName};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::composer::OfferLine;
use sash_words::t;

/// Says that the question of another browser is shown in the place of the own one, and leads back to that.
#[component]
pub fn AskedElsewhereLine() -> impl IntoView {
    let asked = AskedElsewhere::expect();
    let prompt = FocusRefs::expect().prompt;
    let show_own = move |_| {
        asked.show_own();
        page::focus(prompt);
    };
    let close = move |_| {
        asked.close();
        page::focus(prompt);
    };

    view! {
        <OfferLine
            shown=Signal::derive(move || asked.hidden().is_some())
            words=t!(backup.asked_elsewhere)
        >
            <button type="button" on:click=show_own>
                {t!(backup.show_own_question)}
            </button>
            <IconButton label=t!(common.close) icon=IconName::Close on:click=close />
        </OfferLine>
    }
}
