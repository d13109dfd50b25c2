//! Files of the draft, and the offer to make a block of a long paste.

use super::{PasteLine, use_drop_and_paste};
use crate::{Adding, Pastes};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::TextFile;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::files::DraftFiles;
use sash_words::t;

/// The offer to make a block of a long paste, the files of the draft, and where files are dropped.
#[component]
pub fn DraftLines() -> impl IntoView {
    let (adding, pastes) = (Adding::expect(), Pastes::expect());
    let prompt = FocusRefs::expect().prompt;
    let dragged = use_drop_and_paste(adding);
    let unfold = Callback::new(move |file: TextFile| {
        pastes.unfold(&file);
        page::focus(prompt);
    });

    view! {
        <PasteLine />
        <DraftFiles
            files=adding.kernel.drafts().files
            on_remove=move |()| page::focus(prompt)
            on_text=unfold
        />
        <Show when=move || dragged.get()>
            <p class="drop-hint" aria-hidden="true">
                {t!(attachments.drop_hint)}
            </p>
        </Show>
    }
}
