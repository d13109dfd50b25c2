//! Steering the next request of the open chat: its policy, pins, mutes, clearings, system prompt and thinking.

mod derived;
mod first_request;
mod fit;
mod mute;
mod next_request;
mod parameters;
mod parts;
mod recall_room;
mod request_settings;
mod sent_counts;

pub use first_request::{WhatIfDifference, settings_of};
pub(crate) use next_request::NextRequest;
pub use next_request::StartedCount;
pub use parts::PromptPlace;
pub use request_settings::RequestSettings;
pub use sent_counts::SentCounts;

use crate::base::Base;
use crate::chats::{Chats, WindowStep};
use crate::drafts::Drafts;
use crate::hooks::{Registered, Takers, UndoEntry, UndoId};
use crate::overflow::{Overflow, OverflowSource};
use derived::Sources;
use parts::{PartsOffer, QuotesOffer, parts_of, quotes_of};
use reactive_graph::computed::Memo;
use reactive_graph::graph::untrack;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use recall_room::recall_tokens;
use sash_chat::window::{ContextFit, Estimate, FirstMessageRule, Size, Window, left_for_recall};
use sash_chat::{
    AnswerFormat, ChatSettingsStoreFields, Head, Id, ModelId, Policy, RecallMode, RecallSetting,
    RecalledBlock, Think, Tool,
};
use sash_words::t;
use std::rc::Rc;

/// The window of the open chat.
#[derive(Clone, Copy)]
pub struct Steering {
    base: Base,
    chats: StoredValue<Chats>,
    drafts: StoredValue<Drafts>,
    /// The model of the next prompt.
    pub model: Memo<Option<ModelId>>,
    /// The context length of that model at the next prompt, in tokens: the person's setting, for
    /// which Ollama reloads the model, else what it is loaded with.
    pub context: Memo<Option<u64>>,
    /// The values of `think` that the model offers; none for a model that cannot think.
    pub think_choices: Memo<Vec<Think>>,
    /// What the next request says of thinking; `None` leaves it to the model.
    pub think: Memo<Option<Think>>,
    /// How messages outside the window are recalled.
    pub recall_setting: Memo<RecallSetting>,
    /// Whether the window depends on the length of the draft: where it fills the context, or keeps room in it for what is
    /// recalled.
    pub follows_draft: Memo<bool>,
    /// What goes with the next prompt besides quotes: who looks for quotes follows it.
    pub chosen: Memo<Window>,
    /// What goes with the next prompt.
    pub window: Memo<Window>,
    /// What goes with the next prompt, counted in messages.
    pub counts: Memo<SentCounts>,
    /// The token estimate for the model of the open chat.
    pub estimate: Memo<Estimate>,
    /// What the chat template of that model requires first.
    pub opening: Memo<FirstMessageRule>,
    /// The size of the next request.
    pub size: Memo<Size>,
    /// What an engine counted last: a request, and its tokens.
    pub(crate) counted: RwSignal<Option<(NextRequest, u64)>>,
    /// The tokens of the next request as the engine counted them; `None` where they are only estimated.
    pub exact_tokens: Memo<Option<u64>>,
    /// Whether the next request fits the context, and its tokens: the exact ones where they are known.
    pub fit: Memo<(ContextFit, u64)>,
    parts: Registered<PartsOffer>,
    quoting: Registered<QuotesOffer>,
    sending_anyway: Takers<OverflowSource>,
    /// The messages outside the window that go with the next prompt, as they will be frozen into it.
    pub quotes: Memo<Option<RecalledBlock>>,
    /// Whether it is still looked for what goes with the draft.
    pub is_looking: RwSignal<bool>,
    /// The last request that did not fit.
    pub overflow: RwSignal<Option<Overflow>>,
    last_step: StoredValue<Option<UndoId>>,
}

uses!(Steering.base: notices history settings engine; chats: Chats, drafts: Drafts);

impl Steering {
    /// Creates the store; the window follows the open chat's head, the model and the draft.
    #[must_use]
    pub(crate) fn new(base: Base, chats: Chats, drafts: Drafts) -> Self {
        let sources = Sources::new(base.settings(), base.engine(), chats, drafts);
        let Sources {
            model,
            context,
            estimate,
            opening,
            recall_setting,
            ..
        } = sources;
        let (parts, quoting) = (Registered::default(), Registered::default());
        let quotes = Memo::new(move |_| quotes_of(quoting));
        let follows_draft = sources.follows_draft(quotes);
        let chosen = sources.chosen(Memo::new(move |_| parts_of(parts)), follows_draft, quotes);
        let window = Memo::new(move |_| chosen.get().quoting(quotes.get()));
        let counts = Memo::new(move |_| {
            chats
                .open
                .with(|chat| window.with(|w| SentCounts::of(chat, w)))
        });
        let size = Memo::new(move |_| {
            let draft = drafts.draft;
            draft.with(|draft| window.with(|window| window.size_with(draft)))
        });
        let counted = RwSignal::new(None);
        let exact_tokens =
            Memo::new(move |_| NextRequest::exact_tokens(counted, chats, drafts, model, window));
        let fit = Memo::new(move |_| {
            let exact = exact_tokens.get();
            let tokens = exact.unwrap_or_else(|| estimate.get().whole(size.get()));
            (ContextFit::of(tokens, context.get()), tokens)
        });
        let overflow = RwSignal::new(None);
        chats.events().on(move |_| overflow.set(None));
        Self {
            base,
            chats: StoredValue::new(chats),
            drafts: StoredValue::new(drafts),
            model,
            context,
            think_choices: sources.think_choices(),
            think: sources.think(),
            recall_setting,
            follows_draft,
            chosen,
            window,
            counts,
            estimate,
            opening,
            size,
            counted,
            exact_tokens,
            fit,
            parts,
            quoting,
            sending_anyway: Takers::default(),
            quotes,
            is_looking: RwSignal::new(false),
            overflow,
            last_step: StoredValue::new(None),
        }
    }

    /// Sets the policy of the open chat.
    pub fn set_policy(self, policy: Policy) {
        self.steer(|head| head.settings.policy = policy);
    }

    /// Changes the policy within the present undo step, because a key is held down.
    pub fn slide_policy(self, policy: Policy) {
        let chat = self.chats().open_id_untracked();
        self.chats()
            .change_head(chat, |head| head.settings.policy = policy);
    }

    /// Shows a policy while the sash is dragged, without saving it: [`Self::set_policy`] saves it,
    /// and makes one undo step of the whole drag.
    pub fn show_policy(self, policy: Policy) {
        self.chats().open_settings().policy().set(policy);
    }

    /// Pins or unpins a message.
    pub fn pin(self, id: Id, on: bool) {
        self.steer(|head| head.pin(id, on));
        self.notices().announce(match on {
            true => t!(state.pinned_message),
            false => t!(state.unpinned_message),
        });
    }

    /// Sets the system prompt of the open chat as one undo step, if the text differs.
    pub fn set_system(self, text: &str) {
        let same = self.chats().open.with_untracked(|chat| {
            let kept = chat
                .head
                .system_at(chat.head.settings.system)
                .unwrap_or_default();
            kept == text || kept.is_empty() && text.trim().is_empty()
        });
        if !same {
            self.steer(|head| head.set_system(text));
            self.offer_undo(t!(state.system_prompt_changed));
        }
    }

    /// Sets whether and how much the model thinks; `None` leaves it to the model.
    pub fn set_think(self, think: Option<Think>) {
        self.steer(|head| head.settings.think = think);
    }

    /// Sets the form that answers must have; `None` is free text.
    pub fn set_format(self, format: Option<AnswerFormat>) {
        let now = self.chats().open_settings().format();
        if now.with_untracked(|now| *now != format) {
            self.steer(|head| head.settings.format = format);
        }
    }

    /// Sets the form that the answers of a chat must have: what a person typed for it is used although another chat was
    /// opened before the field was left.
    pub fn set_format_of(self, chat: Id, format: AnswerFormat) {
        match self.chats().open_id_untracked() == chat {
            true => self.set_format(Some(format)),
            false => self
                .chats()
                .change_head(chat, |head| head.settings.format = Some(format)),
        }
    }

    /// Switches tools on or off: these are on from now on.
    pub fn set_tools(self, tools: Vec<Tool>) {
        self.steer(|head| head.settings.tools = tools);
    }

    /// Switches on what came with the open chat from a file and is off.
    pub fn use_withheld(self) {
        self.steer(Head::use_withheld);
        self.offer_undo(t!(state.file_settings_on));
    }

    /// Leaves off, for good, what came with the open chat from a file.
    pub fn drop_withheld(self) {
        self.steer(|head| head.settings.withheld = None);
        self.offer_undo(t!(state.file_settings_discarded));
    }

    /// Sets how messages outside the window are recalled in the open chat.
    pub fn set_recall(self, recall: RecallSetting) {
        self.steer(|head| head.settings.recall = Some(recall));
    }

    /// Makes no offers any more, in this chat and in those that say nothing of recall.
    pub fn stop_offers(self) {
        self.settings().change(|settings| settings.no_offers = true);
        let own = self.chats().open_settings().recall();
        if own.get_untracked().is_some() {
            let setting = self.recall_setting.get_untracked();
            self.set_recall(RecallSetting {
                mode: RecallMode::Off,
                ..setting
            });
        }
    }

    /// Takes what was recalled for a question out of requests, or puts it back.
    pub fn unrecall(self, question: Id, on: bool) {
        self.steer(|head| head.unrecall(question, on));
    }

    /// Starts the window anew after the last message; no message is deleted.
    pub fn clear_window(self) {
        let Some(last) = self
            .chats()
            .path
            .with_untracked(|path| path.last().copied())
        else {
            return;
        };
        let cleared = self.chats().open_settings().cleared().get_untracked();
        let tree = self.chats().open_tree();
        if tree.with_untracked(|tree| tree.effective_clearings(&cleared).contains(&last)) {
            return;
        }
        self.steer(|head| head.settings.cleared.push(last));
        self.offer_undo(t!(state.started_afresh));
    }

    /// Removes a clearing.
    pub fn unclear(self, id: Id) {
        // Several clearings may take effect at this message, when the messages between them were
        // deleted.
        let mut starts = self.chats().open_settings().cleared().get_untracked();
        let tree = self.chats().open_tree();
        tree.with_untracked(|tree| {
            starts.retain(|known| tree.fresh_start(*known) == Some(id));
        });
        self.steer(|head| {
            head.settings
                .cleared
                .retain(|known| !starts.contains(known))
        });
    }

    /// The most tokens that the next prompt recalls by itself.
    pub fn most_recalled(self, prompt: &str) -> u64 {
        let policy = self.chats().open_settings().policy().get_untracked();
        let context = untrack(|| self.assumed_context().0);
        let wanted = recall_tokens(self.recall_setting.get_untracked(), policy, context);
        let (estimate, context) = (self.estimate.get_untracked(), self.context.get_untracked());
        self.chosen
            .with_untracked(|window| wanted.min(left_for_recall(window, prompt, estimate, context)))
    }

    /// Who sends a prompt that is estimated not to fit all the same.
    #[must_use]
    pub fn sending_anyway(self) -> Takers<OverflowSource> {
        self.sending_anyway
    }

    /// Changes the steering of the open chat as an undo step.
    pub fn steer(self, change: impl FnOnce(&mut Head)) {
        let chat = self.chats().open_id_untracked();
        let mut step = None;
        self.chats()
            .change_head(chat, |head| step = WindowStep::take(head, change));
        if let Some(step) = step {
            let step = Rc::new(step);
            self.chats().record_window_step(&step);
            let entry = UndoEntry {
                chat: Some(chat),
                holds: Rc::new(|| true),
                undo: Box::new(move |_| {
                    let step = Rc::unwrap_or_clone(step);
                    self.chats().change_head(chat, |head| step.restore(head));
                    self.chats().refresh_chat(chat);
                    self.overflow.set(None);
                    true
                }),
            };
            self.history().push_step(self.last_step, entry);
            self.overflow.set(None);
        }
    }

    /// Says what the last step did, with a button that undoes it.
    pub fn offer_undo(self, words: impl Into<String>) {
        if let Some(undo) = self.last_step.get_value() {
            self.notices().show_step(words, undo);
        }
    }
}
