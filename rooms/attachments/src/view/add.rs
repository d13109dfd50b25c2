//! Adds files that are picked, dropped or pasted.

use super::read_file::{head, read_file};
use crate::{Adding, image_format};
use leptos::ev;
use leptos::html::Textarea;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_use_event_listener::use_event_listener;
use sash_browser_kit::file;
use sash_browser_kit::page;
use sash_chat::Id;
use sash_log::image::SourceFormat;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::browser::image;
use sash_words::t;
use web_sys::{DataTransfer, File};

/// Adds files to the draft, one after the other, and gives the focus to the prompt field. Says why one is not added.
pub fn add_files(adding: Adding, prompt: NodeRef<Textarea>, files: Vec<File>) {
    if files.is_empty() {
        return;
    }
    // The person may open another chat while the files are read.
    let chat = adding.kernel.chats().open_id_untracked();
    spawn_local(adding.read_files(async move {
        let (mut images, mut others) = (Vec::new(), Vec::new());
        for file in files {
            let head = head(&file).await;
            match image_format(&head, &file.name(), &file.type_()) {
                Some(format) => images.push((file, format)),
                None => others.push((file, head)),
            }
        }
        add_images(adding, chat, images).await;
        let mut looked_at = false;
        for (file, head) in others {
            looked_at |= add_text(adding, &file, &head).await;
        }
        // The dialog has the focus otherwise.
        if !looked_at {
            page::focus(prompt);
        }
    }));
}

async fn add_images(adding: Adding, chat: Id, files: Vec<(File, SourceFormat)>) {
    if files.is_empty() {
        return;
    }
    let room = adding.begin(chat, files.len());
    for (file, format) in files.into_iter().take(room) {
        match image::scale(&file, Some(format)).await {
            Ok(scaled) => adding.add(chat, scaled).await,
            Err(why) => adding.refuse(&file.name(), &why.to_string()),
        }
    }
}

/// Shows the text of a file, to be added. Returns whether there is any.
async fn add_text(adding: Adding, file: &File, head: &[u8]) -> bool {
    let kernel = adding.kernel;
    let name = file.name();
    kernel
        .notices()
        .announce(t!(attachments.reading, name = &name));
    match read_file(file, head).await {
        Ok(draft) => {
            adding.files.update(|files| files.push(draft));
            true
        }
        Err(why) => {
            kernel.notices().show(format!("“{name}” {why}"));
            false
        }
    }
}

/// Adds files that are dropped anywhere on the page, and pasted ones. A dialog keeps what is dropped on it. Returns
/// whether files are being dragged over the page.
pub fn use_drop_and_paste(adding: Adding) -> ReadSignal<bool> {
    let prompt = FocusRefs::expect().prompt;
    let (dragged, set_dragged) = signal(false);
    _ = use_event_listener(window(), ev::dragover, move |event| {
        if event.data_transfer().is_some_and(|data| has_files(&data)) && !page::has_dialog() {
            // Without this the browser opens the file in the place of the page.
            event.prevent_default();
            if !dragged.get_untracked() {
                set_dragged.set(true);
            }
        }
    });
    _ = use_event_listener(window(), ev::dragleave, move |event| {
        // From one element to the next the pointer has not left the page.
        if event.related_target().is_none() {
            set_dragged.set(false);
        }
    });
    _ = use_event_listener(window(), ev::drop, move |event| {
        set_dragged.set(false);
        let data = event.data_transfer().filter(has_files);
        if let Some(data) = data.filter(|_| !page::has_dialog()) {
            event.prevent_default();
            add_files(adding, prompt, file::all_dropped(&data));
        }
    });
    _ = use_event_listener(window(), ev::paste, move |event| {
        let Some(event) = file::clipboard_of(&event) else {
            return;
        };
        // Programs that copy text often add an image of it.
        let is_text = event
            .get_data("text/plain")
            .is_ok_and(|text| !text.is_empty());
        let files = file::all_dropped(&event);
        if !is_text && !files.is_empty() && !page::has_dialog() {
            add_files(adding, prompt, files);
        }
    });
    dragged
}

fn has_files(data: &DataTransfer) -> bool {
    // What browsers call files in every language.
    data.types().includes(&"Files".into(), 0)
}
