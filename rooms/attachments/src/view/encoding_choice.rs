//! The encoding in which a file was read.

use super::read_file::read_again;
use crate::{Adding, FileDraft};
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_stores::Tickets;
use sash_words::t;
use std::sync::Arc;
use web_sys::{Event, HtmlSelectElement};

/// The encodings to choose from, by the languages that were written in them.
fn encodings() -> [(&'static str, &'static [&'static str]); 15] {
    [
        ("Unicode", &["UTF-8", "UTF-16LE", "UTF-16BE"]),
        (
            t!(attachments.encoding_western),
            &["windows-1252", "ISO-8859-15", "macintosh"],
        ),
        (
            t!(attachments.encoding_central_european),
            &["windows-1250", "ISO-8859-2"],
        ),
        (
            t!(attachments.encoding_cyrillic),
            &["windows-1251", "KOI8-R", "KOI8-U", "IBM866", "ISO-8859-5"],
        ),
        (
            t!(attachments.encoding_greek),
            &["windows-1253", "ISO-8859-7"],
        ),
        (t!(attachments.encoding_turkish), &["windows-1254"]),
        (
            t!(attachments.encoding_hebrew),
            &["windows-1255", "ISO-8859-8"],
        ),
        (
            t!(attachments.encoding_arabic),
            &["windows-1256", "ISO-8859-6"],
        ),
        (
            t!(attachments.encoding_baltic),
            &["windows-1257", "ISO-8859-4"],
        ),
        (t!(attachments.encoding_vietnamese), &["windows-1258"]),
        (t!(attachments.encoding_thai), &["windows-874"]),
        (
            t!(attachments.encoding_chinese_simplified),
            &["GBK", "gb18030"],
        ),
        (t!(attachments.encoding_chinese_traditional), &["Big5"]),
        (
            t!(attachments.encoding_japanese),
            &["Shift_JIS", "EUC-JP", "ISO-2022-JP"],
        ),
        (t!(attachments.encoding_korean), &["EUC-KR"]),
    ]
}

/// Whether two drafts are the same file, in whatever encoding each was read.
fn is_same_file(one: &FileDraft, other: &FileDraft) -> bool {
    let bytes = |file: &FileDraft| Some(Arc::clone(&file.encoding.as_ref()?.data));
    one.name == other.name && bytes(one) == bytes(other)
}

/// Says in which encoding the first file was read, and reads it again in another one. Another file needs another choice:
/// what is in the list beside the usual encodings is that in which this one was read first.
#[component]
pub fn EncodingChoice(
    /// The file.
    #[prop(into)]
    file: Signal<Option<FileDraft>>,
) -> impl IntoView {
    let adding = Adding::expect();
    let encoding =
        Memo::new(move |_| file.with(|file| Some(file.as_ref()?.encoding.as_ref()?.name.clone())));
    let unreadable = Memo::new(move |_| {
        let is_unreadable = |c: &char| *c == char::REPLACEMENT_CHARACTER;
        file.with(|file| {
            let parts = file.iter().flat_map(|file| &file.parts);
            let chars = parts.flat_map(|part| part.text.chars());
            u32::try_from(chars.filter(is_unreadable).count()).unwrap_or(u32::MAX)
        })
    });
    let choices = Tickets::new();
    let choose = move |event: Event| {
        let select: HtmlSelectElement = event_target(&event);
        let chosen = select.value();
        let Some(read) = file.get_untracked() else {
            return;
        };
        let choice = choices.begin();
        spawn_local(async move {
            let again = read_again(&read, &chosen).await;
            // Another encoding was chosen while the file was read in this one, or the dialog is closed.
            if !choice.is_current() {
                return;
            }
            match again {
                Ok(again) => adding.files.update(|files| {
                    // The person may have added it, or left it out, meanwhile.
                    let is_same = |first: &&mut FileDraft| is_same_file(first, &read);
                    if let Some(first) = files.first_mut().filter(is_same) {
                        *first = again;
                    }
                }),
                Err(why) => adding
                    .kernel
                    .notices()
                    .show(format!("“{}” {why}", read.name)),
            }
            // The text may still be in the former encoding.
            if let Some(name) = encoding.try_get_untracked().flatten() {
                select.set_value(&name);
            }
        });
    };
    let groups = encodings().map(|(language, names)| {
        let options = names
            .iter()
            .map(|name| view! { <option value=*name>{*name}</option> });
        view! { <optgroup label=language>{options.collect_view()}</optgroup> }
    });
    let is_listed = |name: &str| encodings().iter().any(|(_, names)| names.contains(&name));
    // One that is detected and not in the list.
    let other = encoding
        .get_untracked()
        .filter(|name| !is_listed(name))
        .map(|name| view! { <option value=name.clone()>{name.clone()}</option> });

    view! {
        <p class="file-encoding">
            <label>
                {t!(attachments.read_as)} " "
                <select
                    dir="ltr"
                    aria-describedby="file-encoding-hint"
                    prop:value=move || encoding.get().unwrap_or_default()
                    on:change=choose
                >
                    {other}
                    {groups.into_iter().collect_view()}
                </select>
            </label>
            <span id="file-encoding-hint" class="library-note" role="status">
                {t!(attachments.garbled_text)}
                {move || {
                    let count = unreadable.get();
                    (count > 0)
                        .then(|| {
                            format!(" {}", t!(attachments.unreadable_characters, count = count))
                        })
                }}
            </span>
        </p>
    }
}
