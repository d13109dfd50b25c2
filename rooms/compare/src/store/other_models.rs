//! One question asked of several models, one after another: models of one engine would put each other out of memory. Their
//! answers are versions of one another, so they are in the log from the beginning; which models have still to be asked is in
//! the chat's head, so that a reload does not forget them.

use crate::branches::column;
use crate::{Compare, Comparison, MAX_SIDES};
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{ChatStoreFields, HeadStoreFields, Id, ModelId, Outcome};
use sash_records::compare::{WAITING_MODELS, WaitingModel};
use sash_stores::{Overflow, OverflowSource, RequestSettings};
use sash_words::{count::grouped, t};
use std::collections::HashMap;

/// A request that is sent when its turn comes.
#[derive(Clone)]
struct WaitingRequest {
    chat: Id,
    question: Id,
    settings: RequestSettings,
}

impl WaitingRequest {
    /// As it is stored in the chat's head.
    fn model(&self) -> WaitingModel {
        WaitingModel::new(self.question, self.settings.model.clone())
    }
}

/// An answer that runs for a request that waited.
#[derive(Clone, Copy)]
struct RunningSide {
    answer: Id,
    /// Whether the models behind it are asked although the person stops it.
    goes_on: bool,
}

/// The models that this tab asks.
#[derive(Clone, Copy)]
pub(super) struct WaitingModels {
    /// The requests, in their order.
    requests: RwSignal<Vec<WaitingRequest>, LocalStorage>,
    /// The answers, by their chats. The last one of a row is not taken out.
    running: StoredValue<HashMap<Id, RunningSide>>,
}

impl Default for WaitingModels {
    fn default() -> Self {
        Self {
            requests: RwSignal::new_local(Vec::new()),
            running: StoredValue::new(HashMap::new()),
        }
    }
}

impl Compare {
    /// Sends the next request of a chat when the former answer and its tools have ended.
    pub(super) fn ask_models_in_turn(self) {
        let answers = self.answers();
        Effect::new(move || {
            let next = self.models.requests.with(|all| {
                let is_free = |chat: Id| !answers.is_busy(chat) && !answers.is_held_elsewhere(chat);
                all.iter().find(|next| is_free(next.chat)).cloned()
            });
            if let Some(next) = next {
                untrack(|| self.ask_next(next));
            }
        });
    }

    /// Asks several models: the draft, or the question of an answer once more. Returns whether the first was asked; if
    /// not, nothing was written.
    pub fn ask(self, of: Option<Id>, models: &[ModelId]) -> bool {
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        let chat = head.id;
        let settings = models.iter().take(MAX_SIDES);
        let settings =
            settings.map(|model| self.steering().settings_for(head.clone(), model.clone()));
        let mut settings = settings.collect::<Vec<_>>().into_iter();
        let can_send = untrack(|| self.answers().can_send());
        let Some(first) = settings.next().filter(|_| can_send) else {
            return false;
        };
        let asked = match of {
            Some(answer) => self.answers().asked(answer).and_then(|(question, _)| {
                let asked = OverflowSource::OtherModel(question);
                Some((question, self.ask_beside(question, first, asked)?))
            }),
            None => {
                let draft = self.drafts().going_prompt().text;
                self.drafts().set_text("");
                let asked = self.answers().ask_with(draft.clone(), first);
                match asked {
                    Some(_) => self.drafts().show_own_after_sending(),
                    None => self.drafts().set_text(&draft),
                }
                asked
            }
        };
        let Some((question, answer)) = asked else {
            return false;
        };
        self.record_running(chat, answer);
        let waiting = settings.map(|settings| WaitingRequest {
            chat,
            question,
            settings,
        });
        self.wait(chat, waiting.collect());
        self.shown.set(Comparison::Sides {
            question,
            opened_at: of,
        });
        true
    }

    /// Has a question of the open chat answered beside its answers, which stay on the branch. Returns the new answer if the
    /// request was sent.
    pub(super) fn ask_beside(
        self,
        question: Id,
        settings: RequestSettings,
        asked: OverflowSource,
    ) -> Option<Id> {
        let chat = self.chats().open_id_untracked();
        self.chats().write_beside(chat, question, || {
            self.answers().answer_as(question, settings, asked)
        })
    }

    /// Asks the draft of every model whose answer stands side by side: each column goes on by itself, with what is shown as
    /// recalled for the draft as far as it is before it. A model that the question does not fit is named and not asked.
    /// Returns whether any is asked; if not, nothing was written.
    pub fn ask_all(self, question: Id) -> bool {
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        let can_send = untrack(|| self.answers().can_send() && !self.has_waiting());
        let is_blank = |draft: &String| draft.trim().is_empty();
        if !can_send || self.drafts().draft.with_untracked(is_blank) {
            return false;
        }
        let prompt = self.drafts().going_prompt();
        let (mut fitting, mut others) = (Vec::new(), Vec::new());
        for answer in untrack(|| self.sides(question)).0 {
            let end = untrack(|| self.column(answer)).last().copied();
            let model = end.and_then(|end| self.chats().with_message(end, |m| m.model_id()));
            let (Some(end), Some(model)) = (end, model.flatten()) else {
                continue;
            };
            let settings = self.steering().settings_for(head.clone(), model);
            let next = self
                .answers()
                .new_question(&settings, Some(end), None, prompt.clone());
            match self.answers().overflow_after(end, &next, settings.clone()) {
                Some(overflow) => others.push(not_asked(&settings.model.name, Some(overflow))),
                None => fitting.push((end, next, settings)),
            }
        }
        if !others.is_empty() {
            self.notices().show(others.join(" "));
        }
        if fitting.is_empty() {
            return false;
        }
        let waiting = fitting
            .into_iter()
            .map(|(end, next, settings)| WaitingRequest {
                chat: head.id,
                question: self
                    .chats()
                    .write_beside(head.id, end, || self.answers().add_question(end, next)),
                settings,
            });
        self.wait(head.id, waiting.collect());
        self.drafts().put_aside();
        true
    }

    /// The models that a question of the open chat has still to be asked of, in their order.
    pub fn waiting_for(self, question: Id) -> Vec<ModelId> {
        let all = self.waiting_in_open().into_iter();
        let of_it = all.filter(|next| next.question == question);
        of_it.map(|next| next.model_id()).collect()
    }

    /// Whether a question of the open chat has still to be asked of a model.
    pub fn has_waiting(self) -> bool {
        !self.waiting_in_open().is_empty()
    }

    fn waiting_in_open(self) -> Vec<WaitingModel> {
        let others = self.chats().open.head().others();
        others.with(|others| WAITING_MODELS.read(others))
    }

    /// Whether models of the open chat wait that nobody is going to ask: the page was loaded anew since.
    pub fn is_left(self) -> bool {
        let chat = self.chats().open_id();
        let requests = self.models.requests;
        let is_asked = requests.with(|all| all.iter().any(|next| next.chat == chat));
        self.has_waiting() && !is_asked && !self.answers().is_held_elsewhere(chat)
    }

    /// Asks the models of the open chat that wait, after a reload.
    pub fn ask_left(self) {
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        self.models.requests.update(|all| {
            for waiting in WAITING_MODELS.read(&head.others) {
                let mut known = all.iter().filter(|next| next.chat == head.id);
                if known.all(|next| next.model() != waiting) {
                    let (head, model) = (head.clone(), waiting.model_id());
                    all.push(WaitingRequest {
                        chat: head.id,
                        question: waiting.question,
                        settings: self.steering().settings_for(head, model),
                    });
                }
            }
        });
    }

    /// Does not ask a model that waits.
    pub fn leave_out(self, question: Id, model: &ModelId) {
        let waiting = WaitingModel::new(question, model.clone());
        self.forget(self.chats().open_id_untracked(), |next| *next == waiting);
    }

    /// Asks no model of the open chat that waits.
    pub fn leave_all_out(self) {
        self.forget(self.chats().open_id_untracked(), |_| true);
    }

    /// Stops an answer that runs; the models behind it are asked.
    pub fn stop_one(self) {
        let chat = self.chats().open_id_untracked();
        self.models.running.update_value(|all| {
            if let Some(side) = all.get_mut(&chat) {
                side.goes_on = true;
            }
        });
        self.answers().stop(chat);
    }

    /// Asks no more models, and stops the answer that runs.
    pub fn stop_all(self) {
        self.leave_all_out();
        self.answers().stop(self.chats().open_id_untracked());
    }

    /// Has requests of a chat wait for their turn.
    fn wait(self, chat: Id, requests: Vec<WaitingRequest>) {
        let models: Vec<_> = requests.iter().map(WaitingRequest::model).collect();
        if !models.is_empty() {
            self.chats()
                .change_head(chat, |head| WAITING_MODELS.extend(&mut head.others, models));
            self.models.requests.update(|all| all.extend(requests));
        }
    }

    /// Forgets the models of a chat that wait.
    fn forget(self, chat: Id, is_forgotten: impl Fn(&WaitingModel) -> bool) {
        let known = self.chats().with_chat(chat, |chat| {
            let all = WAITING_MODELS.read(&chat.head.others);
            all.iter().any(&is_forgotten)
        });
        if known == Some(true) {
            self.chats().change_head(chat, |head| {
                WAITING_MODELS.retain(&mut head.others, |waiting| !is_forgotten(waiting));
            });
        }
        let requests = self.models.requests;
        let stays = |next: &WaitingRequest| next.chat != chat || !is_forgotten(&next.model());
        if !requests.with_untracked(|all| all.iter().all(stays)) {
            requests.update(|all| all.retain(stays));
        }
    }

    /// Asks no more models of a chat. Those that wait stay in its head.
    pub(super) fn drop_requests(self, chat: Id) {
        self.models
            .requests
            .update(|all| all.retain(|next| next.chat != chat));
    }

    fn record_running(self, chat: Id, answer: Id) {
        let side = RunningSide {
            answer,
            goes_on: false,
        };
        self.models.running.update_value(|all| {
            all.insert(chat, side);
        });
    }

    /// Asks the next model of a chat, unless the person stopped the former one.
    fn ask_next(self, next: WaitingRequest) {
        let model = next.model();
        let WaitingRequest {
            chat,
            question,
            settings,
        } = next;
        let running = self.models.running;
        let side = running.try_update_value(|all| all.remove(&chat)).flatten();
        if self.chats().is_gone(chat) {
            return self.drop_requests(chat);
        }
        let former = side.and_then(|side| {
            let (end, leaf) = self.chats().with_chat(chat, |chat| {
                // Where it calls tools, the answer that follows the results.
                let end = column(&chat.tree, side.answer).first().copied();
                (end.unwrap_or(side.answer), chat.leaf())
            })?;
            let message = self.chats().read_message(chat, end)?;
            // The first answer to a draft is shown. Nobody can go on with one that failed, so the next one is shown.
            let is_replaced = leaf == Some(end) && !message.is_usable_answer();
            Some((side, message.outcome, is_replaced))
        });
        if let Some((side, Outcome::Stopped, _)) = &former
            && !side.goes_on
        {
            return self.forget(chat, |_| true);
        }
        let replaced = former.and_then(|(side, _, is_replaced)| is_replaced.then_some(side));
        let asked = OverflowSource::OtherModel(question);
        let ask = || self.answers().answer_in(chat, question, settings, asked);
        let answer = match replaced {
            Some(_) => ask(),
            None => self.chats().write_beside(chat, question, ask),
        };
        match answer {
            Some(answer) => self.record_running(chat, answer),
            None => {
                let overflow = self.steering().overflow.get_untracked();
                self.steering().overflow.set(None);
                self.notices().show(not_asked(&model.model, overflow));
                // The next one still has the answer that failed before it.
                if let Some(side) = replaced {
                    running.update_value(|all| {
                        all.insert(chat, side);
                    });
                }
            }
        }
        // The last step: it wakes the effect that called this.
        self.forget(chat, |waiting| *waiting == model);
    }
}

/// That a model is left out, because the request does not fit its context if that is known.
fn not_asked(model: &str, overflow: Option<Overflow>) -> String {
    match overflow {
        Some(overflow) => t!(
            compare.not_asked_no_room,
            model = &model,
            tokens = grouped(overflow.tokens),
            context = grouped(overflow.context)
        ),
        None => t!(compare.not_asked_question_gone, model = &model),
    }
}
