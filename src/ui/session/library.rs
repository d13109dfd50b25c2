//! The way to the library, which is a program of its own, and back from it.

use super::{Session, Toast};
use crate::browser::{library, page};
use leptos::prelude::*;
use sash_chat::json::{FromJson, parse};
use sash_chat::{Id, Message};

/// From so much used room on, in parts of a hundred, chats that nobody touched for a month are packed.
const TIDY_FROM: usize = 50;
const ABSENT: &str = "That part of Sash did not load. Is it still running?";

impl Session {
    /// Listens for the key that opens the library.
    pub(super) fn listen_to_library(self) {
        page::on_search_key(move || self.open_library("search"));
    }

    /// Opens the library at a tab.
    pub fn open_library(self, tab: &'static str) {
        leptos::task::spawn_local(async move {
            if !library::open(tab).await {
                self.tell_toast(ABSENT.to_owned());
            }
        });
    }

    /// Has old chats packed when room gets short, once.
    pub(super) fn tidy(self, percent: usize) {
        if percent >= TIDY_FROM && !self.tidied.get_value() {
            self.tidied.set_value(true);
            leptos::task::spawn_local(async move {
                if let Some(text) = library::tidy().await {
                    self.tell_toast(text);
                }
            });
        }
    }

    fn tell_toast(self, text: String) {
        self.toast.set(Some(Toast { text, undo: None }));
    }

    /// Notes that another chat is about to be shown: one that is still being unpacked comes too late.
    pub(super) fn overtake(self) {
        self.showing.update_value(|n| *n = n.wrapping_add(1));
    }

    /// Where a chat is packed, has it unpacked and calls back then, unless it was [overtaken](Self::overtake). Whether
    /// it is.
    pub(super) fn unpack_first(self, chat: Id, then: Box<dyn FnOnce()>) -> bool {
        if self.with_log(|log| log.is_packed(chat)) != Some(true) {
            return false;
        }
        let showing = self.showing.get_value();
        leptos::task::spawn_local(async move {
            let lines = library::unpack(chat).await;
            let is_current = self.showing.get_value() == showing;
            let Some(lines) = lines else {
                if is_current {
                    self.tell_toast(ABSENT.to_owned());
                }
                return;
            };
            let read = |line: &str| Message::from_json(&parse(line.as_bytes()).ok()?);
            let messages = lines.lines().filter_map(read).collect();
            self.with_log(|log| log.keep_unpacked(chat, messages));
            if is_current {
                then();
            }
        });
        true
    }
}
