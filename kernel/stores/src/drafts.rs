//! The draft of a chat: what is in the composer, the results of tools that are written by hand, and what is typed in
//! other fields and not saved. A draft belongs to its chat and is stored in the log, so that it survives a reload, a crash or a switch of tabs. It
//! is written at most once a second while the person types, and when the page may be about to be discarded.

mod aside;
mod begun;
mod early;
mod fields;
mod filled;
mod results;
mod saving;

use crate::base::Base;
use crate::chats::{ChatEvent, Chats};
use crate::edges::{Edges, HeldLock};
use crate::hooks::{Events, Takers};
use crate::set_if_new::set_if_new;
use aside::Aside;
use early::JoinedWords;
pub use early::{EarlyChat, EarlyWords};
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, Image, PromptChoice, PromptDraft, TextFile, split_files, with_files};
use sash_log::{Draft, DraftPace, FieldDraft, ResultDraft};
use std::cell::RefCell;

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

/// The prompt of the composer was sent or put aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptGone;

/// The draft of the open chat.
#[derive(Clone, Copy)]
pub struct Drafts {
    base: Base,
    edges: Edges,
    chats: StoredValue<Chats>,
    /// The text in the composer's field.
    pub written: RwSignal<String>,
    /// The files that go before it.
    pub files: RwSignal<Vec<TextFile>>,
    /// The prompt as it is sent: the files, and what is written.
    pub draft: Memo<String>,
    /// The images in the composer.
    pub images: RwSignal<Vec<Image>>,
    /// Which earlier messages the person chose for it.
    pub choice: RwSignal<PromptChoice>,
    /// The results of tools that are being written.
    pub results: RwSignal<Vec<ResultDraft>>,
    /// What is typed in other fields and not saved.
    fields: RwSignal<Vec<FieldDraft>>,
    /// The draft while an earlier question is in the composer.
    aside: RwSignal<Option<Aside>>,
    kept: StoredValue<StoredDraft, LocalStorage>,
    /// What an address filled in, until the person changes it: what is written in the composer then is not theirs.
    filled: StoredValue<Option<String>>,
    /// What was written before the program ran.
    early: StoredValue<Option<JoinedWords>>,
    /// Whether an input method still composes a word of it in the frame.
    is_composing_early: StoredValue<bool>,
    going: Events<RefCell<PromptDraft>>,
    gone: Events<PromptGone>,
    entering: Takers<PromptDraft>,
}

uses!(Drafts.base: notices history storage engine; chats: Chats);

impl Drafts {
    /// Loads the draft of the open chat from the log, and follows the open chat and what is written. In a new tab,
    /// which has no `remembered` chat, the tab or the browser may have been closed while a draft was being written: a
    /// chat that has only a draft is opened.
    #[must_use]
    pub(crate) fn new(base: Base, chats: Chats, remembered: Option<Id>) -> Self {
        let chat = chats.open_id_untracked();
        let draft = base
            .storage()
            .with_log(|log| log.draft(chat))
            .unwrap_or_default();
        let (files, written) = split_files(&draft.text);
        let (files, written) = (RwSignal::new(files), RwSignal::new(written.to_owned()));
        let drafts = Self {
            base,
            edges: base.edges(),
            chats: StoredValue::new(chats),
            draft: Memo::new(move |_| {
                files.with(|files| written.with(|written| with_files(files, written)))
            }),
            files,
            written,
            images: RwSignal::new(draft.images.clone()),
            choice: RwSignal::new(PromptChoice::default()),
            results: RwSignal::new(draft.results.clone()),
            fields: RwSignal::new(draft.fields.clone()),
            aside: RwSignal::new(None),
            filled: StoredValue::new(None),
            early: StoredValue::new(None),
            is_composing_early: StoredValue::new(false),
            going: Events::default(),
            gone: Events::default(),
            entering: Takers::default(),
            kept: StoredValue::new_local(StoredDraft::new(chat, draft.clone())),
        };
        drafts.mark_filled(draft.is_filled);
        drafts.hold_new_chat();
        chats.events().on(move |event| match event {
            ChatEvent::Opened => drafts.change_chat(),
            ChatEvent::Begun => drafts.find_begun(0),
            ChatEvent::Left => {
                drafts.write();
                drafts.choice.set(PromptChoice::default());
            }
            ChatEvent::Changed => {}
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

    /// The prompt that is about to be sent or put aside: who looks in a pause of typing for what goes with it looks at
    /// once, and may add to its choice what was found.
    #[must_use]
    pub fn going(self) -> Events<RefCell<PromptDraft>> {
        self.going
    }

    /// The ends of prompts in the composer.
    #[must_use]
    pub fn gone(self) -> Events<PromptGone> {
        self.gone
    }

    /// Who takes what the person enters in the place of the model.
    #[must_use]
    pub fn entering(self) -> Takers<PromptDraft> {
        self.entering
    }

    /// The prompt in the composer.
    #[must_use]
    pub fn prompt(self) -> PromptDraft {
        PromptDraft {
            text: self.draft.get_untracked(),
            images: self.images.get_untracked(),
            choice: self.choice.get_untracked(),
        }
    }

    /// The prompt in the composer, which is about to go, with all that was found for it.
    pub fn going_prompt(self) -> PromptDraft {
        let prompt = RefCell::new(self.prompt());
        self.going.emit(&prompt);
        prompt.into_inner()
    }

    /// Lets go of what went with the text of a prompt that was sent.
    pub(crate) fn drop_sent(self) {
        self.images.set(Vec::new());
        self.choice.set(PromptChoice::default());
        self.gone.emit(&PromptGone);
    }

    /// Empties the composer once its prompt was put aside as it is; the own draft comes back in the place of an earlier
    /// question.
    pub fn put_aside(self) {
        self.drop_sent();
        self.set_text("");
        self.show_own_after_sending();
    }

    /// Puts the draft of the chat that was just opened into the composer; the previous chat keeps
    /// its own draft.
    fn change_chat(self) {
        self.hold_new_chat();
        let chat = self.chats().open_id_untracked();
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

    /// Puts a draft into the composer.
    fn show(self, draft: Draft) {
        set_if_new(self.images, draft.images);
        set_if_new(self.results, draft.results);
        set_if_new(self.fields, draft.fields);
        if self.draft.with_untracked(|now| *now != draft.text) {
            self.set_text(&draft.text);
        }
        if self.aside.with_untracked(Option::is_none) {
            self.mark_filled(draft.is_filled);
        }
    }

    /// Puts a prompt into the composer: its files, and what is written after them.
    pub fn set_text(self, prompt: &str) {
        let (files, written) = split_files(prompt);
        set_if_new(self.files, files);
        set_if_new(self.written, written.to_owned());
    }

    /// Changes the draft of a chat, whether or not it is open.
    pub fn change(self, chat: Id, change: impl FnOnce(&mut Draft)) {
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
        if self.chats().is_gone(chat) {
            return;
        }
        let mut draft = self.stored(chat);
        change(&mut draft);
        self.storage()
            .write(|log| log.save_draft(chat, draft, self.edges.now()));
    }

    /// How many images the draft of a chat has, whether or not the chat is open.
    pub fn image_count(self, chat: Id) -> usize {
        match self.kept.with_value(|drafts| drafts.chat) == chat {
            true => self.own_images().len(),
            false => self.stored(chat).images.len(),
        }
    }
}
