//! A request that does not fit: both sizes, and what can be done.

use super::ComposerState;
use super::overflow_offers::OverflowOffers;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_chat::window::ContextFit;
use sash_stores::{Overflow, OverflowSource};
use sash_words::{count::grouped, t};

/// The line above the composer; empty if the request fits.
#[component]
pub fn OverflowLine() -> impl IntoView {
    let send = ComposerState::expect().enter;
    let kernel = use_kernel();
    let shown = Memo::new(move |_| {
        let chat = kernel.chats().open_id();
        let overflow = kernel.steering().overflow.get();
        // A request to another model is said where that model is chosen.
        let of_chat = |overflow: &Overflow| overflow.chat == chat;
        let is_other = |o: &Overflow| matches!(o.asked, OverflowSource::OtherModel(_));
        overflow.filter(|overflow| of_chat(overflow) && !is_other(overflow))
    });
    // Hide the line when the draft was shortened enough. An effect: the line does not come back when the draft grows again,
    // before it is sent. While the model is not loaded, the context length it
    // had is used.
    Effect::new(move || {
        let room = shown.with(|o| {
            let draft = o
                .as_ref()
                .filter(|o| o.guessed && o.asked == OverflowSource::Draft);
            draft.map(|o| o.context)
        });
        let Some(room) = room else {
            return;
        };
        let now = kernel.steering().context.get().unwrap_or(room);
        if ContextFit::of(kernel.steering().fit.get().1, Some(now)) != ContextFit::Over {
            kernel.steering().overflow.set(None);
        }
    });

    let counted_by = move || {
        let model = kernel.steering().model.get_untracked().unwrap_or_default();
        untrack(|| kernel.engine().title(model.engine.as_deref()))
    };

    view! {
        <div>
            {move || {
                shown
                    .get()
                    .map(|overflow| {
                        view! {
                            <div class="overflow">
                                <p role="alert">{sentence(&overflow, &counted_by())}</p>
                                <div role="status">
                                    <Show when=move || kernel.steering().context.get().is_none()>
                                        <p>
                                            {t!(composer.overflow_room_unknown)}
                                        </p>
                                    </Show>
                                </div>
                                <OverflowOffers overflow send />
                            </div>
                        }
                    })
            }}
        </div>
    }
}

fn sentence(overflow: &Overflow, engine: &str) -> String {
    let (tokens, room) = (grouped(overflow.tokens), grouped(overflow.context));
    if overflow.guessed {
        t!(composer.overflow_expected, tokens = &tokens, room = &room)
    } else {
        t!(
            composer.overflow_refused,
            engine = &engine,
            tokens = &tokens,
            room = &room
        )
    }
}
