//! Leads from a found message to the words in it.

use super::found;
use crate::AllChats;
use leptos::html::Section;
use leptos::prelude::*;
use sash_chat::Id;
use sash_search::SearchQuery;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::transcript::UnfoldedQuestions;
use sash_virtual_list::AutoScroll;
use std::sync::Arc;

/// How many frames the words are waited for: a long answer is built in several tasks.
const MAX_FRAMES: u32 = 60;

/// Scrolls to the words that a search found, once the message is shown. Shows nothing itself.
#[component]
pub fn FoundWords() -> impl IntoView {
    let all_chats = AllChats::expect();
    let log = FocusRefs::expect().conversation;
    let scroll = expect_context::<AutoScroll>();
    let unfolded = expect_context::<UnfoldedQuestions>();
    Effect::new(move || {
        if let Some((id, query)) = all_chats.found.get() {
            all_chats.found.update_untracked(|found| *found = None);
            unfolded.unfold(id);
            scroll_to_found_words(log, scroll, id, query, MAX_FRAMES);
        }
    });
}

fn scroll_to_found_words(
    log: NodeRef<Section>,
    scroll: AutoScroll,
    id: Id,
    query: Arc<SearchQuery>,
    frames: u32,
) {
    request_animation_frame(move || {
        // `data-shown`: the message was scrolled into view and has focus.
        let shown = format!("article[data-shown][aria-labelledby=h-{id}] .message-text");
        let text = document().query_selector(&shown).ok().flatten();
        let scroller = log.try_get_untracked().flatten();
        let is_found = match (text, scroller) {
            (Some(text), Some(scroller)) => found::show_found(&scroller, &text, &query),
            _ => false,
        };
        if is_found {
            scroll.record_jump();
        } else if frames > 0 {
            scroll_to_found_words(log, scroll, id, query, frames - 1);
        }
    });
}
