//! How it stands with the log, where there is something to say, and what can be done about it.

use super::{Icon, icon_button};
use crate::ui::app::session;
use crate::ui::composer::plural;
use crate::ui::dom::{El, button, el};
use crate::ui::session::{Session, Storage, Unsaved};
use leptos::prelude::*;

/// What is said, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Nothing,
    /// Someone cleared the log.
    Cleared,
    /// Not everything is saved; so many records wait for room.
    Unsaved(Unsaved, usize),
    /// So many records could not be read.
    Unreadable(usize),
    /// So much of the room is used, at least, in parts of a hundred.
    Used(usize),
}

impl Line {
    fn of(storage: Storage) -> Self {
        if storage.cleared {
            return Self::Cleared;
        }
        if let Some(why) = storage.unsaved {
            return Self::Unsaved(why, storage.waiting);
        }
        if storage.unreadable > 0 {
            return Self::Unreadable(storage.unreadable);
        }
        let passed = [95, 85, 70].into_iter().find(|n| storage.percent >= *n);
        passed.map_or(Self::Nothing, Self::Used)
    }

    fn sentence(self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Cleared => "The chats of this page were cleared from outside. What was written in the last day can be brought back.".into(),
            Self::Unsaved(Unsaved::Refused, _) => "Nothing is being saved: this browser refuses storage to the page. The chats live until it is closed.".into(),
            Self::Unsaved(Unsaved::Full, waiting) => format!(
                "Not everything is being saved: the browser’s storage for this page is full, and {} found no room.",
                plural(waiting, "record")
            ),
            Self::Unsaved(Unsaved::Newer, _) => "Nothing is being saved: a newer version of Sash wrote the chats here. Reload the page to get it.".into(),
            Self::Unsaved(Unsaved::Foreign, _) => "Nothing is being saved: another program keeps its data under this address.".into(),
            Self::Unreadable(count) => format!(
                "{} could not be read. What is whole is here; the rest is kept aside.",
                plural(count, "record")
            ),
            Self::Used(percent) => format!("More than {percent} % of the browser’s storage for this page is used."),
        }
    }
}

/// The line.
pub fn storage_line() -> El {
    let session = session();
    // What was closed is not said again, until there is something else to say.
    let closed = RwSignal::new(Line::Nothing);
    let line = Memo::new(move |_| Line::of(session.storage.get()));
    el("div").choose(
        move || (line.get(), closed.get()),
        move |(line, closed_line)| {
            let line = *line;
            (line != Line::Nothing && line != *closed_line).then(|| {
                el("p")
                    .class("banner banner-warning")
                    .child(el("span").text(&line.sentence()))
                    .maybe(offers(session, line, closed))
            })
        },
    )
}

fn offers(session: Session, line: Line, closed: RwSignal<Line>) -> Option<El> {
    let offer = |words: &str, act: Box<dyn Fn()>| button("link").text(words).click(act);
    let library =
        |words: &str, tab: &'static str| offer(words, Box::new(move || session.open_library(tab)));
    let close = || icon_button("Close", Icon::Close).click(move || closed.set(line));
    let offers = el("span").class("banner-offers");
    Some(match line {
        Line::Cleared => offers
            .child(offer(
                "Bring it back",
                Box::new(move || session.bring_back()),
            ))
            .child(offer(
                "Leave it cleared",
                Box::new(move || session.leave_cleared()),
            )),
        Line::Unsaved(Unsaved::Full, _) => offers
            .child(library("Pack or delete…", "storage"))
            .child(library("Export…", "transfer")),
        Line::Unreadable(_) => offers.child(library("Show…", "storage")).child(close()),
        Line::Used(_) => offers
            .child(library("Make room…", "storage"))
            .child(close()),
        Line::Nothing | Line::Unsaved(..) => return None,
    })
}
