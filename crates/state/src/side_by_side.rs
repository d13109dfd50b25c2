//! One question asked of several models. Their answers are versions of one another, so they are in the log from the
//! beginning; what is kept here is which models have still to be asked.

use crate::answers::Answers;
use crate::chats::{ChatEvent, Chats};
use crate::drafts::Drafts;
use crate::notices::Notices;
use crate::overflow::OverflowSource;
use crate::steering::{RequestSettings, Steering};
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, ModelId, Outcome};
use sash_words::{count::grouped, t};

/// The most models that are asked at once, and the most answers side by side.
pub const MAX_SIDES: usize = 4;

/// The state of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SidesState {
    /// It is closed.
    Closed,
    /// Models are being chosen for the draft, or for the question of this answer.
    Choosing(Option<Id>),
    /// The answers to a question are side by side.
    Comparing(Id),
}

/// A model that has still to be asked.
#[derive(Clone)]
struct WaitingModel {
    chat: Id,
    question: Id,
    settings: RequestSettings,
}

/// One question asked of several models, one after another: models of one engine would put each other out of memory.
#[derive(Clone, Copy)]
pub struct SideBySide {
    notices: &'static Notices,
    chats: &'static Chats,
    drafts: &'static Drafts,
    steering: &'static Steering,
    answers: &'static Answers,
    /// The state of the dialog.
    pub state: RwSignal<SidesState>,
    waiting: RwSignal<Vec<WaitingModel>, LocalStorage>,
    /// The answer that runs for a question of `waiting`, and whether the models behind it are asked although the person
    /// stops it.
    running: StoredValue<Option<(Id, bool)>>,
}

impl SideBySide {
    /// Creates the store with the dialog closed. When an answer has ended, the next model is asked.
    #[must_use]
    pub fn new(
        notices: &'static Notices,
        chats: &'static Chats,
        drafts: &'static Drafts,
        steering: &'static Steering,
        answers: &'static Answers,
    ) -> Self {
        let store = Self {
            notices,
            chats,
            drafts,
            steering,
            answers,
            state: RwSignal::new(SidesState::Closed),
            waiting: RwSignal::new_local(Vec::new()),
            running: StoredValue::new(None),
        };
        chats.listen(move |event| {
            if event == ChatEvent::Left {
                store.state.set(SidesState::Closed);
                // A temporary chat ends when it is left.
                if chats.is_temporary_untracked(chats.open_id_untracked()) {
                    store.waiting.set(Vec::new());
                }
            }
        });
        // Sends the next request when the former answer and its tools have ended.
        Effect::new(move || {
            let next = store.waiting.with(|all| all.first().map(|next| next.chat));
            if let Some(chat) = next
                && !answers.is_busy(chat)
            {
                untrack(|| store.ask_next());
            }
        });
        store
    }

    /// Asks several models: the draft, or the question of an answer once more. Returns whether the first was asked; if
    /// not, nothing was written.
    pub fn ask(self, of: Option<Id>, models: &[ModelId]) -> bool {
        let head = self.chats.open.with_untracked(|chat| chat.head.clone());
        let chat = head.id;
        let settings = models.iter().take(MAX_SIDES);
        let settings =
            settings.map(|model| self.steering.settings_for(head.clone(), model.clone()));
        let mut settings = settings.collect::<Vec<_>>().into_iter();
        let can_send = untrack(|| self.answers.can_send());
        let Some(first) = settings.next().filter(|_| can_send) else {
            return false;
        };
        let asked = match of {
            Some(answer) => self.answers.asked(answer).and_then(|(question, _)| {
                let asked = OverflowSource::OtherModel(question);
                let answer = self.answers.answer_as(question, first, asked)?;
                Some((question, answer))
            }),
            None => {
                let draft = self.drafts.draft.get_untracked();
                self.drafts.set_text("");
                let asked = self.answers.ask_with(draft.clone(), first);
                if asked.is_none() {
                    self.drafts.set_text(&draft);
                }
                asked
            }
        };
        let Some((question, answer)) = asked else {
            return false;
        };
        self.running.set_value(Some((answer, false)));
        let waiting = settings.map(|settings| WaitingModel {
            chat,
            question,
            settings,
        });
        self.waiting.set(waiting.collect());
        self.compare(question);
        true
    }

    /// Shows the answers to a question side by side.
    pub fn compare(self, question: Id) {
        self.state.set(SidesState::Comparing(question));
    }

    /// The answers that stand side by side: the newest versions, and how many older ones do not.
    pub fn sides(self, question: Id) -> (Vec<Id>, usize) {
        let mut sides = self
            .chats
            .open_tree()
            .with(|tree| tree.answers_to(question));
        let room = MAX_SIDES.saturating_sub(self.waiting_for(question).len());
        let older = sides.len().saturating_sub(room);
        sides.drain(..older);
        (sides, older)
    }

    /// The models that have still to be asked a question, in their order.
    pub fn waiting_for(self, question: Id) -> Vec<ModelId> {
        self.waiting.with(|all| {
            let of_it = all.iter().filter(|next| next.question == question);
            of_it.map(|next| next.settings.model.clone()).collect()
        })
    }

    /// Does not ask a model that waits.
    pub fn leave_out(self, question: Id, model: &ModelId) {
        self.waiting.update(|all| {
            all.retain(|next| next.question != question || next.settings.model != *model);
        });
    }

    /// Stops the answer that runs; the next model is asked.
    pub fn stop_one(self) {
        self.running.update_value(|running| {
            if let Some((_, goes_on)) = running {
                *goes_on = true;
            }
        });
        self.answers.stop(self.chats.open_id_untracked());
    }

    /// Asks no more models, and stops the answer that runs.
    pub fn stop_all(self) {
        self.waiting.set(Vec::new());
        self.answers.stop(self.chats.open_id_untracked());
    }

    /// Goes on with one of the answers. The others stay as versions beside it; models that wait are not asked, and what
    /// runs is stopped, unless it is this one.
    pub fn go_on_with(self, answer: Id) {
        let chat = self.chats.open_id_untracked();
        self.waiting.set(Vec::new());
        let runs = untrack(|| self.answers.running_in(chat));
        let branch = self.chats.open_tree().with_untracked(|tree| {
            let branch = tree.path_to(runs);
            branch.iter().any(|message| message.id == answer)
        });
        if runs.is_some() && !branch {
            self.answers.stop(chat);
        }
        self.chats.walk_to(answer);
        self.state.set(SidesState::Closed);
    }

    /// Asks the next model, unless the person stopped the former one.
    fn ask_next(self) {
        let running = self.running.try_update_value(Option::take).flatten();
        let Some(next) = self.waiting.with_untracked(|all| all.first().cloned()) else {
            return;
        };
        let former = running.and_then(|(id, goes_on)| {
            let end = self
                .chats
                .with_chat(next.chat, |chat| chat.tree.end_of_rounds(id))?;
            let message = self.chats.read_message(next.chat, end);
            Some((message?.outcome, goes_on))
        });
        if self.chats.is_gone(next.chat) || former == Some((Outcome::Stopped, false)) {
            self.waiting.set(Vec::new());
            return;
        }
        let name = next.settings.model.name.clone();
        let asked = OverflowSource::OtherModel(next.question);
        let answer = self
            .answers
            .answer_in(next.chat, next.question, next.settings, asked);
        if answer.is_none() {
            self.say_not_asked(&name);
        }
        self.running.set_value(answer.map(|answer| (answer, false)));
        // The last step: it wakes the effect that called this.
        self.waiting.update(|all| _ = all.remove(0));
    }

    /// Says that a model is left out because the request does not fit its context.
    fn say_not_asked(self, model: &str) {
        let overflow = self.steering.overflow.get_untracked();
        self.steering.overflow.set(None);
        self.notices.show(match overflow {
            Some(overflow) => t!(
                state.not_asked_does_not_fit,
                model = &model,
                tokens = grouped(overflow.tokens),
                context = grouped(overflow.context)
            ),
            None => t!(state.not_asked, model = &model),
        });
    }
}
