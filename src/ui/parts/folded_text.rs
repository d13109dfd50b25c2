//! A long text that is folded.

use leptos::prelude::*;
use sash_words::t;

/// The most bytes of a text shown while it is folded.
const FOLDED_BYTES: usize = 500;

/// The most lines of a text shown while it is folded.
const FOLDED_LINES: usize = 8;

/// A text; if it is long, its beginning, and a button that shows all of it.
#[component]
pub fn FoldedText(
    /// The whole text.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let unfolded = RwSignal::new(false);
    let is_long = move || text.with(|text| fold_at(text).is_some());
    let shown = move || {
        let mut text = text.get();
        if let Some(at) = fold_at(&text).filter(|_| !unfolded.get()) {
            text.truncate(at);
            text.push('…');
        }
        text
    };

    view! {
        <div>
            <p class="turn-text" dir="auto">
                {shown}
            </p>
            <Show when=is_long>
                <button
                    type="button"
                    class="link"
                    aria-expanded=move || unfolded.get().to_string()
                    on:click=move |_| unfolded.update(|unfolded| *unfolded = !*unfolded)
                >
                    {move || if unfolded.get() { t!(common.show_less) } else { t!(parts.show_all) }}
                </button>
            </Show>
        </div>
    }
}

/// Where a long text is folded: at a character boundary.
fn fold_at(text: &str) -> Option<usize> {
    let line = text.match_indices('\n').nth(FOLDED_LINES - 1);
    let line = line.map(|(at, _)| at);
    let length = (text.len() > FOLDED_BYTES).then(|| text.floor_char_boundary(FOLDED_BYTES));
    match (line, length) {
        (Some(line), Some(length)) => Some(line.min(length)),
        (line, length) => line.or(length),
    }
}
