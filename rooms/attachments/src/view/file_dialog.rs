//! The text of a file before it goes into the prompt: how long it is, which parts of it go, and the text itself.

use super::encoding_choice::EncodingChoice;
use super::file_part_list::FilePartList;
use crate::{Adding, FileDraft};
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_ui_kit::DialogFrame;
use sash_view::browser::focus_refs::FocusRefs;
use sash_words::{
    count::{self, grouped},
    t,
};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// How many bytes a token has at least, on average: parts of this many bytes for each token surely fit.
const BYTES_PER_TOKEN: u64 = 3;
/// How long the field must be left alone before its text is measured.
const TYPING_PAUSE: Duration = Duration::from_millis(300);

/// The dialog; open while there is a file to look at.
#[component]
pub fn FileDialog() -> impl IntoView {
    let files = Adding::expect().files;
    let shown = Signal::derive(move || files.with(|files| !files.is_empty()));
    let first = Memo::new(move |_| files.with(|files| files.first().cloned()));
    // The same while a file is read again in another encoding.
    let bytes = Memo::new(move |_| {
        first.with(|file| Some(Arc::clone(&file.as_ref()?.encoding.as_ref()?.data)))
    });
    let title = move || {
        first.with(|file| {
            file.as_ref()
                .map(|file| file.name.clone())
                .unwrap_or_default()
        })
    };

    view! {
        <DialogFrame
            class="file-dialog"
            title_id="file-title"
            title=Signal::derive(title)
            shown
            on_close=move || files.update(Vec::clear)
        >
            // Outside of the form, which is another one for the file as it is read again.
            {move || bytes.get().map(|_| view! { <EncodingChoice file=first /> })}
            <ShowLet some=first let:file>
                <FileForm file />
            </ShowLet>
        </DialogFrame>
    }
}

/// One file.
#[component]
fn FileForm(
    /// The file.
    file: FileDraft,
) -> impl IntoView {
    let adding = Adding::expect();
    let prompt = FocusRefs::expect().prompt;
    let attachments = adding.kernel.attachments();
    let room = Memo::new(move |_| adding.room_for_file());
    let (room_before, _) = room.get_untracked();
    let bytes = usize::try_from(room_before.max(100) * BYTES_PER_TOKEN).unwrap_or(usize::MAX);
    let whole: String = file.parts.iter().map(|part| part.text.as_str()).collect();
    let needed = untrack(|| attachments.tokens_of(&whole));
    let mut file = match needed > room_before {
        true => file.divided(bytes),
        false => file,
    };
    choose_first_that_fit(&mut file, room_before, |text| {
        untrack(|| attachments.tokens_of(text))
    });
    let titles: Vec<String> = file.parts.iter().map(|part| part.title.clone()).collect();
    let (part_count, is_cut) = (titles.len(), file.cut);
    let file = RwSignal::new(file);
    let field = NodeRef::<html::Textarea>::new();
    // The text in the field is not copied with each key: it has up to 2 MB.
    let is_edited = StoredValue::new(false);
    let take_over = move || {
        if let Some(field) = field.get_untracked().filter(|_| is_edited.get_value()) {
            is_edited.set_value(false);
            file.update(|file| file.apply_edits(&field.value()));
        }
    };
    field.on_load(move |field| field.set_value(&file.with_untracked(FileDraft::text)));
    let choose = Callback::new(move |(parts, is_chosen): (Range<usize>, bool)| {
        // The text in the field belongs to the parts that were chosen until now.
        take_over();
        file.update(|file| file.choose(parts, is_chosen));
        if let Some(field) = field.get_untracked() {
            field.set_value(&file.with_untracked(FileDraft::text));
        }
    });
    let mut in_pause = debounce(TYPING_PAUSE, move |()| take_over());
    let on_input = move |_| {
        is_edited.set_value(true);
        in_pause(());
    };
    let tokens = Memo::new(move |_| attachments.tokens_of(&file.with(FileDraft::text)));
    let summary = move || {
        let tokens = count::tokens(usize::try_from(tokens.get()).unwrap_or(usize::MAX));
        let (room, is_known) = room.get();
        let assumed = match is_known {
            true => "",
            false => t!(attachments.room_is_assumed),
        };
        t!(
            attachments.parts_and_room,
            tokens = &tokens,
            room = grouped(room),
            assumed = &assumed
        )
    };
    let too_large = move || {
        let (room, _) = room.get();
        if needed <= room {
            return None;
        }
        let words = t!(
            attachments.file_does_not_fit,
            needed = grouped(needed),
            room = grouped(room)
        );
        let raise = adding.context_for_file(needed).map(|tokens| {
            let raise = move |_| {
                adding.kernel.steering().raise_context(tokens);
                choose.run((0..part_count, true));
            };
            view! {
                <button type="button" class="link" on:click=raise>
                    {t!(attachments.raise_context, tokens = grouped(tokens))}
                </button>
            }
        });
        Some(view! { <p class="note" role="status">{words} " " {raise}</p> })
    };
    let cut = is_cut.then(|| {
        view! { <p class="note">{t!(attachments.only_start_read)}</p> }
    });
    let next = move || {
        adding
            .files
            .update(|files| _ = files.drain(..1.min(files.len())));
        page::focus_soon(prompt);
    };
    let add = move |_| {
        let Some(text) = field.get_untracked().map(|field| field.value()) else {
            return;
        };
        if text.trim().is_empty() {
            return;
        }
        adding.put_into_prompt(file.with_untracked(FileDraft::label), text);
        next();
    };
    let is_empty = Memo::new(move |_| file.with(FileDraft::is_blank));
    // Without a part there is nothing that what is written belongs to.
    let has_no_part = Memo::new(move |_| !file.with(FileDraft::has_chosen));

    view! {
        <div class="dialog-body">
        {too_large}
        {cut}
        {(part_count > 1).then(|| view! { <FilePartList titles file on_choose=choose /> })}
        <p id="file-summary" class="library-note">
            {summary}
        </p>
        <textarea
            dir="auto"
            class="file-text"
            autocomplete="off"
            aria-label=t!(attachments.file_text)
            aria-describedby="file-summary"
            spellcheck="false"
            node_ref=field
            readonly=has_no_part
            on:input=on_input
        ></textarea>
        </div>
        <div class="dialog-foot">
            <button type="button" on:click=move |_| next()>
                {t!(attachments.leave_file_out)}
            </button>
            <button type="button" class="primary" autofocus disabled=is_empty on:click=add>
                {t!(attachments.add_to_prompt)}
            </button>
        </div>
    }
}

/// Chooses all parts if they fit; else the first ones that do, at least one.
fn choose_first_that_fit(file: &mut FileDraft, room: u64, tokens: impl Fn(&str) -> u64) {
    let mut left = room;
    let mut fits = true;
    for (at, part) in file.parts.iter_mut().enumerate() {
        let needed = tokens(&part.text);
        fits = fits && needed <= left;
        left = left.saturating_sub(needed);
        part.is_chosen = fits || at == 0;
    }
}
