//! The draft of a chat: what is in the composer, and the results of tools that are written by hand. A draft
//! belongs to its chat and is stored in the log, so that it survives a reload, a crash or a switch of tabs. It
//! is written at most once a second while the person types, and when the page may be about to be discarded.

mod results;

use crate::chats::{ChatEvent, Chats};
use crate::edges::{Edges, FocusTarget, HeldLock};
use crate::engine::EngineStore;
use crate::history::History;
use crate::storage::Storage;
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Chat, Id, Image, TextFile, split_files, with_files};
use sash_log::{Draft, DraftPace, ResultDraft};
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
            draft: Memo::new(move |_| {
                files.with(|files| written.with(|written| with_files(files, written)))
            }),
            files,
            written,
            images: RwSignal::new(draft.images.clone()),
            results: RwSignal::new(draft.results.clone()),
            filled: StoredValue::new(None),
            kept: StoredValue::new_local(StoredDraft::new(chat, draft.clone())),
        };
        drafts.mark_filled(draft.is_filled.then(|| split_files(&draft.text).1));
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
        self.write();
        let kept = self.stored(chat);
        self.kept.update_value(|drafts| {
            *drafts = StoredDraft {
                held: drafts.held.take(),
                ..StoredDraft::new(chat, kept.clone())
            };
        });
        self.show(kept);
    }

    /// Fills in what an address brings. It is no draft of the person's before they change it, so nothing has it before it
    /// is sent.
    pub(crate) fn fill(self, prompt: &str) {
        self.mark_filled(Some(prompt).filter(|prompt| !prompt.is_empty()));
        self.written.set(prompt.to_owned());
    }

    /// Notes what of the composer an address filled in.
    fn mark_filled(self, text: Option<&str>) {
        self.filled.set_value(text.map(str::to_owned));
        let withholds = self.engine.withholds_draft;
        if withholds.get_untracked() != text.is_some() {
            withholds.set(text.is_some());
        }
    }

    /// Lets go of what an address filled in once the person changed it.
    fn follow_filled(self) {
        if !self.is_filled() {
            self.mark_filled(None);
        }
    }

    fn is_filled(self) -> bool {
        let written = self.written;
        self.filled.with_value(|filled| {
            let is_same = |text: &String| written.with_untracked(|written| written == text);
            filled.as_ref().is_some_and(is_same)
        })
    }

    /// Schedules a write after the draft changed.
    fn record_change(self) {
        self.follow_filled();
        if !self.is_unwritten() {
            self.kept.update_value(|drafts| drafts.pace.cancel());
            return;
        }
        let now = self.edges.monotonic();
        // While a result is typed, the composer may be empty all the time.
        let is_result = self.kept.with_value(|drafts| {
            let results = self.results;
            let is_new = |now: &Vec<ResultDraft>| !now.is_empty() && *now != drafts.kept.results;
            drafts.kept.text.is_empty() && results.with_untracked(is_new)
        });
        if !is_result && self.draft.with_untracked(|text| text.trim().is_empty()) {
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

    /// What is in the composer now.
    fn current(self) -> Draft {
        Draft {
            text: self.draft.get_untracked(),
            images: self.images.get_untracked(),
            results: self.results.get_untracked(),
            is_filled: self.is_filled(),
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
        self.mark_filled(draft.is_filled.then(|| split_files(&draft.text).1));
        if self.images.with_untracked(|images| *images != draft.images) {
            self.images.set(draft.images);
        }
        if self
            .results
            .with_untracked(|results| *results != draft.results)
        {
            self.results.set(draft.results);
        }
        self.set_text(&draft.text);
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
                is_filled,
            } = &drafts.kept;
            self.draft.with_untracked(|now| now != text)
                || self.images.with_untracked(|now| now != images)
                || self.results.with_untracked(|now| now != results)
                || self.is_filled() != *is_filled
        })
    }

    /// Writes the draft if it changed since the last write.
    pub fn write(self) {
        if !self.is_unwritten() {
            return;
        }
        let draft = self.current();
        let chat = self.kept.with_value(|drafts| drafts.chat);
        // If storage is full, the log keeps the record in memory and the page says so.
        self.storage
            .write(|log| log.save_draft(chat, draft.clone(), self.edges.now()));
        self.kept.update_value(|drafts| {
            let previews: usize = draft.images.iter().map(|image| image.preview.len()).sum();
            let results = draft.results.iter().flat_map(|result| &result.texts);
            let results: usize = results.map(String::len).sum();
            let bytes = draft.text.len() + previews + results;
            drafts.pace.on_write(bytes, self.edges.monotonic());
            drafts.kept = draft;
        });
    }

    /// Changes the draft of a chat, whether or not it is open.
    pub(crate) fn change(self, chat: Id, change: impl FnOnce(&mut Draft)) {
        let change = |draft: &mut Draft| {
            let former = draft.text.clone();
            change(draft);
            draft.is_filled &= draft.text == former;
        };
        if self.kept.with_value(|drafts| drafts.chat) == chat {
            let mut draft = self.current();
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
            true => self.images.with_untracked(Vec::len),
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
        let theirs = self.stored(chat);
        self.kept
            .update_value(|drafts| drafts.kept.clone_from(&theirs));
        self.show(theirs);
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
