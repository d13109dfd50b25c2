//! Summaries of messages that left the window: the model writes one when it is asked to, and the person may change
//! it, take it out, or go back to an earlier one. The messages themselves stay as they are.

use crate::request::summary_request;
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::{Parts, Window, readable};
use sash_chat::{
    Beginning, Chat, ChatSettingsStoreFields, ChatStoreFields, HeadStoreFields, Id, Message,
    Policy, Summary,
};
use sash_stores::{ChatEvent, Kernel, SideAnswer, uses};
use sash_wire::{DoneReason, Fault, UnsentScope, Usage};
use sash_words::t;
use std::collections::BTreeSet;

/// With a policy that slides at every turn, a summary is written by itself once this many messages left the window.
const MIN_MESSAGES: usize = 8;

/// The summary that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryDraft {
    /// Its chat.
    pub chat: Id,
    /// What it will be, without its text.
    pub covers: Summary,
    /// Whether the chat asked for it and not the person.
    automatic: bool,
}

/// The summaries of the open chat.
#[derive(Clone, Copy)]
pub struct Summaries {
    kernel: Kernel,
    /// The summary that is being written; one at a time.
    pub draft: RwSignal<Option<SummaryDraft>>,
    /// The text of it that has come.
    pub answer: SideAnswer,
    /// The chat whose summary the person asked for and that has neither been written nor stopped; a lost connection
    /// leaves it, because to the page a reload looks like one.
    pub unfinished: RwSignal<Option<Id>>,
}

uses!(Summaries.kernel: notices engine chats steering answers);

impl Summaries {
    /// Creates the store with nothing being written.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let (chats, steering, answers) = (kernel.chats(), kernel.steering(), kernel.answers());
        let store = Self {
            kernel,
            draft: RwSignal::new(None),
            answer: SideAnswer::new(kernel),
            unfinished: RwSignal::new(None),
        };
        let used = chats.open_settings().summary();
        steering.contribute(move |request| Parts {
            summary: request.map_or_else(|| used.get(), |(head, _)| head.settings.summary),
            ..Parts::default()
        });
        chats.events().on(move |event| {
            if *event == ChatEvent::Left {
                store.stop();
            }
        });
        // Sends a request, or ends it.
        let answering = Memo::new(move |_| answers.is_any_busy());
        Effect::new(move || match answering.get() {
            true => untrack(|| store.make_way()),
            false => untrack(|| store.write_if_due()),
        });
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// The messages that left the window and that the present summary does not cover, oldest first.
    pub fn uncovered(self) -> Vec<Id> {
        self.chats().open.with(|chat| {
            self.steering().chosen.with(|window| {
                let path = chat.path();
                let place = |id: Option<Id>| path.iter().position(|m| Some(m.id) == id);
                let covered = chat
                    .head
                    .summary_numbered(window.summary)
                    .map(|s| s.through);
                let after = place(covered).max(place(window.cleared));
                let path = path.get(after.map_or(0, |at| at + 1)..).unwrap_or_default();
                // Only what stands before the window: messages between those of the window are left out on purpose.
                let first = window.entries.iter().find_map(|entry| {
                    let is_chosen = entry.reason == sash_chat::window::Reason::Policy;
                    is_chosen.then(|| path.iter().position(|m| m.id == entry.id))
                });
                let before = &path[..first.flatten().unwrap_or(path.len())];
                let readable = may_be_summarized(chat);
                let ids = before.iter().map(|message| message.id);
                ids.filter(|id| readable.contains(id)).collect()
            })
        })
    }

    /// Whether a summary can be written now.
    pub fn may_write(self) -> bool {
        self.draft.with(Option::is_none)
            && self.steering().model.get().is_some()
            && !self.uncovered().is_empty()
    }

    /// Has the model write a summary of what left the window, the present summary included.
    pub fn write(self) {
        self.start(untrack(|| self.uncovered()), true, false);
    }

    /// Begins the summary of a chat again that a reload broke off, as soon as there is a model; unless another chat is
    /// opened before.
    pub fn resume(self, chat: Option<Id>) {
        let Some(chat) = chat else { return };
        // Sends a request.
        Effect::new(move |is_over: Option<bool>| {
            if is_over == Some(true) || self.chats().open_id() != chat {
                return true;
            }
            let has_model = self.steering().model.get().is_some();
            if has_model && untrack(|| self.may_write()) {
                self.write();
            }
            has_model
        });
    }

    /// Has the model write a summary anew, from the messages that it covers.
    pub fn write_again(self, number: u32) {
        let covered: Option<Vec<Id>> = self.chats().open.with_untracked(|chat| {
            let summary = chat.head.summary_numbered(Some(number))?;
            let readable = may_be_summarized(chat);
            let covered = covered_by(chat, summary).into_iter();
            let covered = covered.map(|message| message.id);
            Some(covered.filter(|id| readable.contains(id)).collect())
        });
        match covered {
            Some(covered) if covered.is_empty() => self.notices().show(t!(state.nothing_readable)),
            Some(covered) => self.start(covered, false, false),
            None => {}
        }
    }

    /// Writes a summary by itself, where the chat wants one and enough has left the window.
    fn write_if_due(self) {
        let (wanted, steady) = self.chats().open.with_untracked(|chat| {
            let steady = matches!(chat.head.settings.policy, Policy::Steady { .. });
            (chat.head.settings.summarizes, steady)
        });
        let open = self.chats().open_id_untracked();
        let is_busy = untrack(|| self.answers().is_busy(open));
        if !wanted || is_busy || self.draft.with_untracked(Option::is_some) {
            return;
        }
        // Another one would be cut off, too: the person says what becomes of it.
        let newest = untrack(|| self.versions()).pop();
        let used = self.chats().open_settings().summary().get_untracked();
        if newest.is_some_and(|newest| newest.cut_off && Some(newest.number) != used) {
            return;
        }
        let uncovered = untrack(|| self.uncovered());
        if untrack(|| !self.may_be_read(&uncovered)) {
            return;
        }
        let count = self
            .chats()
            .open
            .with_untracked(|chat| chat.tree.count_messages(&uncovered));
        if count >= if steady { 2 } else { MIN_MESSAGES } {
            self.start(uncovered, true, true);
        }
    }

    /// Whether the model may read these messages and the present summary although the person sends nothing: its engine may
    /// have drafts, or has read them already.
    fn may_be_read(self, messages: &[Id]) -> bool {
        let Some(model) = self.steering().model.get() else {
            return false;
        };
        if self.engine().may_send(&model) == UnsentScope::Draft {
            return true;
        }
        let prompt = self
            .answers()
            .prompt(model, String::new(), Vec::new(), None);
        self.chats().open.with(|chat| {
            let beginning = Beginning {
                messages: messages.iter().copied().collect(),
                summary: chat.summary().map(|summary| summary.number),
                system: None,
                format: None,
                has_own_tool: false,
                ..prompt.beginning(chat, &chat.head, &Window::default())
            };
            beginning.was_read_at(chat, prompt.engine_address.as_deref().unwrap_or_default())
        })
    }

    /// Starts a summary of `messages`, which go on where the present summary ends if it `continues` that one.
    fn start(self, messages: Vec<Id>, continues: bool, automatic: bool) {
        if messages.is_empty() || self.draft.with_untracked(Option::is_some) {
            return;
        }
        let Some(model) = self.steering().model.get_untracked() else {
            return;
        };
        let prompt = untrack(|| {
            self.answers()
                .prompt(model, String::new(), Vec::new(), None)
        });
        let context = untrack(|| self.steering().assumed_context().0);
        let estimate = self.steering().estimate.get_untracked();
        // One of messages before a clearing is not sent, and tells nothing to the next one.
        let used = self
            .steering()
            .chosen
            .with_untracked(|window| window.summary);
        let made = self.chats().open.with_untracked(|chat| {
            let former = chat.head.summary_numbered(used.filter(|_| continues));
            summary_request(chat, &messages, former, &prompt, estimate, context)
        });
        let Some((request, covers)) = made else {
            self.notices().show(t!(summaries.first_message_too_long));
            return;
        };
        let chat = self.chats().open_id_untracked();
        self.draft.set(Some(SummaryDraft {
            chat,
            covers,
            automatic,
        }));
        self.unfinished.set((!automatic).then_some(chat));
        let all = |_: &str| true;
        self.answer.ask(request, all, move |end| self.finish(end));
    }

    fn finish(self, end: Result<(DoneReason, Usage), Fault>) {
        let Some(draft) = self.draft.try_update(Option::take).flatten() else {
            return;
        };
        if !matches!(end, Err(Fault::ConnectionLost)) {
            self.unfinished.set(None);
        }
        let notices = self.notices();
        let text = self.answer.text.get_untracked();
        match end {
            Ok((reason, usage)) if !text.trim().is_empty() => {
                let cut_off = reason != DoneReason::Stop;
                let summary = Summary {
                    text: text.trim().to_owned(),
                    prompt_tokens: usage.prompt_tokens,
                    answer_tokens: usage.answer_tokens,
                    created: self.kernel.edges().now(),
                    cut_off,
                    ..draft.covers
                };
                self.chats()
                    .change_head(draft.chat, |head| head.add_summary(summary));
                match cut_off {
                    true => notices.show(t!(summaries.cut_off_unused)),
                    false => notices.announce(t!(summaries.summary_written)),
                }
            }
            Ok(_) => notices.show(t!(summaries.model_wrote_none)),
            Err(fault) => notices.show(t!(summaries.not_written, fault = &fault)),
        }
    }

    /// Stops the summary that is being written; nothing of it is kept.
    pub fn stop(self) {
        self.answer.stop();
        self.draft.set(None);
        self.unfinished.set(None);
    }

    /// Stops a summary that the person did not ask for, because a prompt would have to wait for it.
    fn make_way(self) {
        let draft = self.draft;
        if draft.with_untracked(|draft| draft.as_ref().is_some_and(|draft| draft.automatic)) {
            self.stop();
        }
    }

    /// Keeps the person's version of a summary and puts it in use.
    pub fn edit(self, number: u32, text: &str) {
        let text = text.trim();
        self.steering().steer(|head| {
            let Some(former) = head.summary_numbered(Some(number)).cloned() else {
                return;
            };
            if text.is_empty() {
                head.settings.summary = None;
            } else if former.text != text {
                let edited = Summary {
                    text: text.to_owned(),
                    edited: true,
                    cut_off: false,
                    ..former
                };
                head.add_summary(edited);
            }
        });
    }

    /// Puts a version in use, or none.
    pub fn use_version(self, number: Option<u32>) {
        self.steering().steer(|head| head.settings.summary = number);
    }

    /// Sets whether the open chat's model writes a summary when messages leave the window.
    pub fn set_automatic(self, on: bool) {
        self.steering().steer(|head| head.settings.summarizes = on);
        self.write_if_due();
    }

    /// The versions of the summary on the shown branch, oldest first.
    pub fn versions(self) -> Vec<Summary> {
        let mut versions = self.chats().open.head().summaries().get();
        let path = self.chats().path;
        versions.retain(|summary| path.with(|path| path.contains(&summary.through)));
        versions
    }

    /// The version that the transcript shows: the one in use, or else the newest.
    pub fn shown(self) -> Option<Summary> {
        let mut versions = self.versions();
        let used = self.chats().open_settings().summary().get();
        let in_use = versions
            .iter()
            .position(|summary| Some(summary.number) == used);
        match in_use {
            Some(at) => Some(versions.swap_remove(at)),
            None => versions.pop(),
        }
    }

    /// The newest version, if it was cut off and another one is in use.
    pub fn cut_off(self) -> Option<Summary> {
        let newest = self.versions().pop().filter(|summary| summary.cut_off)?;
        let used = self.chats().open_settings().summary().get();
        (used.is_some() && used != Some(newest.number)).then_some(newest)
    }
}

/// The messages of the shown branch that go into a summary: those that the model may read.
fn may_be_summarized(chat: &Chat) -> BTreeSet<Id> {
    let readable = readable(&chat.path(), &chat.effective_head(&chat.head));
    readable.iter().map(|message| message.id).collect()
}

/// The messages of the shown branch that a summary covers; empty where the branch does not hold the last of them.
fn covered_by<'a>(chat: &'a Chat, summary: &Summary) -> Vec<&'a Message> {
    let path = chat.path();
    let place = |id: Id| path.iter().position(|message| message.id == id);
    // The first may have been deleted since.
    let from = place(summary.from).unwrap_or_default();
    let covered = place(summary.through).and_then(|through| path.get(from..=through));
    covered.map(<[&Message]>::to_vec).unwrap_or_default()
}
