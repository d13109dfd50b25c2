//! The open chat's system prompt: written in a dialog of its own, taken from a small library, and given to new
//! chats. Who has one sees it at the top of the transcript and in the panel.

use crate::ui::app::session;
use crate::ui::composer::plural;
use crate::ui::dom::{El, button, dialog, el, live, typed};
use crate::ui::session::{Session, SystemPrompt, Toast, Undo};
use leptos::prelude::*;
use sash_chat::window::Size;
use web_sys::{Event, KeyboardEvent};

/// The dialog.
pub fn system_dialog() -> El {
    let session = session();
    dialog("system", "System prompt", session.system_shown, move || {
        system_editor(session)
    })
}

/// What it says, in one line that opens the dialog; nothing where there is none.
pub fn system_line(session: Session) -> El {
    let text = Memo::new(move |_| {
        let first = |text: &str| text.trim().lines().next().unwrap_or_default().to_owned();
        session
            .open
            .with(|chat| chat.head.system_at(chat.head.system).map(first))
    });
    el("div").choose(
        move || text.get(),
        move |text| {
            Some(
                button("system-line")
                    .attr("aria-haspopup", "dialog")
                    .attr("title", "Edit the system prompt")
                    .child(el("strong").text("System prompt"))
                    .text(" ")
                    .child(el("span").attr("dir", "auto").text(text.as_deref()?))
                    .click(move || session.system_shown.set(true)),
            )
        },
    )
}

/// Its line in the panel: how large it is, and the way to it.
pub fn system_entry(session: Session) -> El {
    let size = Memo::new(move |_| {
        session
            .open
            .with(|chat| chat.head.system_at(chat.head.system).map(Size::of))
    });
    let state = move || match size.get() {
        None => "none".to_owned(),
        Some(size) => {
            let tokens = session.estimate.get().part(size);
            format!("about {}", plural(tokens as usize, "token"))
        }
    };
    let edit = button("")
        .attr("aria-label", "Edit the system prompt")
        .attr("aria-haspopup", "dialog")
        .text("Edit…")
        .click(move || session.system_shown.set(true));
    el("div")
        .class("system-entry")
        .child(el("strong").text("System prompt"))
        .child(el("span").class("turn-tokens").live_text(state))
        .child(edit)
}

/// The field and the library.
fn system_editor(session: Session) -> El {
    let kept = Memo::new(move |_| {
        session.open.with(|chat| {
            let text = chat.head.system_at(chat.head.system);
            (chat.head.id, text.unwrap_or_default().to_owned())
        })
    });
    let text = RwSignal::new(String::new());
    live(move || text.set(kept.get().1));
    let keep = move || keep(session, &text.get_untracked());
    // Escape closes the dialog; what was written until then is kept.
    on_cleanup(move || {
        if let Some(text) = text.try_get_untracked() {
            self::keep(session, &text);
        }
    });
    let field = el("textarea")
        .attr("aria-label", "System prompt")
        .attr("aria-describedby", "system-hint")
        .attr("rows", "6")
        .attr("placeholder", "You are …")
        .value(move || text.get())
        .on("input", move |event: Event| text.set(typed(&event)))
        .on("blur", move |_: Event| keep())
        .on("keydown", move |event: KeyboardEvent| {
            if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
                event.prevent_default();
                keep();
            }
        });
    let hint = el("p")
        .attr("id", "system-hint")
        .class("hint-line")
        .text("How the model is to answer in this chat. It goes first with each question and is not counted as a message. Ctrl+Enter saves it.");
    el("div")
        .class("system-editor")
        .child(field)
        .child(hint)
        .child(for_new_chats(session, text))
        .child(library(session, text))
}

/// One step that can be undone, if it is another prompt.
fn keep(session: Session, text: &str) {
    let same = session.open.with_untracked(|chat| {
        let kept = chat.head.system_at(chat.head.system).unwrap_or_default();
        kept == text || kept.is_empty() && text.trim().is_empty()
    });
    if !same {
        session.set_system(text);
        session.toast.set(Some(Toast {
            text: "System prompt changed".to_owned(),
            undo: Some(Undo::Step),
        }));
    }
}

fn for_new_chats(session: Session, text: RwSignal<String>) -> El {
    let words = move || {
        let default = session.settings.with(|settings| settings.system.clone());
        if default.is_empty() {
            "New chats begin without one."
        } else if default == text.get() {
            "New chats begin with this one."
        } else {
            "New chats begin with another one."
        }
        .to_owned()
    };
    let use_it = move || {
        let text = text.get_untracked();
        let text = if text.trim().is_empty() {
            String::new()
        } else {
            text
        };
        session.change_settings(|settings| settings.system = text);
        session.announce(untrack(words));
    };
    el("div")
        .class("system-row")
        .child(button("").text("Use for new chats").click(use_it))
        .child(el("span").live_text(words))
}

/// System prompts with a name.
fn library(session: Session, text: RwSignal<String>) -> El {
    let name = RwSignal::new(String::new());
    let systems = move || session.settings.with(|settings| settings.systems.clone());
    let chosen = Memo::new(move |_| {
        let all = systems();
        text.with(|text| all.into_iter().find(|known| known.text == *text))
    });
    let list = el("ul")
        .class("system-list")
        .attr("aria-label", "Saved system prompts")
        .each(systems, move |prompt| {
            let (this, prompt) = (prompt.clone(), prompt.clone());
            let pressed = move || chosen.with(|chosen| chosen.as_ref() == Some(&this));
            let choose = button("")
                .live_attr("aria-pressed", move || pressed().to_string())
                .text(&prompt.name)
                .click(move || {
                    text.set(prompt.text.clone());
                    keep(session, &prompt.text);
                });
            el("li").child(choose)
        });
    // Only of the one that is in the field, so that no words are lost by it.
    let delete = move || {
        button("link danger")
            .text("Delete from the library")
            .click(move || {
                if let Some(gone) = chosen.get_untracked() {
                    session.change_settings(|s| s.systems.retain(|known| *known != gone));
                    name.set(gone.name);
                    session.announce("Deleted from the library".to_owned());
                }
            })
    };
    let save = move || {
        let prompt = SystemPrompt {
            name: name.get_untracked().trim().to_owned(),
            text: text.get_untracked(),
        };
        if prompt.name.is_empty() || prompt.text.trim().is_empty() {
            return;
        }
        session.announce(format!("Saved as “{}”", prompt.name));
        session.change_settings(|settings| {
            settings.systems.retain(|known| known.name != prompt.name);
            settings.systems.push(prompt);
        });
        name.set(String::new());
    };
    let nothing = move || text.with(|t| t.trim().is_empty()) || name.with(|n| n.trim().is_empty());
    let form = el("form")
        .class("system-row")
        .on("submit", move |event: Event| {
            event.prevent_default();
            save();
        })
        .child(
            el("input")
                .attr("aria-label", "Name in the library")
                .attr("placeholder", "Name in the library")
                .value(move || name.get())
                .on("input", move |event: Event| name.set(typed(&event))),
        )
        .child(
            el("button")
                .attr("type", "submit")
                .text("Save to the library")
                .flag("disabled", nothing),
        );
    let any = move || {
        session
            .settings
            .with(|settings| !settings.systems.is_empty())
    };
    el("div")
        .class("system-library")
        .when(any, || el("p").class("hint-line").text("Library"))
        .child(list)
        .child(form)
        .when(move || chosen.with(Option::is_some), delete)
}
