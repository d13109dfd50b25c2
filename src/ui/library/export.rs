//! Saving chats as files.

use super::Library;
use crate::browser::{clock, file};
use crate::ui::composer::plural;
use crate::ui::dom::{El, button, el, typed};
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_chat::Id;
use sash_log::transfer::{Export, Which, file_name, markdown, text};
use web_sys::Event;

/// What a file is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Lines,
    Markdown,
    Text,
}

const FORMATS: [(Format, &str, &str); 3] = [
    (
        Format::Lines,
        "JSON Lines",
        "complete, and can be imported again",
    ),
    (
        Format::Markdown,
        "Markdown",
        "for reading: the branch that was last read",
    ),
    (Format::Text, "Text", "for reading, without any marks"),
];

/// The section.
pub fn export_section(library: Library) -> El {
    let which = RwSignal::new(Which::All);
    let format = RwSignal::new(Format::Lines);
    let status = RwSignal::new(String::new());
    let busy = RwSignal::new(false);
    let mut choice = el("select")
        .attr("aria-label", "Which chats")
        .attr("id", "export-which")
        .on("change", move |event: Event| {
            which.set(match typed(&event).as_str() {
                "all" => Which::All,
                "trash" => Which::AllAndDeleted,
                id => id.parse().map_or(Which::All, Which::One),
            });
        })
        .child(option("all", "All chats"))
        .child(option("trash", "All chats, and the trash"));
    let chats = library.with_log(|log| log.summaries()).unwrap_or_default();
    for chat in &chats {
        choice = choice.child(option(&chat.id.to_string(), &chat.title));
    }
    let mut formats = el("fieldset").class("choices").attr("aria-label", "Format");
    for (value, name, about) in FORMATS {
        let radio = el("input")
            .attr("type", "radio")
            .attr("name", "export-format")
            .on("change", move |_: Event| format.set(value));
        let radio = match value {
            Format::Lines => radio.attr("checked", ""),
            _ => radio,
        };
        formats = formats.child(
            el("label")
                .child(radio)
                .text(name)
                .child(el("span").class("library-note").text(about)),
        );
    }
    let run = move || {
        let (which, format) = (which.get_untracked(), format.get_untracked());
        busy.set(true);
        spawn_local(async move {
            let (name, pieces) = match format {
                Format::Lines => lines(library, which, status).await,
                _ => readable(library, which, format, status).await,
            };
            let kind = match format {
                Format::Lines => "application/x-ndjson",
                Format::Markdown => "text/markdown",
                Format::Text => "text/plain",
            };
            file::download(&name, kind, pieces);
            let _ = status.try_set(format!("Saved as {name}"));
            let _ = busy.try_set(false);
        });
    };
    el("section")
        .child(el("h3").text("Export"))
        .child(choice)
        .child(formats)
        .child(
            el("div")
                .class("storage-row")
                .child(
                    button("primary")
                        .text("Export")
                        .flag("disabled", move || busy.get())
                        .click(run),
                )
                .child(
                    el("p")
                        .class("library-note")
                        .attr("role", "status")
                        .live_text(move || status.get()),
                ),
        )
}

fn option(value: &str, name: &str) -> El {
    el("option").attr("value", value).text(name)
}

/// The name of a file: of its one chat, or of the day.
fn name(library: Library, which: Which, ending: &str) -> String {
    let title = match which {
        Which::One(chat) => library
            .with_log(|log| log.summary(chat))
            .flatten()
            .map(|s| s.title),
        _ => None,
    };
    let title = title.unwrap_or_else(|| format!("Sash chats {}", clock::day(clock::now())));
    file_name(&title, ending)
}

async fn lines(library: Library, which: Which, status: RwSignal<String>) -> (String, Vec<String>) {
    let mut pieces = Vec::new();
    let export = library.with_log(|log| Export::new(log, which, clock::now()));
    if let Some(mut export) = export {
        while let Some(piece) = library.with_log(|log| export.next(log)).flatten() {
            pieces.push(piece);
            let _ = status.try_set(format!("{} to go", plural(export.left(), "chat")));
            clock::pause().await;
        }
    }
    (name(library, which, "jsonl"), pieces)
}

async fn readable(
    library: Library,
    which: Which,
    format: Format,
    status: RwSignal<String>,
) -> (String, Vec<String>) {
    let ids: Vec<Id> = match which {
        Which::One(chat) => vec![chat],
        _ => {
            let mut all = library.with_log(|log| log.summaries()).unwrap_or_default();
            if which == Which::AllAndDeleted {
                all.extend(library.with_log(|log| log.deleted()).unwrap_or_default());
            }
            all.iter().map(|chat| chat.id).collect()
        }
    };
    let mut pieces = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        let chat = library.with_log(|log| log.load_unpacked(*id)).flatten();
        let Some(chat) = chat else {
            continue;
        };
        if !pieces.is_empty() {
            pieces.push("\n\n---\n\n".to_owned());
        }
        pieces.push(match format {
            Format::Markdown => markdown(&chat, &clock::date),
            _ => text(&chat, &clock::date),
        });
        let _ = status.try_set(format!("{} to go", plural(ids.len() - at, "chat")));
        clock::pause().await;
    }
    let ending = match format {
        Format::Markdown => "md",
        _ => "txt",
    };
    (name(library, which, ending), pieces)
}
