//! One question asked of several models. Their answers are versions of one another, so they are in the log from the
//! beginning; which models have still to be asked is in the chat's head, so that a reload does not forget them.

use crate::branches::{branch_map, column, end_of_rounds};
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{ChatStoreFields, HeadStoreFields, Id, ModelId, Outcome};
use sash_records::compare::{WAITING_MODELS, WaitingModel};
use sash_stores::{ChatEvent, Kernel, Overflow, OverflowSource, RequestSettings, uses};
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
    chat: Id,
    answer: Id,
    /// Whether the models behind it are asked although the person stops it.
    goes_on: bool,
}

/// One question asked of several models, one after another: models of one engine would put each other out of memory.
#[derive(Clone, Copy)]
pub struct SideBySide {
    kernel: Kernel,
    /// The state of the dialog.
    pub state: RwSignal<SidesState>,
    /// Whether the map of the open chat's branches is open.
    pub branches_shown: RwSignal<bool>,
    /// The answer whose question is to be asked again with another model, while that model is chosen.
    pub asked_with: RwSignal<Option<Id>>,
    /// The answer at which the dialog was opened: it is a column, however many newer versions there are.
    opened_at: RwSignal<Option<Id>>,
    /// The requests that this tab sends, in their order.
    waiting: RwSignal<Vec<WaitingRequest>, LocalStorage>,
    running: StoredValue<Vec<RunningSide>>,
    /// The number of branches of the open chat.
    pub branches: Memo<usize>,
}

uses!(SideBySide.kernel: notices chats drafts steering answers);

impl SideBySide {
    /// Creates the store with the dialog closed. When an answer has ended, the next model is asked.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let (chats, answers) = (kernel.chats(), kernel.answers());
        let store = Self {
            kernel,
            state: RwSignal::new(SidesState::Closed),
            branches_shown: RwSignal::new(false),
            asked_with: RwSignal::new(None),
            opened_at: RwSignal::new(None),
            waiting: RwSignal::new_local(Vec::new()),
            running: StoredValue::new(Vec::new()),
            // Every branch that is shown goes through a fork, if there is one.
            branches: Memo::new(move |_| match chats.forks.with(Vec::is_empty) {
                true => 1,
                false => chats
                    .open_tree()
                    .with(|tree| branch_map(tree, None).branches),
            }),
        };
        chats.events().on(move |event| {
            if *event == ChatEvent::Left {
                store.state.set(SidesState::Closed);
                // A temporary chat ends when it is left.
                let left = chats.open_id_untracked();
                if chats.is_temporary_untracked(left) {
                    store
                        .waiting
                        .update(|all| all.retain(|next| next.chat != left));
                }
            }
        });
        // Sends the next request of a chat when the former answer and its tools have ended.
        Effect::new(move || {
            let next = store.waiting.with(|all| {
                let mut chats = all.iter().map(|next| next.chat);
                chats.find(|chat| !answers.is_busy(*chat) && !answers.is_held_elsewhere(*chat))
            });
            if let Some(chat) = next {
                untrack(|| store.ask_next(chat));
            }
        });
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Opens the choice of another model for the question of an answer.
    pub fn choose_other(self, answer: Id) {
        match self.answers().asked(answer) {
            Some(_) => self.asked_with.set(Some(answer)),
            None => self.answers().report_no_question(),
        }
    }

    /// Opens the choice of several models, for the question of an answer or for the draft.
    pub fn choose_several(self, of: Option<Id>) {
        match of.filter(|answer| self.answers().asked(*answer).is_none()) {
            Some(_) => self.answers().report_no_question(),
            None => self.state.set(SidesState::Choosing(of)),
        }
    }

    /// Shows the versions of an answer side by side.
    pub fn compare_versions(self, answer: Id) {
        match self.answers().asked(answer) {
            Some((question, _)) => self.compare(question, Some(answer)),
            None => self.answers().report_no_question(),
        }
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
                let answer = self.chats().write_beside(chat, question, || {
                    self.answers().answer_as(question, first, asked)
                })?;
                Some((question, answer))
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
        self.compare(question, of);
        true
    }

    /// Asks the draft of every model whose answer stands side by side: each column goes on by itself, with what is shown as
    /// recalled for the draft as far as it is before it. A model that the question does not fit is named and not asked.
    /// Returns whether any is asked; if not, nothing was written.
    pub fn ask_all(self, question: Id) -> bool {
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        let can_send = untrack(|| self.answers().can_send() && !self.has_waiting());
        let columns = untrack(|| self.sides(question)).0.into_iter();
        let ends = columns.filter_map(|answer| {
            let end = untrack(|| self.column(answer)).last().copied()?;
            let model = self.chats().with_message(end, |m| m.model_id()).flatten()?;
            Some((end, self.steering().settings_for(head.clone(), model)))
        });
        let ends: Vec<_> = ends.collect();
        let is_blank = |draft: &String| draft.trim().is_empty();
        if !can_send || ends.is_empty() || self.drafts().draft.with_untracked(is_blank) {
            return false;
        }
        let prompt = self.drafts().going_prompt();
        let (mut fitting, mut others) = (Vec::new(), Vec::new());
        for (end, settings) in ends {
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

    /// Shows the answers to a question side by side, among them the one at which this was chosen.
    pub fn compare(self, question: Id, opened_at: Option<Id>) {
        self.opened_at.set(opened_at);
        self.state.set(SidesState::Comparing(question));
    }

    /// The answers that stand side by side: the newest versions and the one at which the dialog was opened; and how many
    /// older ones do not.
    pub fn sides(self, question: Id) -> (Vec<Id>, usize) {
        let opened_at = self.opened_at.get();
        let (mut sides, kept) = self.chats().open_tree().with(|tree| {
            let sides = tree.answers_to(question);
            let branch = tree.path_to(opened_at);
            let kept = sides
                .iter()
                .position(|side| branch.iter().any(|message| message.id == *side));
            (sides, kept)
        });
        let room = MAX_SIDES.saturating_sub(self.waiting_for(question).len());
        let older = sides.len().saturating_sub(room);
        if let Some(kept) = kept.filter(|kept| *kept < older && room > 0) {
            sides[kept..=older].rotate_left(1);
        }
        sides.drain(..older);
        (sides, older)
    }

    /// What stands below an answer side by side: the answer, and what was asked after it.
    pub fn column(self, answer: Id) -> Vec<Id> {
        self.chats().open_tree().with(|tree| column(tree, answer))
    }

    /// The models that a question of the open chat has still to be asked of, in their order.
    pub fn waiting_for(self, question: Id) -> Vec<ModelId> {
        let others = self.chats().open.head().others();
        let all = others.with(|others| WAITING_MODELS.read(others));
        let of_it = all.iter().filter(|next| next.question == question);
        of_it.map(WaitingModel::model_id).collect()
    }

    /// Whether a question of the open chat has still to be asked of a model.
    pub fn has_waiting(self) -> bool {
        let others = self.chats().open.head().others();
        others.with(|others| !WAITING_MODELS.read(others).is_empty())
    }

    /// Whether models of the open chat wait that nobody is going to ask: the page was loaded anew since.
    pub fn is_left(self) -> bool {
        let chat = self.chats().open_id();
        let of_chat = self
            .waiting
            .with(|all| all.iter().any(|next| next.chat == chat));
        self.has_waiting() && !of_chat && !self.answers().is_held_elsewhere(chat)
    }

    /// Asks the models of the open chat that wait, after a reload.
    pub fn ask_left(self) {
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        let known = self.waiting.get_untracked();
        let left = WAITING_MODELS.read(&head.others).into_iter();
        let left = left.filter(|waiting| {
            let mut known = known.iter().filter(|next| next.chat == head.id);
            known.all(|next| next.model() != *waiting)
        });
        let requests = left.map(|waiting| WaitingRequest {
            chat: head.id,
            question: waiting.question,
            settings: self
                .steering()
                .settings_for(head.clone(), waiting.model_id()),
        });
        let requests: Vec<_> = requests.collect();
        self.waiting.update(|all| all.extend(requests));
    }

    /// Does not ask a model that waits.
    pub fn leave_out(self, question: Id, model: &ModelId) {
        let chat = self.chats().open_id_untracked();
        self.forget(chat, |waiting| {
            waiting.question == question && waiting.model_id() == *model
        });
    }

    /// Asks no model of the open chat that waits.
    pub fn leave_all_out(self) {
        self.forget(self.chats().open_id_untracked(), |_| true);
    }

    /// Stops an answer that runs; the models behind it are asked.
    pub fn stop_one(self) {
        let chat = self.chats().open_id_untracked();
        self.running.update_value(|all| {
            for side in all.iter_mut().filter(|side| side.chat == chat) {
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

    /// Goes on with one of the answers and its model. The others stay as versions beside it; models that wait are not
    /// asked, and what runs is stopped, unless it is this one.
    pub fn go_on_with(self, answer: Id) {
        let chat = self.chats().open_id_untracked();
        self.leave_all_out();
        let runs = untrack(|| self.answers().running_in(chat));
        let branch = self.chats().open_tree().with_untracked(|tree| {
            let branch = tree.path_to(runs);
            branch.iter().any(|message| message.id == answer)
        });
        if runs.is_some() && !branch {
            self.answers().stop(chat);
        }
        self.chats().walk_to(answer);
        self.steering().take_model_of(answer);
        self.state.set(SidesState::Closed);
    }

    /// Has requests of a chat wait for their turn.
    fn wait(self, chat: Id, requests: Vec<WaitingRequest>) {
        let models: Vec<_> = requests.iter().map(WaitingRequest::model).collect();
        if !models.is_empty() {
            self.chats()
                .change_head(chat, |head| WAITING_MODELS.extend(&mut head.others, models));
            self.waiting.update(|all| all.extend(requests));
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
        let stays = |next: &WaitingRequest| next.chat != chat || !is_forgotten(&next.model());
        if !self.waiting.with_untracked(|all| all.iter().all(stays)) {
            self.waiting.update(|all| all.retain(stays));
        }
    }

    fn record_running(self, chat: Id, answer: Id) {
        self.running.update_value(|all| {
            // The last one of a row was not taken out.
            all.retain(|side| side.chat != chat);
            all.push(RunningSide {
                chat,
                answer,
                goes_on: false,
            });
        });
    }

    /// Asks the next model of a chat, unless the person stopped the former one.
    fn ask_next(self, chat: Id) {
        let next = self.waiting.with_untracked(|all| {
            let mut of_chat = all.iter().filter(|next| next.chat == chat);
            of_chat.next().cloned()
        });
        let Some(next) = next else {
            return;
        };
        let running = self.running.try_update_value(|all| {
            let at = all.iter().position(|side| side.chat == chat)?;
            Some(all.remove(at))
        });
        let side = running.flatten();
        let former = side.and_then(|side| {
            let (end, leaf) = self.chats().with_chat(chat, |chat| {
                (end_of_rounds(&chat.tree, side.answer), chat.leaf())
            })?;
            let message = self.chats().read_message(chat, end)?;
            // The first answer to a draft is shown. Nobody can go on with one that failed, so the next one is shown.
            let is_replaced = leaf == Some(end) && !message.is_usable_answer();
            Some(((message.outcome, side.goes_on), is_replaced))
        });
        let (former, is_replaced) = former.unzip();
        if self.chats().is_gone(chat) {
            return self
                .waiting
                .update(|all| all.retain(|next| next.chat != chat));
        }
        if former == Some((Outcome::Stopped, false)) {
            return self.forget(chat, |_| true);
        }
        let (question, model) = (next.question, next.settings.model.clone());
        let asked = OverflowSource::OtherModel(question);
        let ask = || {
            self.answers()
                .answer_in(chat, question, next.settings, asked)
        };
        let answer = match is_replaced {
            Some(true) => ask(),
            _ => self.chats().write_beside(chat, question, ask),
        };
        match answer {
            Some(answer) => self.record_running(chat, answer),
            None => {
                let overflow = self.steering().overflow.get_untracked();
                self.steering().overflow.set(None);
                self.notices().show(not_asked(&model.name, overflow));
                // The next one still has the answer that failed before it.
                if let Some(side) = side.filter(|_| is_replaced == Some(true)) {
                    self.running.update_value(|all| all.push(side));
                }
            }
        }
        // The last step: it wakes the effect that called this.
        self.forget(chat, |waiting| {
            waiting.question == question && waiting.model_id() == model
        });
    }
}

/// That a model is left out, because the request does not fit its context if that is known.
fn not_asked(model: &str, overflow: Option<Overflow>) -> String {
    match overflow {
        Some(overflow) => t!(
            compare.not_asked_does_not_fit,
            model = &model,
            tokens = grouped(overflow.tokens),
            context = grouped(overflow.context)
        ),
        None => t!(compare.not_asked, model = &model),
    }
}
