//! The room in the browser: how much is used and for what, packing, what was set aside, the journal, and
//! deleting everything.

use super::Library;
use super::confirm::confirm;
use super::gauge::gauge;
use super::sizes::{Sizes, amount};
use crate::browser::journal::BrowserJournal;
use crate::browser::{file, page, storage};
use crate::ui::composer::plural;
use crate::ui::dom::{El, button, el, live};
use crate::ui::session::packing::{IDLE, SETTLED};
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_log::SET_ASIDE;
use sash_log::pack::Gain;
use sash_log::transfer::raw_line;

/// The tab.
pub fn storage_tab(library: Library) -> El {
    let sizes = Memo::new(move |_| {
        library.changed.track();
        let deleted = |chat, message| {
            let is = library.with_log(|log| match message {
                Some(message) => log.is_removed(chat, message),
                None => log.is_deleted(chat),
            });
            is.unwrap_or(false)
        };
        Sizes::count(deleted)
    });
    el("div")
        .class("storage")
        .child(gauge(sizes))
        .child(packing(library))
        .child(set_aside(library, sizes))
        .child(journal(library))
        .child(everything())
}

fn section(title: &str) -> El {
    el("section").child(el("h3").text(title))
}

fn note() -> El {
    el("p").class("library-note")
}

/// What packing would gain, or is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Packing {
    Looking,
    Would(usize, Gain),
    Running,
    Done(Gain),
}

fn packing(library: Library) -> El {
    let since = RwSignal::new(IDLE);
    let state = RwSignal::new(Packing::Looking);
    let look = move |since: u64| {
        state.set(Packing::Looking);
        spawn_local(async move {
            let chats = library.session.idle_chats(since);
            let gain = library.session.packing_gain(&chats).await;
            // The tab may have been left, or something else be asked.
            let _ = state.try_set(Packing::Would(chats.len(), gain));
        });
    };
    live(move || look(since.get()));
    let run = move || {
        let chats = library.session.idle_chats(since.get_untracked());
        state.set(Packing::Running);
        spawn_local(async move {
            let gain = library.session.pack_chats(&chats).await;
            library.say("Packed");
            let _ = state.try_set(Packing::Done(gain));
        });
    };
    let choice = |name: &str, value: u64, checked: bool| {
        let radio = el("input")
            .attr("type", "radio")
            .attr("name", "pack-which")
            .on("change", move |_: web_sys::Event| since.set(value));
        let radio = if checked {
            radio.attr("checked", "")
        } else {
            radio
        };
        el("label").child(radio).text(name)
    };
    let can = move || matches!(state.get(), Packing::Would(_, gain) if gain.messages > 0);
    section("Pack idle chats")
        .child(note().text(
            "Packed chats take about a fifth of the room. They open, and are found, as before.",
        ))
        .child(
            el("fieldset")
                .class("choices")
                .attr("aria-label", "Which chats")
                .child(choice("Not touched for a week", IDLE, true))
                .child(choice(
                    "All but the open one and those of the last hour",
                    SETTLED,
                    false,
                )),
        )
        .child(
            el("div")
                .class("storage-row")
                .child(
                    button("primary")
                        .text("Pack")
                        .flag("disabled", move || !can())
                        .click(run),
                )
                .child(
                    note()
                        .attr("role", "status")
                        .live_text(move || packing_words(state.get())),
                ),
        )
}

fn packing_words(state: Packing) -> String {
    match state {
        Packing::Looking => "Working out what that would gain …".to_owned(),
        Packing::Running => "Packing …".to_owned(),
        Packing::Would(_, gain) if gain.messages == 0 => "There is nothing to pack.".to_owned(),
        Packing::Would(chats, gain) => format!(
            "{} of {}: {} would become {}",
            plural(gain.messages, "message"),
            plural(chats, "chat"),
            amount(gain.before),
            amount(gain.after)
        ),
        Packing::Done(gain) => format!(
            "Packed {}: {} became {}",
            plural(gain.messages, "message"),
            amount(gain.before),
            amount(gain.after)
        ),
    }
}

fn set_aside(library: Library, sizes: Memo<Sizes>) -> El {
    let count = move || sizes.with(|sizes| sizes.set_aside);
    el("div").when(
        move || count() > 0,
        move || {
            section("Records that could not be read")
                .child(note().live_text(move || {
                    format!(
                        "{}, set aside unchanged. A copy may help with mending.",
                        plural(count(), "record")
                    )
                }))
                .child(
                    el("div")
                        .class("storage-row")
                        .child(button("").text("Download").click(|| {
                            file::download("sash-set-aside.txt", "text/plain", vec![aside_text()]);
                        }))
                        .child(confirm(
                            "Delete…",
                            move || {
                                format!(
                                    "{} gone for good?",
                                    plural(sizes.with_untracked(|s| s.set_aside), "record")
                                )
                            },
                            "Keep them",
                            "Delete",
                            move || {
                                storage::remove_all(SET_ASIDE);
                                library.note_change();
                                page::focus_soon("library-storage".to_owned());
                            },
                        )),
                )
        },
    )
}

/// Each record that was set aside, as a line of JSON: its key, and what stands under it, to the last half of a
/// character.
fn aside_text() -> String {
    let mut text = String::new();
    for (key, value) in storage::all(SET_ASIDE) {
        text += &raw_line(&key, &value);
    }
    text
}

fn journal(library: Library) -> El {
    let works = Memo::new(move |_| {
        library.changed.track();
        BrowserJournal.works()
    });
    section("If the browser crashes").child(note().live_text(move || {
        if works.get() {
            "At most the last second of an answer: what the browser has not put on the disk yet is in a journal beside it."
        } else {
            "The last minute may be lost: this browser does not let Sash keep a journal."
        }
        .to_owned()
    }))
}

fn everything() -> El {
    section("Delete everything")
        .child(note().text("All chats, the trash and the settings, here and in the journal. Export first what you want to keep."))
        .child(confirm(
            "Delete everything…",
            || "All chats and settings gone for good? This cannot be undone.".to_owned(),
            "Keep everything",
            "Delete everything",
            || {
                spawn_local(async {
                    storage::delete_everything().await;
                    page::reload();
                });
            },
        ))
}
