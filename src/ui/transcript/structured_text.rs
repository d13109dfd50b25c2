//! An answer in JSON.

use super::message_state::MessageState;
use crate::ui::markdown::MarkdownText;
use leptos::prelude::*;

/// The fence around the answer; no JSON has so many backticks in a row outside of a string of one line.
const FENCE: &str = "``````````";

/// An answer in JSON as a block of code: as it comes while it runs, with a line for each field when it has
/// ended. What the model reads of it later is the text as it came.
#[component]
pub fn StructuredText() -> impl IntoView {
    let message = MessageState::expect();
    let running = message.running;
    let coming = ArcRwSignal::new(String::new());
    Effect::new({
        let coming = coming.clone();
        move || {
            let text = message.text.get();
            if running.get_untracked() {
                coming.set(format!("{FENCE}json\n{text}"));
            }
        }
    });
    let ended = move || {
        let text = message.text.with_untracked(|text| pretty(text));
        let text = ArcRwSignal::new(format!("{FENCE}json\n{text}\n{FENCE}"));
        view! { <MarkdownText text running /> }
    };

    view! {
        <Show when=move || running.get() fallback=ended>
            <MarkdownText text=coming.clone() running />
        </Show>
    }
}

/// JSON with a line for each field; a text that is none, as half an answer, stays as it is. Only white space
/// changes: numbers and repeated names stay as the model wrote them.
fn pretty(text: &str) -> String {
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let pretty = is_json.then(|| jsonxf::pretty_print(text).ok()).flatten();
    pretty.unwrap_or_else(|| text.to_owned())
}
