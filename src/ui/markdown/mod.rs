//! placeholder
use leptos::prelude::*;
#[component]
pub fn MarkdownView(text: ArcRwSignal<String>, running: Signal<bool>) -> impl IntoView {
    let _ = running;
    move || text.get()
}
