//! Long texts that are pasted into the composer: each may become a block, which is a file of the prompt, and a block text
//! again.

use crate::settings::{LongPaste, PasteSettings, PasteSettingsStoreFields};
use crate::text_parts::with_line_feeds;
use reactive_graph::computed::Memo;
use reactive_graph::owner::{StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, MAX_TEXT_BYTES, TextFile};
use sash_stores::{Kernel, PartStore, uses};
use sash_words::t;

/// From how many characters a pasted text is long.
const LONG_CHARS: usize = 4000;
/// From how many lines it is.
const LONG_LINES: usize = 60;

/// Long texts that are pasted into the composer.
#[derive(Clone, Copy)]
pub struct Pastes {
    kernel: Kernel,
    /// Its settings.
    pub settings: PartStore<PasteSettings>,
    /// The text that was pasted last and may become a block, and in which chat.
    pasted: RwSignal<Option<(Id, String)>>,
    /// The last change between block and text, which the browser's undo and redo of the text takes along.
    swapped: StoredValue<Option<Swapped>>,
    /// Whether a pasted text may become a block: it still stands in the field as it was pasted.
    pub is_offered: Memo<bool>,
}

uses!(Pastes.kernel: notices chats drafts);

/// A block that became text, or text that became a block.
#[derive(Clone)]
struct Swapped {
    chat: Id,
    /// The block.
    file: TextFile,
    /// What is in the field beside the block.
    beside: String,
    /// What is in the field with its text.
    unfolded: String,
}

impl Pastes {
    /// Creates the store.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let (chats, drafts) = (kernel.chats(), kernel.drafts());
        let pasted: RwSignal<Option<(Id, String)>> = RwSignal::new(None);
        let is_offered = Memo::new(move |_| {
            pasted.with(|pasted| {
                pasted.as_ref().is_some_and(|(chat, text)| {
                    *chat == chats.open_id() && drafts.written.with(|now| now.contains(text))
                })
            })
        });
        Self {
            kernel,
            settings: kernel.settings().part(),
            pasted,
            swapped: StoredValue::new(None),
            is_offered,
        }
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Handles a text that is being pasted into the field. Returns whether it became a block, so that the browser must not
    /// put it into the field.
    pub fn on_paste(self, text: &str) -> bool {
        let text = with_line_feeds(text.to_owned());
        // Of a file there is no more either; as text it stands where it was pasted.
        if !is_long(&text) || text.len() > MAX_TEXT_BYTES {
            return false;
        }
        let mode = self.settings.current.long_paste().get_untracked();
        match mode {
            LongPaste::Never => false,
            LongPaste::Ask => {
                self.pasted
                    .set(Some((self.chats().open_id_untracked(), text)));
                false
            }
            LongPaste::Always => {
                _ = self.add_block(text);
                true
            }
        }
    }

    /// Makes a block of the text that was pasted last.
    pub fn fold(self) {
        let Some((_, text)) = self.pasted.get_untracked() else {
            return;
        };
        self.pasted.set(None);
        let unfolded = self.drafts().written.get_untracked();
        // It is text that was changed since.
        let Some((before, after)) = unfolded.split_once(&text) else {
            return;
        };
        let beside = format!("{before}{after}").trim_matches('\n').to_owned();
        self.drafts().written.set(beside.clone());
        let file = self.add_block(text);
        self.record_swapped(file, beside, unfolded);
    }

    /// Leaves the text that was pasted last as it is.
    pub fn dismiss(self) {
        self.pasted.set(None);
    }

    /// Puts the text of a file into the field, before what is written there, and takes the file out.
    pub fn unfold(self, file: &TextFile) {
        let text = file.text.trim_end_matches('\n');
        let written = self
            .drafts()
            .written
            .with_untracked(|written| match written.is_empty() {
                true => text.to_owned(),
                false => format!("{text}\n\n{written}"),
            });
        self.take_out(file);
        let beside = self.drafts().written.get_untracked();
        self.record_swapped(file.clone(), beside, written.clone());
        self.drafts().written.set(written);
        self.notices().announce(t!(attachments.block_is_text_again));
    }

    /// Follows the browser's undo and redo in the field: with its text the block is gone, without it the block is there.
    pub fn follow_undo(self, written: &str) {
        let Some(swapped) = self.swapped.get_value() else {
            return;
        };
        let is_there = self
            .drafts()
            .files
            .with_untracked(|files| files.contains(&swapped.file));
        if swapped.chat != self.chats().open_id_untracked() || swapped.beside == swapped.unfolded {
            return;
        }
        if written == swapped.unfolded && is_there {
            self.take_out(&swapped.file);
        } else if written == swapped.beside && !is_there {
            self.drafts().files.update(|files| files.push(swapped.file));
        }
    }

    fn record_swapped(self, file: TextFile, beside: String, unfolded: String) {
        self.swapped.set_value(Some(Swapped {
            chat: self.chats().open_id_untracked(),
            file,
            beside,
            unfolded,
        }));
    }

    fn take_out(self, file: &TextFile) {
        self.drafts().files.update(|files| {
            if let Some(at) = files.iter().position(|known| known == file) {
                files.remove(at);
            }
        });
    }

    fn add_block(self, text: String) -> TextFile {
        let base = t!(attachments.pasted_text);
        let name = self.drafts().files.with_untracked(|files| {
            let is_free = |name: &str| files.iter().all(|file| file.name != name);
            let numbered = (2..=files.len() + 2).map(|n| format!("{base} {n}"));
            let mut names = std::iter::once(base.to_owned()).chain(numbered);
            names.find(|name| is_free(name)).unwrap_or_default()
        });
        let file = TextFile { name, text };
        self.drafts().files.update(|files| files.push(file.clone()));
        self.notices().announce(t!(attachments.paste_collapsed));
        file
    }
}

/// Whether a text is long enough to be a block.
fn is_long(text: &str) -> bool {
    text.chars().nth(LONG_CHARS - 1).is_some() || text.lines().nth(LONG_LINES - 1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_long_by_characters_or_by_lines() {
        assert!(!is_long(&"ä".repeat(3999)) && is_long(&"ä".repeat(4000)));
        assert!(!is_long(&"x\n".repeat(59)) && is_long(&"x\n".repeat(60)));
    }
}
