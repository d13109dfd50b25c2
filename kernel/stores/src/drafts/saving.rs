//! Writes the draft to the log, at most once a second while the person types, and takes what other tabs write.

use super::Drafts;
use reactive_graph::prelude::*;
use sash_chat::{Id, Image};
use sash_log::Draft;
use std::time::Duration;

/// For this long after the last keystroke another tab's version does not replace the draft, in
/// milliseconds.
const TYPING_MS: f64 = 3000.0;

impl Drafts {
    /// Schedules a write after the draft changed.
    pub(super) fn record_change(self) {
        self.follow_aside();
        self.follow_filled();
        if !self.is_unwritten() {
            self.kept.update_value(|drafts| drafts.pace.cancel());
            return;
        }
        let now = self.edges.monotonic();
        // While a result or another field is typed, the composer may be empty all the time.
        let is_elsewhere = self.kept.with_value(|drafts| {
            let Draft {
                text,
                results,
                fields,
                ..
            } = &drafts.kept;
            let has_new_result = |now: &Vec<_>| !now.is_empty() && now != results;
            let has_new_field = |now: &Vec<_>| !now.is_empty() && now != fields;
            text.is_empty()
                && (self.results.with_untracked(has_new_result)
                    || self.fields.with_untracked(has_new_field))
        });
        if !is_elsewhere && self.draft.with_untracked(|text| text.trim().is_empty()) {
            // What was written is sent or emptied.
            self.write();
            return;
        }
        let wait = self.kept.try_update_value(|drafts| {
            drafts.typed = now;
            drafts.pace.on_change(now)
        });
        if let Some(wait) = wait.flatten() {
            let write = move || {
                let now = self.edges.monotonic();
                if self.kept.with_value(|drafts| drafts.pace.is_due(now)) {
                    self.write();
                }
            };
            self.edges
                .after(Duration::from_millis(wait.ceil() as u64), write);
        }
    }

    pub(super) fn is_unwritten(self) -> bool {
        self.kept.with_value(|drafts| {
            let Draft {
                text,
                images,
                results,
                fields,
                is_filled,
            } = &drafts.kept;
            let is_other_text = self.aside.with_untracked(|aside| match aside {
                Some(aside) => aside.own != *text,
                None => self.draft.with_untracked(|now| now != text),
            });
            is_other_text
                || !self.has_own_images(images)
                || self.results.with_untracked(|now| now != results)
                || self.fields.with_untracked(|now| now != fields)
                || self.is_own_filled() != *is_filled
        })
    }

    /// The draft of a chat as the log has it.
    pub(super) fn stored(self, chat: Id) -> Draft {
        self.storage()
            .with_log(|log| log.draft(chat))
            .unwrap_or_default()
    }

    /// Takes what the log has of the open chat's draft; an earlier question stays in the composer.
    pub(super) fn take_stored(self, mut stored: Draft) {
        self.kept
            .update_value(|drafts| drafts.kept.clone_from(&stored));
        if self.aside.with_untracked(Option::is_some) {
            let own = std::mem::replace(&mut stored.text, self.draft.get_untracked());
            let added = self.images.get_untracked();
            let mut images = std::mem::replace(&mut stored.images, added.clone());
            images.retain(|image| !added.contains(image));
            self.aside.update(|aside| {
                if let Some(aside) = aside {
                    (aside.own, aside.images) = (own, images);
                }
            });
            self.mark_filled(stored.is_filled);
        }
        self.show(stored);
    }

    /// Writes the draft if it changed since the last write.
    pub fn write(self) {
        if !self.is_unwritten() {
            return;
        }
        let chat = self.kept.with_value(|drafts| drafts.chat);
        let theirs = self.stored(chat);
        let draft = self
            .kept
            .with_value(|drafts| self.current().merged(&drafts.kept, theirs));
        // If storage is full, the log keeps the record in memory and the page says so.
        self.storage()
            .write(|log| log.save_draft(chat, draft.clone(), self.edges.now()));
        self.kept.update_value(|drafts| {
            let previews: usize = draft.images.iter().map(|image| image.preview.len()).sum();
            let results = draft.results.iter().flat_map(|result| &result.texts);
            let results: usize = results.map(String::len).sum();
            let fields: usize = draft.fields.iter().map(|field| field.text.len()).sum();
            let bytes = draft.text.len() + previews + results + fields;
            drafts.pace.on_write(bytes, self.edges.monotonic());
        });
        self.take_stored(draft);
    }

    /// Puts a prompt into the composer in the place of what is there, and writes it to the log at once. Returns whether it was
    /// written; if not, everything is as it was.
    pub fn replace(self, text: &str, images: Vec<Image>) -> bool {
        let former = self.current();
        let chat = self.kept.with_value(|drafts| drafts.chat);
        let draft = Draft {
            text: text.to_owned(),
            images,
            is_filled: false,
            results: former.results.clone(),
            fields: former.fields.clone(),
        };
        let theirs = self.stored(chat);
        let draft = self
            .kept
            .with_value(|drafts| draft.merged(&drafts.kept, theirs));
        let now = self.edges.now();
        let save = |draft: Draft| self.storage().write(|log| log.save_draft(chat, draft, now));
        if !save(draft.clone()) {
            // What found no room must not be written later.
            save(former);
            return false;
        }
        self.kept.update_value(|drafts| drafts.kept = draft.clone());
        self.aside.set(None);
        self.show(draft);
        true
    }

    /// Applies a draft that another tab wrote or removed. A draft that is being edited in this tab
    /// is kept.
    pub fn on_storage_event(self, chat: Id) {
        let is_typed = self.kept.with_value(|drafts| {
            drafts.chat != chat || self.edges.monotonic() - drafts.typed < TYPING_MS
        });
        if is_typed || self.is_unwritten() {
            return;
        }
        self.take_stored(self.stored(chat));
    }
}
