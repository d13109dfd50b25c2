//! The way to the library, which is a program of its own, and back from it.

use super::{Session, Toast};
use crate::browser::{library, page};
use crate::chat::{Id, Message};
use crate::json::{FromJson, parse};
use leptos::prelude::*;
use std::time::Duration;

/// From so much used room on, in parts of a hundred, chats that nobody touched for a month are packed.
const TIDY_FROM: usize = 50;
/// How often it is looked whether what is to be shown is there, and how long between.
const LOOKS: u32 = 60;
const LOOK_EVERY: Duration = Duration::from_millis(50);

const ABSENT: &str = "That part of Sash did not load. Is it still running?";

impl Session {
    /// Listens for what the library wants to be shown, and for the key that opens it.
    pub(super) fn listen_to_library(self) {
        library::on_show(move |chat, message| self.show_found(chat, message));
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

    /// Has old chats packed when room gets short.
    pub(super) fn tidy(self, percent: usize) {
        if percent >= TIDY_FROM {
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

    /// Where a chat is packed, has it unpacked, and opens it then. Whether it is.
    pub(super) fn unpack_first(self, chat: Id) -> bool {
        if self.with_log(|log| log.is_packed(chat)) != Some(true) {
            return false;
        }
        leptos::task::spawn_local(async move {
            let Some(lines) = library::unpack(chat).await else {
                self.tell_toast(ABSENT.to_owned());
                return;
            };
            let read = |line: &str| Message::from_json(&parse(line.as_bytes()).ok()?);
            let messages = lines.lines().filter_map(read).collect();
            self.with_log(|log| log.keep_unpacked(chat, messages));
            self.open_chat(chat);
        });
        true
    }

    /// Shows a chat, and a message of it.
    fn show_found(self, chat: Id, message: Option<Id>) {
        if self.open.with_untracked(|open| open.head.id) != chat {
            self.open_chat(chat);
        }
        self.chats_shown.set(false);
        if let Some(message) = message {
            self.show_message(chat, message, LOOKS);
        }
    }

    /// Shows a message as soon as its chat is there.
    fn show_message(self, chat: Id, message: Id, looks: u32) {
        let there = self
            .open
            .with_untracked(|open| open.head.id == chat && open.get(message).is_some());
        if !there {
            if looks > 0 {
                set_timeout(
                    move || self.show_message(chat, message, looks - 1),
                    LOOK_EVERY,
                );
            }
            return;
        }
        if !self.path.with_untracked(|path| path.contains(&message)) {
            self.walk_to(message);
        }
        // After the frame in which the chat is drawn and takes the focus.
        set_timeout(
            move || page::show_around(&format!("h-{message}")),
            LOOK_EVERY,
        );
    }
}
