//! The button that jumps to the end of the transcript.

use super::auto_scroll::AutoScroll;
use crate::ui::parts::{Icon, IconName};
use leptos::prelude::*;

/// A button that scrolls to the end, shown while the reader is elsewhere.
#[component]
pub fn JumpToLatest() -> impl IntoView {
    let scroll = expect_context::<AutoScroll>();
    view! {
        <div class="jump-place">
            <Show when=move || !scroll.at_end.get()>
                <button type="button" class="jump" on:click=move |_| scroll.jump()>
                    <Icon name=IconName::Down />
                    "Jump to latest"
                </button>
            </Show>
        </div>
    }
}
