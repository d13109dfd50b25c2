//! What was deleted: chats and messages, kept until the person empties the trash.

use super::Library;
use super::confirm::confirm;
use crate::browser::{clock, page};
use crate::ui::composer::plural;
use crate::ui::dom::{El, button, el};
use leptos::prelude::*;
use sash_chat::Id;
use sash_search::{Query, Snippet};

/// Something deleted.
#[derive(Clone, Debug, PartialEq)]
struct Deleted {
    chat: Id,
    /// None: the whole chat.
    message: Option<Id>,
    /// What it is called, or its first words.
    title: String,
    /// What more there is to say.
    about: String,
}

/// The tab.
pub fn trash(library: Library) -> El {
    let all = Memo::new(move |_| {
        library.changed.track();
        deleted(library)
    });
    let rows = el("ul")
        .class("trash-list")
        .each(move || all.get(), move |deleted| row(library, deleted));
    let empty = move || all.with(Vec::is_empty);
    el("div")
        .child(
            el("p")
                .class("library-note")
                .attr("id", "library-first")
                .attr("tabindex", "-1")
                .live_text(move || {
                    all.with(|all| match all.len() {
                        0 => "The trash is empty. What you delete is kept here until you empty it."
                            .to_owned(),
                        _ => format!("{}, kept until you empty the trash.", counted(all)),
                    })
                }),
        )
        .child(rows)
        .when(
            move || !empty(),
            move || {
                confirm(
                    "Empty trash…",
                    move || {
                        let what = all.with_untracked(|all| counted(all));
                        format!("{what} gone for good? This cannot be undone.")
                    },
                    "Keep them",
                    "Remove for good",
                    move || empty_all(library, &all.get_untracked()),
                )
            },
        )
}

/// How many chats and messages.
fn counted(all: &[Deleted]) -> String {
    let messages = all
        .iter()
        .filter(|deleted| deleted.message.is_some())
        .count();
    match (all.len() - messages, messages) {
        (chats, 0) => plural(chats, "chat"),
        (0, messages) => plural(messages, "message"),
        (chats, messages) => format!(
            "{} and {}",
            plural(chats, "chat"),
            plural(messages, "message")
        ),
    }
}

fn deleted(library: Library) -> Vec<Deleted> {
    let chats = library.with_log(|log| log.deleted()).unwrap_or_default();
    let mut all: Vec<Deleted> = chats
        .into_iter()
        .map(|chat| Deleted {
            chat: chat.id,
            message: None,
            title: chat.title,
            about: format!("Chat, last written {}", clock::date(chat.touched)),
        })
        .collect();
    let messages = library
        .with_log(|log| log.removed_messages())
        .unwrap_or_default();
    for removed in messages {
        let (chat, id) = (removed.chat, removed.message.id);
        let mut content = removed.message.content;
        if content.is_empty() {
            // It may be packed.
            let packed = library
                .with_log(|log| log.unpack_messages(chat))
                .unwrap_or_default();
            let found = packed.into_iter().find(|message| message.id == id);
            content = found.map_or_else(String::new, |message| message.content);
        }
        let summary = library.with_log(|log| log.summary(chat)).flatten();
        let of = summary.map_or_else(String::new, |summary| format!(" of “{}”", summary.title));
        let mut title = Snippet::new(&content, &Query::default()).text;
        if title.is_empty() {
            title = "Without words".to_owned();
        }
        all.push(Deleted {
            chat,
            message: Some(id),
            title,
            about: format!("Message{of}, deleted {}", clock::date(removed.at)),
        });
    }
    all
}

fn row(library: Library, deleted: &Deleted) -> El {
    let (chat, message) = (deleted.chat, deleted.message);
    let what = deleted.title.clone();
    let restore = button("")
        .attr("aria-label", &format!("Restore {}", deleted.title))
        .text("Restore")
        .click(move || {
            library.with_log(|log| match message {
                Some(message) => log.restore_message(chat, message),
                None => _ = log.restore(chat),
            });
            library.session.refresh_from_log();
            library.say(&format!("Restored {what}"));
            library.note_change();
            page::focus("library-first");
        });
    el("li")
        .child(
            el("span")
                .class("trash-what")
                .child(
                    el("span")
                        .class("result-title")
                        .attr("dir", "auto")
                        .text(&deleted.title),
                )
                .child(el("span").class("library-note").text(&deleted.about)),
        )
        .child(restore)
}

fn empty_all(library: Library, all: &[Deleted]) {
    let now = clock::now();
    for deleted in all {
        let chat = deleted.chat;
        library.with_log(|log| match deleted.message {
            None => log.purge(chat, now),
            Some(id) => {
                // One that cannot be taken out of its segment now stays in the trash.
                if log.purge_packed(chat, &[id]).is_ok() {
                    log.purge_message(chat, id, now);
                }
            }
        });
    }
    library.session.refresh_from_log();
    library.say("The trash is empty");
    library.note_change();
    page::focus("library-first");
}
