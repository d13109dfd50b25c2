//! A question as it was written. A long one is folded: most of what is pasted is not read again.

use crate::browser::page;
use crate::ui::composer::grouped;
use crate::ui::dom::{El, button, el, live};
use crate::ui::session::Session;
use leptos::prelude::*;
use sash_chat::{Id, shown_lines};
use sash_markdown::visible;
use std::collections::HashSet;

/// A question of more lines is folded.
const WHOLE_LINES: usize = 20;

/// The long questions that are shown whole, for as long as their chat is open: their rows come and go with what is
/// near.
#[derive(Clone, Copy)]
pub struct Unfolded(StoredValue<HashSet<Id>>);

impl Unfolded {
    /// None so far; none again when another chat is opened.
    pub fn new(session: Session) -> Self {
        let unfolded = StoredValue::new(HashSet::new());
        let open = Memo::new(move |_| session.open_id());
        live(move || {
            open.track();
            unfolded.update_value(HashSet::clear);
        });
        Self(unfolded)
    }

    fn contains(self, id: Id) -> bool {
        self.0.with_value(|ids| ids.contains(&id))
    }

    fn toggle(self, id: Id) {
        self.0.update_value(|ids| {
            if !ids.remove(&id) {
                ids.insert(id);
            }
        });
    }
}

/// The question.
pub fn said(id: Id, text: &str, unfolded: Unfolded) -> El {
    let lines = shown_lines(text);
    let words = el("div")
        .class("message-text said")
        .attr("id", &format!("said-{id}"))
        .attr("dir", "auto")
        .text(&visible(text));
    if lines <= WHOLE_LINES {
        return words;
    }
    let folded = RwSignal::new(!unfolded.contains(id));
    let all = format!("Show all {} lines", grouped(lines as u64));
    let unfold = button("link fold")
        .attr("aria-controls", &format!("said-{id}"))
        .live_attr("aria-expanded", move || (!folded.get()).to_string())
        .live_text(move || match folded.get() {
            true => all.clone(),
            false => "Show less".to_owned(),
        })
        .click(move || {
            unfolded.toggle(id);
            folded.set(!unfolded.contains(id));
            if folded.get_untracked() {
                // Much went: the reader is brought back to the question.
                page::bring_near(format!("said-{id}"));
            }
        });
    el("div")
        .child(words.flag("data-folded", move || folded.get()))
        .child(unfold)
}
