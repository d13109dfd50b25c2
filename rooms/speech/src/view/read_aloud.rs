//! Reads an answer aloud, and marks the sentence that is spoken.

use super::spoken::{self, LeftOut, SpokenText};
use crate::{ReadAloud, SpokenSentence};
use leptos::prelude::*;
use sash_chat::Id;
use sash_markdown_view::finish_answers;
use sash_ui_kit::{IconButton, IconName, MenuItem};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::transcript::MessageState;
use sash_virtual_list::AutoScroll;
use sash_words::t;

/// Reads the answer of this row aloud, or stops. Disabled on a device without a voice of its own. Empty for other
/// messages.
#[component]
pub fn ReadAloudItem() -> impl IntoView {
    let read_aloud = ReadAloud::expect();
    let message = MessageState::expect();
    let id = message.id;
    if !message.is_answer() {
        return None;
    }
    read_aloud.find_voices();
    let select = move || match untrack(|| read_aloud.is_reading(id)) {
        true => read_aloud.stop(),
        false => {
            // A long answer is built in slices: all of it is read.
            finish_answers();
            if let Some(spoken) = spoken_text(id) {
                read_aloud.start(id, spoken.text);
            }
        }
    };

    // Browsers may find their voices while the menu is open.
    Some(move || {
        let (icon, label) = match (read_aloud.is_reading(id), read_aloud.has_voice()) {
            (true, _) => (IconName::SpeakerOff, t!(speech.stop_reading)),
            (false, true) => (IconName::Speaker, t!(speech.read_aloud)),
            (false, false) => (IconName::Speaker, t!(speech.read_aloud_no_voice)),
        };
        view! { <MenuItem icon label disabled=!read_aloud.has_voice() on_select=select /> }
    })
}

/// Stops reading; there while the answer of this row is read.
#[component]
pub fn StopReadingButton() -> impl IntoView {
    let read_aloud = ReadAloud::expect();
    let id = MessageState::expect().id;

    view! {
        <Show when=move || read_aloud.is_reading(id)>
            <IconButton
                label=t!(speech.stop_reading)
                icon=IconName::SpeakerOff
                class="stop-reading"
                on:click=move |_| read_aloud.stop()
            />
        </Show>
    }
}

/// Marks the sentence that is spoken, and follows it if the reader does. Shows nothing itself.
#[component]
pub fn FollowReading() -> impl IntoView {
    let sentence = ReadAloud::expect().sentence;
    let log = FocusRefs::expect().conversation;
    let scroll = expect_context::<AutoScroll>();
    Effect::new(move |former: Option<Option<SpokenSentence>>| {
        let now = sentence.get();
        let former = former.flatten();
        let scroller = log.get_untracked();
        let spoken = now.as_ref().and_then(|now| spoken_text(now.message));
        let (Some(now), Some(scroller), Some(spoken)) = (&now, scroller, spoken) else {
            spoken::mark_spoken(None);
            return now;
        };
        let range = spoken.range(&now.at);
        spoken::mark_spoken(range.as_ref());
        let former = former.filter(|former| former.message == now.message);
        let former = former.and_then(|former| spoken.range(&former.at));
        // A reader who scrolled away reads something else.
        let follows = former.is_some_and(|former| spoken::is_in_view(&scroller, &former));
        if let Some(range) = range.filter(|_| follows) {
            spoken::follow_range(&scroller, &range);
            scroll.record_jump();
        }
        Some(now.clone())
    });
}

/// The text of an answer on the page, as it is spoken; `None` while its row is not mounted.
fn spoken_text(id: Id) -> Option<SpokenText> {
    let selector = format!("article[aria-labelledby=h-{id}] .message-text");
    let text = document().query_selector(&selector).ok()??;
    let left_out = LeftOut {
        code: t!(speech.code_left_out),
        formula: t!(speech.formula_left_out),
    };
    Some(SpokenText::of(&text, left_out))
}
