//! An answer as a component.

use crate::page_hooks;
use crate::tasks::Rendering;
use leptos::prelude::*;
use sash_words::{count::grouped, t};
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{Comment, Element};

/// An answer's text as Markdown. A finished answer that the page may not have been able to show at its last start is
/// folded behind a button.
#[component]
pub fn MarkdownText(
    /// The text; it only grows while `running`, at most once a frame.
    #[prop(into)]
    text: ArcRwSignal<String>,
    /// What is shown before the text.
    #[prop(optional)]
    before: &'static str,
    /// Whether the answer is still being written.
    running: Memo<bool>,
) -> impl IntoView {
    let page = page_hooks::get();
    let chat = (page.chat)();
    let is_empty = text.with_untracked(String::is_empty);
    let folded = RwSignal::new(!running.get_untracked() && !is_empty && (page.is_folded)(&chat));
    let fold = {
        let text = text.clone();
        move || {
            let length = text.with_untracked(|text| text.chars().count());
            view! { <FoldedAnswer length on_show=move || folded.set(false) /> }
        }
    };

    view! {
        <Show when=move || !folded.get() fallback=fold>
            // The blocks have directions of their own: with `dir="auto"` here a browser would search all of them for
            // that of the whole each time one is added.
            <div
                class="markdown"
                data-chat=chat.clone()
                dir="ltr"
                use:follow_text=(text.clone(), before, running)
            ></div>
        </Show>
    }
}

/// What stands in place of an answer that the page may not have been able to show.
#[component]
fn FoldedAnswer(
    /// How many characters the answer has.
    length: usize,
    /// Called when the person wants to see it.
    #[prop(into)]
    on_show: Callback<()>,
) -> impl IntoView {
    view! {
        <div class="folded">
            <p>
                {t!(markdown.collapsed_after_crash, length = grouped(length as u64))}
            </p>
            <button type="button" on:click=move |_| on_show.run(())>
                {t!(markdown.show_answer)}
            </button>
        </div>
    }
}

/// Shows a text in an element and follows it. A directive, since the first blocks must be there when the element is
/// placed: the virtual list measures it in the same task, before an `Effect` would run.
fn follow_text(
    place: Element,
    (text, before, running): (ArcRwSignal<String>, &'static str, Memo<bool>),
) {
    // Leptos puts a comment into an element without children, once its directives have run. What stands in here is the
    // renderer's alone, and the same whether the answer was streamed or loaded.
    let element = place.clone();
    queue_microtask(move || {
        for node in [element.first_child(), element.last_child()] {
            if let Some(comment) = node.and_then(|node| node.dyn_into::<Comment>().ok()) {
                comment.remove();
            }
        }
    });
    let state = RefCell::new(None::<(Rendering, usize)>);
    StoredValue::new_local(RenderEffect::new(move |_: Option<()>| {
        let running = running.get();
        let shown = text.with(|text| {
            // Pass on only the new text: a running answer is long, and the next frame is near.
            let former = state
                .take()
                .and_then(|(former, length)| Some((former, text.get(length..)?)));
            let (rendering, more) = former.unwrap_or_else(|| {
                let rendering = Rendering::new(place.clone());
                if !before.is_empty() {
                    rendering.add(before, true);
                }
                (rendering, text.as_str())
            });
            rendering.add(more, running);
            (rendering, text.len())
        });
        // Of a finished answer only its elements are kept.
        state.replace(Some(shown).filter(|_| running));
    }));
}
