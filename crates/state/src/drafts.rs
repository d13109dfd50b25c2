//! The draft of a chat: what is in the composer, the results of tools that are written by hand, and what is typed in
//! other fields and not saved. A draft belongs to its chat and is stored in the log, so that it survives a reload, a crash or a switch of tabs. It
//! is written at most once a second while the person types, and when the page may be about to be discarded.

mod aside;
mod fields;
mod results;

use crate::chats::{ChatEvent, Chats};
use crate::edges::{Edges, FocusTarget, HeldLock};
use crate::engine::EngineStore;
use crate::history::History;
use crate::notices::Notices;
use crate::storage::Storage;
use aside::Aside;
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Chat, Id, Image, TextFile, split_files, with_files};
use sash_log::{Draft, DraftPace, FieldDraft, ResultDraft};
use std::time::Duration;

/// For this long after the last keystroke another tab's version does not replace the draft, in
/// milliseconds.
const TYPING_MS: f64 = 3000.0;

/// The chat whose draft is in the composer, and the draft as the log has it.
struct StoredDraft {
    chat: Id,
    kept: Draft,
    pace: DraftPace,
    /// When the draft was last edited, on the monotonic clock in milliseconds.
    typed: f64,
    /// A lock that tells other tabs that this tab has a chat open that is not in the log yet.
    held: Option<(Id, HeldLock)>,
}

impl StoredDraft {
    /// The draft of a chat as the log has it, not edited yet.
    fn new(chat: Id, kept: Draft) -> Self {
        Self {
            chat,
            kept,
            pace: DraftPace::default(),
            typed: f64::NEG_INFINITY,
            held: None,
        }
    }
}

/// The name of the lock for a chat that is not in the log yet.
fn lock_of(chat: Id) -> String {
    format!("sash:draft:{chat}")
}

/// The draft of the open chat.
#[derive(Clone, Copy)]
pub struct Drafts {
    edges: Edges,
    history: History,
    storage: &'static Storage,
    engine: &'static EngineStore,
    chats: &'static Chats,
    notices: &'static Notices,
    /// The text in the composer's field.
    pub written: RwSignal<String>,
    /// The files that go before it.
    pub files: RwSignal<Vec<TextFile>>,
    /// The prompt as it is sent: the files, and what is written.
    pub draft: Memo<String>,
    /// The images in the composer.
    pub images: RwSignal<Vec<Image>>,
    /// The results of tools that are being written.
    pub results: RwSignal<Vec<ResultDraft>>,
    /// What is typed in other fields and not saved.
    fields: RwSignal<Vec<FieldDraft>>,
    /// The draft while an earlier question is in the composer.
    aside: RwSignal<Option<Aside>>,
    kept: StoredValue<StoredDraft, LocalStorage>,
    /// What an address filled in, until the person changes it: what is written in the composer then is not theirs.
    filled: StoredValue<Option<String>>,
}

impl Drafts {
    /// Loads the draft of the open chat from the log, and follows the open chat and what is written. In a new tab,
    /// which has no `remembered` chat, the tab or the browser may have been closed while a draft was being written: a
    /// chat that has only a draft is opened.
    #[must_use]
    pub fn new(
        edges: Edges,
        history: History,
        storage: &'static Storage,
        engine: &'static EngineStore,
        chats: &'static Chats,
        notices: &'static Notices,
        remembered: Option<Id>,
    ) -> Self {
        let chat = chats.open_id_untracked();
        let draft = storage.with_log(|log| log.draft(chat)).unwrap_or_default();
        let (files, written) = split_files(&draft.text);
        let (files, written) = (RwSignal::new(files), RwSignal::new(written.to_owned()));
        let drafts = Self {
            edges,
            history,
            storage,
            engine,
            chats,
            notices,
            draft: Memo::new(move |_| {
                files.with(|files| written.with(|written| with_files(files, written)))
            }),
            files,
            written,
            images: RwSignal::new(draft.images.clone()),
            results: RwSignal::new(draft.results.clone()),
            fields: RwSignal::new(draft.fields.clone()),
            aside: RwSignal::new(None),
            filled: StoredValue::new(None),
            kept: StoredValue::new_local(StoredDraft::new(chat, draft.clone())),
        };
        drafts.mark_filled(draft.is_filled);
        drafts.hold_new_chat();
        chats.listen(move |event| match event {
            ChatEvent::Opened => drafts.change_chat(),
            ChatEvent::Begun => drafts.find_begun(0),
            ChatEvent::Left => drafts.write(),
            ChatEvent::Changed | ChatEvent::Queued => {}
        });
        // Writes to the log after a pause.
        Effect::new(move || {
            drafts.draft.track();
            drafts.images.track();
            drafts.results.track();
            drafts.fields.track();
            untrack(|| drafts.record_change());
        });
        if remembered.is_none() {
            let list = chats.list;
            let touched = list.with_untracked(|all| all.first().map_or(0, |chat| chat.touched));
            drafts.find_begun(touched);
        }
        drafts
    }

    /// Holds the open chat, if it is new: other tabs then leave its draft to this one.
    fn hold_new_chat(self) {
        let chat = self.chats.open_id_untracked();
        if self.chats.open.with_untracked(Chat::is_empty) {
            self.kept.update_value(|drafts| {
                if drafts.held.as_ref().is_none_or(|(held, _)| *held != chat) {
                    drafts.held = Some((
                        chat,
                        self.edges
                            .with_locks(|locks| locks.hold(&lock_of(chat), Box::new(|| {}))),
                    ));
                }
            });
        }
    }

    /// Puts the draft of the chat that was just opened into the composer; the previous chat keeps
    /// its own draft.
    fn change_chat(self) {
        self.hold_new_chat();
        let chat = self.chats.open_id_untracked();
        if self.kept.with_value(|drafts| drafts.chat) == chat {
            return;
        }
        self.follow_aside();
        self.write();
        let kept = self.stored(chat);
        self.kept.update_value(|drafts| {
            *drafts = StoredDraft {
                held: drafts.held.take(),
                ..StoredDraft::new(chat, kept.clone())
            };
        });
        self.aside.set(None);
        self.show(kept);
    }

    /// Fills in what an address brings. It is no draft of the person's before they change it, so nothing has it before it
    /// is sent.
    pub(crate) fn fill(self, prompt: &str) {
        self.set_text(prompt);
        self.mark_filled(!prompt.is_empty());
    }

    /// Whether what an address filled in is in the composer, as it came.
    #[must_use]
    pub fn is_filled(self) -> bool {
        self.aside.with_untracked(Option::is_none) && self.is_own_filled()
    }

    /// Whether the own draft is what an address filled in, also while an earlier question is in the composer.
    fn is_own_filled(self) -> bool {
        self.filled.with_value(|filled| {
            let is_same = |text: &String| {
                self.aside.with_untracked(|aside| match aside {
                    Some(aside) => aside.own == *text,
                    None => self.draft.with_untracked(|draft| draft == text),
                })
            };
            filled.as_ref().is_some_and(is_same)
        })
    }

    /// Notes whether the own draft, as it is now, is what an address filled in.
    fn mark_filled(self, is_filled: bool) {
        let is_shown = self.aside.with_untracked(Option::is_none);
        self.filled
            .set_value(is_filled.then(|| self.current().text));
        let withholds = self.engine.withholds_draft;
        if withholds.get_untracked() != (is_filled && is_shown) {
            withholds.set(is_filled && is_shown);
        }
    }

    /// Lets go of what an address filled in once the person changed it.
    fn follow_filled(self) {
        self.mark_filled(self.is_own_filled());
    }

    /// Schedules a write after the draft changed.
    fn record_change(self) {
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

    /// What is in the composer and the other fields now.
    fn shown(self) -> Draft {
        Draft {
            text: self.draft.get_untracked(),
            images: self.images.get_untracked(),
            results: self.results.get_untracked(),
            fields: self.fields.get_untracked(),
            is_filled: self.is_filled(),
        }
    }

    /// What is kept of it: the own draft, also while an earlier question is in the composer.
    fn current(self) -> Draft {
        let own = self
            .aside
            .with_untracked(|aside| aside.as_ref().map(|aside| aside.own.clone()));
        let shown = self.shown();
        Draft {
            text: own.unwrap_or(shown.text),
            images: self.own_images(),
            is_filled: self.is_own_filled(),
            ..shown
        }
    }

    /// The draft of a chat as the log has it.
    fn stored(self, chat: Id) -> Draft {
        self.storage
            .with_log(|log| log.draft(chat))
            .unwrap_or_default()
    }

    /// Puts a draft into the composer.
    fn show(self, draft: Draft) {
        if self.images.with_untracked(|images| *images != draft.images) {
            self.images.set(draft.images);
        }
        if self
            .results
            .with_untracked(|results| *results != draft.results)
        {
            self.results.set(draft.results);
        }
        if self.fields.with_untracked(|fields| *fields != draft.fields) {
            self.fields.set(draft.fields);
        }
        if self.draft.with_untracked(|now| *now != draft.text) {
            self.set_text(&draft.text);
        }
        if self.aside.with_untracked(Option::is_none) {
            self.mark_filled(draft.is_filled);
        }
    }

    /// Takes what the log has of the open chat's draft; an earlier question stays in the composer.
    fn take_stored(self, mut stored: Draft) {
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

    /// Puts a prompt into the composer: its files, and what is written after them.
    pub fn set_text(self, prompt: &str) {
        let (files, written) = split_files(prompt);
        if self.files.with_untracked(|now| *now != files) {
            self.files.set(files);
        }
        if self.written.with_untracked(|now| now != written) {
            self.written.set(written.to_owned());
        }
    }

    fn is_unwritten(self) -> bool {
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
        self.storage
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
    pub(crate) fn replace(self, text: &str, images: Vec<Image>) -> bool {
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
        let save = |draft: Draft| self.storage.write(|log| log.save_draft(chat, draft, now));
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

    /// Changes the draft of a chat, whether or not it is open.
    pub(crate) fn change(self, chat: Id, change: impl FnOnce(&mut Draft)) {
        let change = |draft: &mut Draft| {
            let former = draft.text.clone();
            change(draft);
            draft.is_filled &= draft.text == former;
        };
        if self.kept.with_value(|drafts| drafts.chat) == chat {
            let mut draft = self.shown();
            change(&mut draft);
            self.show(draft);
            return;
        }
        if self.chats.is_gone(chat) {
            return;
        }
        let mut draft = self.stored(chat);
        change(&mut draft);
        self.storage
            .write(|log| log.save_draft(chat, draft, self.edges.now()));
    }

    /// How many images the draft of a chat has, whether or not the chat is open.
    pub(crate) fn image_count(self, chat: Id) -> usize {
        match self.kept.with_value(|drafts| drafts.chat) == chat {
            true => self.own_images().len(),
            false => self.stored(chat).images.len(),
        }
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

    /// Opens a chat that has only a draft, in place of a new chat or of one last changed before
    /// that draft was written. Skips chats that another tab has open. `since` is when the open chat
    /// was last changed, in milliseconds since 1970.
    pub fn find_begun(self, since: u64) {
        let mut begun = self
            .storage
            .with_log(|log| log.draft_only_chats())
            .unwrap_or_default();
        let own = self.chats.open_id_untracked();
        if begun.iter().any(|(chat, _)| *chat == own) || self.history.is_steered(own) {
            return;
        }
        let is_new = self.chats.open.with_untracked(Chat::is_empty);
        begun.retain(|(_, at)| is_new || *at > since);
        if begun.is_empty() {
            return;
        }
        let opened = self.chats.last_opening();
        self.edges.spawn(async move {
            for (id, _) in begun {
                if self
                    .edges
                    .with_locks(|locks| locks.is_held(lock_of(id)))
                    .await
                {
                    continue;
                }
                // The person opened another chat or typed meanwhile.
                let is_late = !opened.is_latest() || self.is_unwritten();
                if !is_late {
                    let mut chat = self.chats.new_chat();
                    chat.head.id = id;
                    self.chats.set_open(chat);
                    self.edges
                        .with_page(|page| page.focus_soon(FocusTarget::Prompt));
                }
                return;
            }
        });
    }
}
