//! Exports chats as the pieces of a file.

use crate::{Export, ExportScope, ExportSettings, file_name, leave_out_systems, markdown, text};
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_browser_kit::file::{self, FileParts};
use sash_chat::{Id, ImageHash};
use sash_form::image_line;
use sash_stores::edges::{Images, ImagesUnavailable};
use sash_stores::{Kernel, PartStore};
use sash_view::browser::image_store::BrowserImages;
use sash_words::{count, t};
use std::collections::BTreeSet;

/// The format of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One record per line, which can be imported again.
    Lines,
    /// Markdown for reading.
    Markdown,
    /// Plain text for reading.
    Text,
}

impl Format {
    /// All formats, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Lines, Self::Markdown, Self::Text];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "JSON Lines",
            Self::Markdown => t!(export.markdown),
            Self::Text => t!(common.plain_text),
        }
    }

    /// Its purpose.
    pub fn about(self) -> &'static str {
        match self {
            Self::Lines => t!(export.format_complete),
            Self::Markdown => t!(export.format_markdown_hint),
            Self::Text => t!(export.format_text_hint),
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Lines => "application/x-ndjson",
            Self::Markdown => "text/markdown",
            Self::Text => "text/plain",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Lines => "jsonl",
            Self::Markdown => "md",
            Self::Text => "txt",
        }
    }
}

/// Saves chats as a file; `status` shows the progress. A file for reading has system prompts only if `with_systems`.
pub async fn save(
    kernel: Kernel,
    settings: PartStore<ExportSettings>,
    which: ExportScope,
    format: Format,
    with_systems: bool,
    status: RwSignal<String>,
) {
    // The tab may have been left.
    let say = move |words| _ = status.try_set(words);
    let (parts, unread) = match format {
        Format::Lines => {
            let export = kernel
                .storage()
                .with_log(|log| Export::new(log, which, clock::now()));
            lines(kernel, export, &say).await
        }
        _ => (readable(kernel, which, format, with_systems, &say).await, 0),
    };
    if format == Format::Lines && !matches!(which, ExportScope::One(_)) {
        let now = clock::now();
        settings.change(|settings| settings.exported = now);
    }
    say(download(&title(kernel, which), format, parts, unread));
}

/// Saves some chats as JSON Lines. Returns what is said of it.
pub async fn export_chats(kernel: Kernel, chats: Vec<Id>) -> String {
    let now = clock::now();
    let export = kernel.storage().with_log(|log| Export::of(log, chats, now));
    let (parts, unread) = lines(kernel, export, &|_| ()).await;
    download(&title_of_day(), Format::Lines, parts, unread)
}

/// Hands a file to the browser. Returns what is said of it.
fn download(title: &str, format: Format, parts: FileParts, unread: usize) -> String {
    let name = file_name(title, format.extension());
    file::download(&name, format.media_type(), parts);
    saved_words(&name, unread)
}

/// What is said of a file, and of images that could not be read; they may still be kept.
pub fn saved_words(name: &str, unread: usize) -> String {
    let unread = match unread {
        0 => String::new(),
        n => t!(export.saved_without_images, images = count::images(n)),
    };
    t!(export.saved_as, name = &name, unread = &unread)
}

/// The title of the file: that of a single chat, or the date.
fn title(kernel: Kernel, which: ExportScope) -> String {
    let title = match which {
        ExportScope::One(chat) => kernel.chats().title_now(chat),
        _ => String::new(),
    };
    match title.is_empty() {
        true => title_of_day(),
        false => title,
    }
}

fn title_of_day() -> String {
    t!(export.sash_chats, now = clock::day(clock::now()))
}

/// The lines of the file, and how many images could not be read.
async fn lines(kernel: Kernel, export: Option<Export>, say: &dyn Fn(String)) -> (FileParts, usize) {
    let parts = FileParts::default();
    let Some(mut export) = export else {
        return (parts, 0);
    };
    while let Some(piece) = kernel.storage().with_log(|log| export.next(log)).flatten() {
        parts.push(&piece);
        say(t!(
            export.chats_left,
            chats = count::chats(export.remaining())
        ));
        clock::pause().await;
    }
    let say_left = |left| {
        let left = count::images(left);
        say(t!(export.left_to_go, left = &left));
    };
    let unread = push_images(&parts, export.images(), &say_left).await;
    (parts, unread)
}

/// Adds the lines of images to a file. Returns how many could not be read.
pub async fn push_images(
    parts: &FileParts,
    images: &BTreeSet<ImageHash>,
    say_left: &dyn Fn(usize),
) -> usize {
    let mut unread = 0;
    for (at, hash) in images.iter().enumerate() {
        match BrowserImages.read(*hash).await {
            Ok(Some(bytes)) => parts.push_blob(&image_line(*hash, &bytes)),
            // Without its bytes a message keeps its preview.
            Ok(None) => {}
            Err(ImagesUnavailable) => unread += 1,
        }
        say_left(images.len() - at);
    }
    unread
}

async fn readable(
    kernel: Kernel,
    which: ExportScope,
    format: Format,
    with_systems: bool,
    say: &dyn Fn(String),
) -> FileParts {
    let ids = ids(kernel, which);
    let parts = FileParts::default();
    for (at, id) in ids.iter().enumerate() {
        let chat = kernel.storage().with_log(|log| log.load(*id)).flatten();
        let Some(mut chat) = chat else {
            continue;
        };
        if !with_systems {
            leave_out_systems(&mut chat.head);
        }
        if !parts.is_empty() {
            parts.push("\n\n---\n\n");
        }
        parts.push(&match format {
            Format::Markdown => markdown(&chat, &clock::date),
            _ => text(&chat, &clock::date),
        });
        say(t!(export.chats_left, chats = count::chats(ids.len() - at)));
        clock::pause().await;
    }
    parts
}

fn ids(kernel: Kernel, which: ExportScope) -> Vec<Id> {
    if let ExportScope::One(chat) = which {
        return vec![chat];
    }
    let ids = kernel.storage().with_log(|log| {
        let mut all = log.chat_list();
        if which == ExportScope::AllAndDeleted {
            all.extend(log.deleted());
        }
        all.iter().map(|chat| chat.id).collect()
    });
    ids.unwrap_or_default()
}
