//! What the rooms of the page share: the open chat, the list of chats, running answers, the state of
//! Ollama. Components read its signals and call its methods; the methods write the log first and the
//! signals after.

mod answer;
mod ask;
mod chats;
mod compare;
mod draft;
mod library;
mod live;
mod mention;
mod ollama;
pub(super) mod packing;
mod pull;
mod reveal;
mod running;
mod settings;
mod steer;
mod storage;
mod tabs;
mod tokens;
mod wait;

pub use compare::{Other, WhatIf};
pub use library::LibraryTab;
pub use live::{Live, State};
pub use mention::excerpt;
pub use ollama::Ollama;
pub use pull::PullState;
pub use reveal::Goal;
pub use settings::{Settings, SystemPrompt};
pub use storage::{Storage, Unsaved};
pub use tokens::{Asked, Overflow};
pub use wait::Wait;

use crate::browser::storage as store;
use crate::browser::{clock, ids, page};
use crate::ui::dom::live;
use draft::Drafts;
use leptos::prelude::*;
use mention::Mentions;
use running::Running;
use sash_chat::window::{Estimate, Opening, Reader, Size, Window, select};
use sash_chat::{Chat, Id, Message, Policy};
use sash_log::{Key, Summary};
use std::collections::BTreeMap;
use steer::Done;
pub use storage::PageLog;
use storage::open_log;
use tabs::Elsewhere;

/// A line at the foot of the page with something to undo.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Toast {
    /// What happened.
    pub text: String,
    /// What can be undone.
    pub undo: Option<Undo>,
}

/// What the line at the foot can undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undo {
    /// The deletion of a chat.
    Deleted(Id),
    /// The deletion of a message of a chat.
    Removed(Id, Id),
    /// The last step of steering the window.
    Step,
}

/// The shared state. A handful of handles: copy it freely.
#[derive(Clone, Copy)]
pub struct Session {
    log: StoredValue<PageLog, LocalStorage>,
    running: StoredValue<BTreeMap<Id, Running>, LocalStorage>,
    /// The log is in memory alone.
    in_memory: bool,
    /// How it stands with the log.
    pub storage: RwSignal<Storage>,
    /// The chats that another tab is answering in.
    elsewhere: RwSignal<BTreeMap<Id, Elsewhere>>,
    /// Counts what is asked to be shown: a draft that is found too late is not.
    showing: StoredValue<u32>,
    /// Whose draft is in the composer, and what of it is in the log.
    drafts: StoredValue<Drafts, LocalStorage>,
    /// What other tabs wrote since it was last shown.
    heard: StoredValue<Vec<Key>>,
    /// Old chats were packed, or looked for, since the page started.
    tidied: StoredValue<bool>,
    /// Other tabs changed the open chat while an answer ran in it.
    stale: StoredValue<bool>,
    /// The chats, the one touched last first.
    pub chats: RwSignal<Vec<Summary>>,
    /// The open chat; a new one is in the log only from its first message on.
    pub open: RwSignal<Chat>,
    /// The branch that is being read.
    pub path: Memo<Vec<Id>>,
    /// What goes with the next prompt.
    pub window: Memo<Window>,
    /// From sizes to tokens, as the model of the open chat counts them.
    pub estimate: Memo<Estimate>,
    /// What the chat template of that model takes first.
    pub opening: Memo<Opening>,
    /// What is being written in the composer.
    pub draft: RwSignal<String>,
    /// How large the next request is.
    pub size: Memo<Size>,
    /// Bytes of text that go before the next prompt.
    window_bytes: Memo<usize>,
    /// Whether the panel "What the model sees" is open.
    pub panel_shown: RwSignal<bool>,
    /// Whether the dialog with the open chat's system prompt is open.
    pub system_shown: RwSignal<bool>,
    /// The tab of the library that is shown; none: it is closed.
    pub library_tab: RwSignal<Option<LibraryTab>>,
    /// Whether the list of keys is open.
    pub keys_shown: RwSignal<bool>,
    /// The messages that were brought back for the next prompt alone.
    pub recalled: RwSignal<Vec<Id>>,
    /// What the draft refers to and the model would not see.
    pub mentions: Mentions,
    /// The last request that did not fit.
    pub overflow: RwSignal<Option<Overflow>>,
    done: StoredValue<Vec<Done>>,
    /// The messages of the branch that have other versions.
    pub forks: Memo<Vec<Id>>,
    /// A chat that was begun and left before its first message: its draft waits under its id.
    fresh: StoredValue<Option<Chat>>,
    /// Which chats have a running answer, and which message it is.
    pub answering: RwSignal<BTreeMap<Id, Id>>,
    /// Whether a prompt can go now. One for all: each answer has a button that asks.
    asks: Memo<bool>,
    /// A question asked again with another window.
    pub what_if: RwSignal<WhatIf>,
    /// The message that the transcript is to show next.
    pub goal: RwSignal<Option<Goal>>,
    /// The question that is to be edited, once its row is on the page.
    pub edit_asked: RwSignal<Option<Id>>,
    /// The messages that the opened receipt names.
    pub read_by: RwSignal<Option<(Id, Vec<Id>)>>,
    /// The person's settings.
    pub settings: RwSignal<Settings>,
    /// The state of Ollama and its models.
    pub ollama: Ollama,
    /// The line at the foot.
    pub toast: RwSignal<Option<Toast>>,
    /// Said politely by a screen reader.
    pub status: RwSignal<String>,
    /// Said at once by a screen reader.
    pub alert: RwSignal<String>,
    /// Whether the list of chats is open on a narrow page.
    pub chats_shown: RwSignal<bool>,
}

impl Session {
    /// Opens the log and starts looking for Ollama.
    pub fn start() -> Self {
        let (mut log, stored) = open_log();
        let settings: Settings = log.settings();
        let chats = log.summaries();
        // The chat that was open in this tab; in a new tab the one touched last.
        let listed = |id: &Id| chats.iter().any(|summary| summary.id == *id);
        let remembered = page::remembered_chat();
        let first = match remembered {
            Some(id) => Some(id).filter(listed),
            None => chats.first().map(|summary| summary.id),
        };
        // A new chat with nothing but a draft is begun again under its name.
        let begun = log.begun_chats();
        let begun = remembered.filter(|id| begun.iter().any(|(known, _)| known == id));
        let touched = chats.first().map_or(0, |summary| summary.touched);
        let first = first.and_then(|id| {
            log.seal_tails(id, clock::now());
            log.load_unpacked(id)
        });
        let first = first.unwrap_or_else(|| {
            let mut chat = new_chat(&settings);
            chat.head.id = begun.unwrap_or(chat.head.id);
            chat
        });
        let draft = log.draft(first.head.id);
        let drafts = Drafts::new(first.head.id, draft.clone());
        let open = RwSignal::new(first);
        let path = Memo::new(move |_| open.with(|chat| chat.path().iter().map(|m| m.id).collect()));
        let settings = RwSignal::new(settings);
        let ollama = Ollama::new();
        let estimate = Memo::new(move |_| {
            let model = ask::model(open, ollama);
            settings.with(|settings| settings.estimate_for(model.as_deref()))
        });
        let opening = Memo::new(move |_| {
            let model = ask::model(open, ollama);
            settings.with(|settings| settings.opening_for(model.as_deref()))
        });
        let recalled = RwSignal::new(Vec::new());
        let draft = RwSignal::new(draft);
        let reader = Memo::new(move |_| {
            let estimate = Reader {
                opening: opening.get(),
                ..Reader::from(estimate.get())
            };
            // No other rule asks how long the draft is.
            if open.with(|chat| chat.head.policy != Policy::Fits) {
                return estimate;
            }
            let context = ask::model(open, ollama).map(|m| tokens::reckoned(settings, ollama, &m));
            let reader = Reader {
                context,
                ..estimate
            };
            draft.with(|draft| reader.before(draft))
        });
        let window = Memo::new(move |_| {
            open.with(|chat| {
                recalled.with(|recalled| {
                    let head = chat.steered(&chat.head);
                    select(&chat.path(), &head, recalled, reader.get())
                })
            })
        });
        let size =
            Memo::new(move |_| window.with(|window| draft.with(|draft| window.size_with(draft))));
        let window_bytes = Memo::new(move |_| {
            open.with(|chat| {
                let system = chat.head.system_at(chat.head.system);
                let messages = window.with(|window| {
                    let length = |id| chat.get(id).map_or(0, |message| message.content.len());
                    window
                        .entries
                        .iter()
                        .map(|entry| length(entry.id))
                        .sum::<usize>()
                });
                messages + system.map_or(0, str::len)
            })
        });
        let answering: RwSignal<BTreeMap<Id, Id>> = RwSignal::new(BTreeMap::new());
        let elsewhere: RwSignal<BTreeMap<Id, Elsewhere>> = RwSignal::new(BTreeMap::new());
        let asks = Memo::new(move |_| {
            let id = open.with(|chat| chat.head.id);
            let running = answering.with(|running| running.contains_key(&id));
            let elsewhere = elsewhere.with(|all| all.get(&id).is_some_and(|e| e.is_held()));
            !running && !elsewhere && ask::model(open, ollama).is_some()
        });
        let forks = Memo::new(move |_| open.with(Chat::forks));
        let session = Self {
            log: StoredValue::new_local(log),
            running: StoredValue::new_local(BTreeMap::new()),
            in_memory: stored.unsaved.is_some_and(|why| why != Unsaved::Full),
            storage: RwSignal::new(stored),
            elsewhere,
            showing: StoredValue::new(0),
            drafts: StoredValue::new_local(drafts),
            heard: StoredValue::new(Vec::new()),
            tidied: StoredValue::new(false),
            stale: StoredValue::new(false),
            chats: RwSignal::new(chats),
            open,
            path,
            window,
            estimate,
            opening,
            draft,
            size,
            window_bytes,
            panel_shown: RwSignal::new(page::is_panel_remembered()),
            system_shown: RwSignal::new(false),
            library_tab: RwSignal::new(None),
            keys_shown: RwSignal::new(false),
            recalled,
            mentions: Mentions::new(),
            overflow: RwSignal::new(None),
            done: StoredValue::new(Vec::new()),
            forks,
            fresh: StoredValue::new(None),
            answering,
            asks,
            what_if: RwSignal::new(WhatIf::Closed),
            goal: RwSignal::new(None),
            edit_asked: RwSignal::new(None),
            read_by: RwSignal::new(None),
            settings,
            ollama,
            toast: RwSignal::new(None),
            status: RwSignal::new(String::new()),
            alert: RwSignal::new(String::new()),
            chats_shown: RwSignal::new(false),
        };
        store::on_other_tab(move |key, there| session.note_other_tab(key, there));
        session.listen_to_library();
        page::on_leaving(move || {
            session.write_draft();
            session.write_all_tails();
        });
        page::on_return(move || {
            // With a wrong token each look would count as an attempt.
            if !session.ollama.needs_token.get_untracked() {
                session.look_for_ollama();
            }
        });
        live(move || page::remember_chat(session.open_id()));
        live(move || page::remember_panel(session.panel_shown.get()));
        let opened = Memo::new(move |_| session.open_id());
        live(move || {
            opened.get();
            untrack(|| session.change_draft());
            untrack(|| session.look_elsewhere());
        });
        live(move || {
            session.draft.track();
            untrack(|| session.note_draft());
        });
        if remembered.is_none() {
            // The tab or the browser was closed while it was being written.
            session.find_begun(touched);
        }
        session.look_for_ollama();
        session.look_at_storage();
        session
    }

    /// The id of the open chat.
    pub fn open_id(self) -> Id {
        self.open.with(|chat| chat.head.id)
    }

    /// A message of the open chat, unless it was deleted.
    pub fn message(self, id: Id) -> Option<Message> {
        self.open
            .with_untracked(|chat| chat.get(id).filter(|_| !chat.is_removed(id)).cloned())
    }

    /// Says something politely; cleared soon after, so that the same words can be said again.
    pub fn announce(self, text: String) {
        say(self.status, text);
    }

    /// Says something at once.
    pub fn announce_now(self, text: String) {
        say(self.alert, text);
    }

    /// Whether a chat was deleted, here or in another tab.
    fn is_gone(self, chat: Id) -> bool {
        self.with_log(|log| log.is_gone(chat)).unwrap_or(false)
    }

    /// Brings the open chat up to what the log has.
    fn reload_open(self) {
        if self.storage.with_untracked(|now| now.cleared) {
            // What is on the screen is all there is.
            return;
        }
        self.stale.set_value(false);
        let id = self.open.with_untracked(|open| open.head.id);
        if let Some(loaded) = self.with_log(|log| log.load_unpacked(id)).flatten() {
            self.open.set(loaded);
        }
    }

    /// Brings one chat of the list up to what the log has.
    fn refresh_chat(self, id: Id) {
        let summary = self.with_log(|log| log.summary(id)).flatten();
        self.chats.update(|chats| {
            chats.retain(|known| known.id != id);
            if let Some(summary) = summary.filter(|_| !self.is_gone(id)) {
                let at = chats.partition_point(|known| known.touched >= summary.touched);
                chats.insert(at, summary);
            }
        });
    }

    fn refresh_lists(self) {
        if let Some(chats) = self.with_log(|log| log.summaries()) {
            self.chats.set(chats);
        }
    }
}

fn say(region: RwSignal<String>, text: String) {
    region.set(String::new());
    region.set(text.clone());
    let clear = move || {
        // What was said since stays.
        if region.try_with_untracked(|now| *now == text) == Some(true) {
            region.set(String::new());
        }
    };
    set_timeout(clear, std::time::Duration::from_secs(1));
}

fn new_chat(settings: &Settings) -> Chat {
    let mut head = sash_chat::Head::new(ids::new_id(), clock::now());
    head.model.clone_from(&settings.model);
    head.policy = settings.policy;
    head.set_system(&settings.system);
    Chat::new(head)
}
