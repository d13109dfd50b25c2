//! A long text that is folded.

use crate::markdown_text::MarkdownText;
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
    /// Whether it is Markdown of a model and shown as such; else it is shown as it is written.
    #[prop(optional)]
    rendered: bool,
) -> impl IntoView {
    let unfolded = RwSignal::new(false);
    let is_long = move || text.with(|text| fold_at(text).is_some());
    let shown = move || {
        let mut text = text.get();
        if let Some(at) = fold_at(&text).filter(|_| !unfolded.get()) {
            let at = match rendered {
                true => before_formula(&text, at),
                false => at,
            };
            text.truncate(at);
            text.push('…');
        }
        text
    };

    view! {
        <div>
            {match rendered {
                true => {
                    let finished = Memo::new(|_| false);
                    view! {
                        // The source stays in the page: tests compare it with what is sent.
                        <p class="turn-text" hidden>
                            {shown}
                        </p>
                        <div class="turn-rendered">
                            {move || {
                                view! { <MarkdownText text=ArcRwSignal::new(shown()) running=finished /> }
                            }}
                        </div>
                    }
                        .into_any()
                }
                false => {
                    view! {
                        <p class="turn-text" dir="auto">
                            {shown}
                        </p>
                    }
                        .into_any()
                }
            }}
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

/// The most bytes that are left out for a formula: a text with a single dollar sign seems to be in one to its end.
const FORMULA_BYTES: usize = 120;

/// The last space before `at` that is in no formula: half of one would be shown as its source.
fn before_formula(text: &str, at: usize) -> usize {
    let is_outside = |end: usize| {
        let before = text.get(..end).unwrap_or_default();
        let count = |mark: &str| before.matches(mark).count();
        let double = count("$$");
        let single = count("$") - 2 * double;
        double.is_multiple_of(2)
            && single.is_multiple_of(2)
            && count(r"\(") == count(r"\)")
            && count(r"\[") == count(r"\]")
    };
    let before = text.get(..at).unwrap_or_default();
    let spaces = before.char_indices().rev();
    let least = at.saturating_sub(FORMULA_BYTES);
    let mut spaces = spaces
        .take_while(|(end, _)| *end >= least)
        .filter(|(end, c)| *end > 0 && c.is_whitespace());
    let last = spaces.find(|(end, _)| is_outside(*end));
    last.map_or(at, |(end, _)| end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_browser);

    #[wasm_bindgen_test]
    fn a_rendered_text_is_cut_outside_of_formulas() {
        for (text, kept) in [
            ("one two three", "one two"),
            (r"so $a + b + c$ is", "so"),
            (r"so \(a + b + c\) is", "so"),
            (r"so $$a + b$$", "so"),
            (r"$a + b + c + d", "$a + b + c"),
        ] {
            let at = before_formula(text, 10);
            assert_eq!(text.get(..at), Some(kept), "{text}");
        }
        // The price is no formula, and the text behind it is not left out.
        let price = format!("It costs $5 and {}", "more ".repeat(60));
        assert!(before_formula(&price, 200) > 100);
    }
}
