//! The words that were written into the frame before the program ran.

use crate::browser::early::{EarlyField, remove_frame};
use leptos::html::Textarea;
use leptos::prelude::*;
use sash_browser_kit::console::LogError;
use sash_browser_kit::text_field::replace_text;
use sash_stores::Kernel;
use web_sys::HtmlTextAreaElement;

/// Takes the words into the field of the page once no word of them is being composed, with caret, focus and the wish to
/// send them, and removes the frame.
pub fn use_early_words(field: NodeRef<Textarea>, kernel: Kernel, enter: Callback<()>) {
    field.on_load(move |field| {
        let Some(early) = EarlyField::find() else {
            return;
        };
        let stored = kernel.drafts().written.get_untracked();
        if !early.is_composing() {
            return take_over(&field, &early, kernel, &stored, enter);
        }
        // Meanwhile the page has the words too: they are saved, and can be sent. No other chat is opened by itself: that
        // would end the word.
        kernel.drafts().set_composing_early(true);
        let joined = kernel.drafts().join_early(&stored, &early.words());
        let last = StoredValue::new(joined);
        let is_untouched = move || {
            let written = kernel.drafts().written;
            written.with_untracked(|now| last.with_value(|last| now == last))
        };
        let (words, composing) = (early.clone(), stored.clone());
        let on_change = move || {
            if is_untouched() {
                last.set_value(kernel.drafts().join_early(&composing, &words.words()));
            }
        };
        let composed = early.clone();
        let on_end = move || {
            kernel.drafts().set_composing_early(false);
            match is_untouched() {
                true => take_over(&field, &composed, kernel, &stored, enter),
                // Sent, or the person opened another chat.
                false => remove_frame(),
            }
        };
        early.follow_composition(on_change, on_end);
    });
}

fn take_over(
    field: &HtmlTextAreaElement,
    early: &EarlyField,
    kernel: Kernel,
    stored: &str,
    enter: Callback<()>,
) {
    let words = early.words();
    let joined = kernel.drafts().join_early(stored, &words);
    if field.value() != joined {
        field.set_value(stored);
    }
    let has_focus = early.has_focus();
    if has_focus {
        field.focus().log_error();
    }
    if field.value() != joined {
        replace_text(field, &joined);
    }
    // Older Safaris give focus to a field whose selection is set.
    if has_focus {
        early.give_place_to(field);
    }
    let is_to_be_sent = early.is_to_be_sent() && kernel.drafts().is_all_early(&words);
    remove_frame();
    if is_to_be_sent {
        enter.run(());
    }
}
