//! From a prompt to a request: the question is written to the log first, then the window is chosen,
//! then the request is sent.

use super::Answers;
use crate::answer::LiveAnswer;
use crate::edges::HeldLock;
use crate::overflow::{Overflow, OverflowSource};
use crate::prepared::{PreparedAnswer, RequestBasis};
use crate::settings::SettingsStoreFields;
use crate::steering::RequestSettings;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::{ContextFit, ToolRounds};
use sash_chat::{
    Chat, ChatStoreFields, HeadStoreFields, Id, Image, Message, ModelId, Outcome, PromptDraft,
    RecalledBlock, Receipt, Role,
};
use sash_wire::RequestPlan;
use sash_words::t;

/// What a question becomes of.
#[derive(Clone)]
pub struct NewQuestion {
    /// The prompt.
    pub text: String,
    /// Its images.
    pub images: Vec<Image>,
    /// The messages that are quoted in it.
    pub recalled: Option<RecalledBlock>,
}

impl Answers {
    /// Asks at the end of the branch that is shown, with the images of the draft. Returns whether the
    /// prompt was sent; if not, nothing was written.
    pub fn ask(self, prompt: String) -> bool {
        let parent = self.chats().open.with_untracked(Chat::leaf);
        let prompt = self.of_draft(prompt);
        let settings = self.present_settings();
        self.ask_after(parent, prompt, settings, OverflowSource::Draft, None)
            .is_some()
    }

    /// What is asked with the draft.
    fn of_draft(self, text: String) -> NewQuestion {
        NewQuestion {
            text,
            images: self.drafts().images.get_untracked(),
            recalled: self.steering().quotes.get_untracked(),
        }
    }

    /// Asks a prompt that was put aside under this id at the end of the branch that is shown; the draft stays as it is.
    /// `held` is the chat's lock, if this tab has it still. Returns whether the prompt was sent; if not, nothing was
    /// written.
    pub fn ask_put_aside(self, id: Id, prompt: PromptDraft, held: Option<HeldLock>) -> bool {
        let parent = self.chats().open.with_untracked(Chat::leaf);
        let settings = self.present_settings();
        settings.is_some_and(|settings| {
            let question = self.new_question(&settings, parent, None, prompt);
            let asked = OverflowSource::PutAside(id);
            self.ask_after(parent, question, Some(settings), asked, held)
                .is_some()
        })
    }

    /// A prompt after a message of the open chat, with what is quoted for it in a request with these settings.
    pub fn new_question(
        self,
        settings: &RequestSettings,
        after: Option<Id>,
        version_of: Option<Id>,
        prompt: PromptDraft,
    ) -> NewQuestion {
        let steering = self.steering();
        NewQuestion {
            recalled: steering.quotes_for(settings, after, version_of, &prompt),
            text: prompt.text,
            images: prompt.images,
        }
    }

    /// Asks at the end of the branch that is shown, as [`Self::ask`] does, with these settings, which are not saved.
    /// Returns the question and the answer; `None` if the prompt was not sent.
    pub fn ask_with(self, prompt: String, settings: RequestSettings) -> Option<(Id, Id)> {
        let parent = self.chats().open.with_untracked(Chat::leaf);
        let prompt = self.of_draft(prompt);
        self.ask_after(parent, prompt, Some(settings), OverflowSource::Draft, None)
    }

    pub(super) fn present_settings(self) -> Option<RequestSettings> {
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        self.steering().settings_with(head)
    }

    /// Asks another version of a question, as a branch beside it. Returns whether the prompt was sent.
    pub fn ask_instead_of(self, question: Id, prompt: PromptDraft) -> bool {
        let former = self.chats().message(question);
        let parent = former.and_then(|message| message.parent);
        let asked = OverflowSource::Version(question);
        self.present_settings().is_some_and(|settings| {
            let question = self.new_question(&settings, parent, Some(question), prompt);
            self.ask_after(parent, question, Some(settings), asked, None)
                .is_some()
        })
    }

    /// Asks the model in a new question to continue where an answer ended.
    pub(super) fn ask_to_continue(self, answer: Id) {
        const CONTINUE_PROMPT: &str = "Continue exactly where you stopped.";
        let question = NewQuestion {
            text: CONTINUE_PROMPT.to_owned(),
            images: Vec::new(),
            recalled: None,
        };
        let settings = self.present_settings();
        let asked = OverflowSource::Continue(answer);
        self.ask_after(Some(answer), question, settings, asked, None);
    }

    fn ask_after(
        self,
        parent: Option<Id>,
        question: NewQuestion,
        settings: Option<RequestSettings>,
        asked: OverflowSource,
        held: Option<HeldLock>,
    ) -> Option<(Id, Id)> {
        if !untrack(|| self.can_send()) || question.text.trim().is_empty() {
            return None;
        }
        let question = self.question_after(parent, question);
        let prepared = self.prepare(&question, settings?);
        self.notices().drop_outdated();
        if self.does_not_fit(&prepared, asked) {
            return None;
        }
        let ids = (question.id, prepared.answer.id);
        self.keep_question(&question);
        if asked == OverflowSource::Draft {
            self.drafts().drop_sent();
        }
        match held {
            Some(held) => self.run_held(prepared, held),
            None => self.run(prepared),
        }
        Some(ids)
    }

    /// The message that a question after a message of the open chat becomes.
    fn question_after(self, parent: Option<Id>, question: NewQuestion) -> Message {
        let seq = self.chats().open.with_untracked(Chat::next_seq);
        let (id, now) = (self.edges.new_id(), self.edges.now());
        Message {
            content: question.text,
            images: question.images,
            recalled: question.recalled,
            ..Message::new(id, parent, seq, Role::User, now)
        }
    }

    /// Writes a question to the log, and the chat's head too if the question is the chat's first.
    fn keep_question(self, question: &Message) {
        // A question counts as opening the chat, so that a slow lookup of drafts does not switch to
        // another one.
        self.chats().record_opening();
        let chat = self.chats().open_id_untracked();
        let is_new = self.storage().with_log(|log| log.head(chat).is_none()) == Some(true);
        if is_new {
            self.chats().tell_apart(&question.content);
        }
        let head = self.chats().open.head().get_untracked();
        self.chats().show(head.id, [question.clone()]);
        self.storage()
            .write(|log| log.save_message(head.id, question));
        if is_new {
            self.storage().write(|log| log.save_head(&head));
        }
        self.chats().refresh_chat(head.id);
    }

    /// Writes a question after a message of the open chat that is not asked yet.
    pub fn add_question(self, after: Id, question: NewQuestion) -> Id {
        let question = self.question_after(Some(after), question);
        self.keep_question(&question);
        question.id
    }

    /// The request of a question after a message of the open chat, if it is estimated not to fit with these settings. Nothing
    /// is written.
    pub fn overflow_after(
        self,
        after: Id,
        question: &NewQuestion,
        settings: RequestSettings,
    ) -> Option<Overflow> {
        let question = self.question_after(Some(after), question.clone());
        let asked = OverflowSource::OtherModel(question.id);
        overflow_of(&self.prepare(&question, settings), asked)
    }

    /// Asks the question of an answer again: the new answer is a version beside the existing ones.
    pub fn answer_again(self, answer: Id) {
        match self.asked(answer) {
            Some((question, _)) if self.can_send() => self.answer(question),
            Some(_) => {}
            None => self.report_no_question(),
        }
    }

    /// Says that an answer cannot be regenerated because its question was deleted.
    pub fn report_no_question(self) {
        self.notices().show(t!(state.question_deleted));
    }

    /// Whether a prompt can be sent now: a model is chosen, and neither an answer nor a tool runs in the open chat.
    pub fn can_send(self) -> bool {
        self.can_send.get()
    }

    /// Answers a question of the log with the chat's present window.
    pub fn answer(self, question: Id) {
        if let Some(settings) = self.present_settings() {
            self.answer_as(question, settings, OverflowSource::Question(question));
        }
    }

    /// Asks the question of an answer again with another model. The model that the chat has chosen stays chosen. Returns
    /// whether the request was sent.
    pub fn answer_again_with(self, answer: Id, model: &ModelId) -> bool {
        let Some((question, _)) = self.asked(answer) else {
            self.report_no_question();
            return false;
        };
        if !untrack(|| self.can_send()) {
            return false;
        }
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        let settings = self.steering().settings_for(head, model.clone());
        self.answer_as(question, settings, OverflowSource::OtherModel(question))
            .is_some()
    }

    /// Answers a question of the log with these settings, which are not saved. Returns the answer's id if the request
    /// was sent.
    pub fn answer_as(
        self,
        question: Id,
        settings: RequestSettings,
        asked: OverflowSource,
    ) -> Option<Id> {
        let question = self.chats().message(question)?;
        let prepared = self.prepare(&question, settings);
        if self.does_not_fit(&prepared, asked) {
            return None;
        }
        let id = prepared.answer.id;
        self.run(prepared);
        Some(id)
    }

    /// The same for a question of any chat. Returns the answer's id if the request was sent: not while something is
    /// answered in that chat, here or in another tab.
    pub fn answer_in(
        self,
        chat: Id,
        question: Id,
        settings: RequestSettings,
        asked: OverflowSource,
    ) -> Option<Id> {
        let is_held = untrack(|| self.is_busy(chat) || self.remote().is_held(chat));
        let question = self
            .chats()
            .read_message(chat, question)
            .filter(|_| !is_held)?;
        let prepared = self.chats().with_chat(chat, |chat| {
            let basis = self.basis_in(chat, &question, settings, "");
            basis.prepare(chat, self.answer_message(chat, &question))
        })?;
        let is_open = self.chats().open_id_untracked() == chat;
        if is_open && self.does_not_fit(&prepared, asked) {
            return None;
        }
        let id = prepared.answer.id;
        self.run(prepared);
        Some(id)
    }

    /// Chooses the window before a question and builds the request.
    fn prepare(self, after: &Message, mut settings: RequestSettings) -> PreparedAnswer {
        self.keep_sent_system(&mut settings);
        let basis = self.basis(after, settings, "");
        let chats = self.chats().open;
        chats.with_untracked(|chat| basis.prepare(chat, self.answer_message(chat, after)))
    }

    /// Puts the system prompt of the folder into the list of the open chat, where the receipt refers to it: the folder
    /// may have another one tomorrow.
    pub(super) fn keep_sent_system(self, settings: &mut RequestSettings) {
        if let Some(text) = settings.head.unkept_system().map(str::to_owned) {
            self.chats()
                .change_head(settings.head.id, |head| head.keep_system(&text));
            settings.head.systems = self.chats().open.head().systems().get_untracked();
        }
    }

    /// What decides the request that follows a message of the open chat: a question, an answer that calls tools, or the
    /// result of a call. After a call and its result the window is that of the question, and what the model called since
    /// comes after it. The prompt may be followed by the beginning of an answer that is carried on.
    pub(super) fn basis(
        self,
        after: &Message,
        settings: RequestSettings,
        begun: &str,
    ) -> RequestBasis {
        self.chats()
            .open
            .with_untracked(|chat| self.basis_in(chat, after, settings, begun))
    }

    /// The same for a message of any chat.
    pub(super) fn basis_in(
        self,
        chat: &Chat,
        after: &Message,
        settings: RequestSettings,
        begun: &str,
    ) -> RequestBasis {
        let (question, rounds) = match ToolRounds::before(&chat.tree, after) {
            Some((question, rounds)) => (question, rounds.messages),
            None => (after, Vec::new()),
        };
        let (text, images) = (question.content.clone(), question.images.clone());
        let recalled = question.recalled.clone();
        let recalled = recalled.filter(|_| settings.head.sends_recalled(question));
        let steering = self.steering();
        let asked = format!("{text}{begun}");
        let window = steering.window_before(chat, &settings, question.parent, &asked, recalled);
        let context_length = steering.context_for(&settings);
        let RequestSettings {
            head,
            model,
            parameters,
        } = settings;
        let estimate = untrack(|| steering.estimate_of(&model));
        let prompt = untrack(|| RequestPlan {
            rounds,
            parameters,
            context_length,
            ..self.prompt(model, text, images, Some(question.id))
        });
        RequestBasis {
            prompt,
            head,
            window,
            estimate,
        }
    }

    /// The message that an answer becomes, without its receipt.
    pub(super) fn answer_message(self, chat: &Chat, after: &Message) -> Message {
        // A question that is not in the log yet has the chat's next number itself; the answer comes after it.
        let seq = chat.next_seq().max(after.seq + 1);
        let id = self.edges.new_id();
        Message {
            outcome: Outcome::Interrupted,
            ..Message::new(id, Some(after.id), seq, Role::Assistant, self.edges.now())
        }
    }

    /// A prompt with the present options, server and context length.
    pub fn prompt(
        self,
        model: ModelId,
        text: String,
        images: Vec<Image>,
        question: Option<Id>,
    ) -> RequestPlan {
        RequestPlan {
            images,
            sees_images: self.engine().sees_images(&model),
            gone_images: self.attachments().gone(),
            rounds: Vec::new(),
            continued: None,
            think_choices: self.engine().sendable_think(&model),
            parameters: self.steering().parameters_of(&model),
            upstream: self.settings().current.upstream().get(),
            context_length: self.steering().context.get(),
            text,
            question,
            digest: self.engine().digest(&model),
            engine_address: self.engine().address_of(&model),
            taken: self.engine().parameters(model.engine.as_deref()),
            model: model.name,
            engine: model.engine,
        }
    }

    /// Whether a request is estimated not to fit; if so, remedies are offered instead of sending
    /// it.
    pub(super) fn does_not_fit(self, prepared: &PreparedAnswer, asked: OverflowSource) -> bool {
        let overflow = overflow_of(prepared, asked);
        // Sending the same request again overrides the estimate: Ollama counts exactly and cuts
        // nothing. A changed request is estimated anew.
        let told = self
            .steering()
            .overflow
            .with_untracked(|told| *told == overflow);
        let over = overflow.is_some() && !told;
        self.steering().overflow.set(overflow.filter(|_| over));
        over
    }

    /// The changing parts of a message: the signals of the running answer, or some made from
    /// the log's message.
    pub fn live(self, message: &Message) -> LiveAnswer {
        self.running.live_or_kept(message)
    }

    /// Whether the chat can go on with an answer of the open chat; with one that runs once it has text.
    pub fn can_go_on_with(self, answer: Id) -> bool {
        let known = self.chats().open_tree().with(|tree| {
            let message = tree.get(answer).filter(|_| !tree.is_removed(answer))?;
            Some((message.is_usable_answer(), message.outcome.clone()))
        });
        match (known, self.running.live(answer)) {
            (Some(_), Some(live)) => live.text.with(|text| !text.trim().is_empty()),
            (Some((is_usable, _)), None) => is_usable,
            (None, _) => false,
        }
    }

    /// From now on includes the question before the window for the model that refused this answer,
    /// then asks again.
    pub fn include_question(self, answer: Id) {
        let model = self
            .chats()
            .message(answer)
            .and_then(|message| message.model_id());
        if let Some(model) = model {
            let model = model.key().into_owned();
            self.settings().change(|settings| {
                settings.question_first.retain(|known| *known != model);
                settings.question_first.push(model);
            });
        }
        self.answer_again(answer);
    }

    /// The question of an answer and the answer's receipt, if it has one; `None` if the question
    /// was deleted.
    pub fn asked(self, answer: Id) -> Option<(Id, Option<Receipt>)> {
        let message = self.chats().message(answer)?;
        let question = self.chats().message(message.parent?)?;
        Some((question.id, message.receipt))
    }
}

/// A request that is estimated not to fit.
fn overflow_of(prepared: &PreparedAnswer, asked: OverflowSource) -> Option<Overflow> {
    let receipt = prepared.answer.receipt.as_ref()?;
    let (tokens, context) = (receipt.prompt_tokens.estimated, receipt.context_length?);
    (ContextFit::of(tokens, Some(context)) == ContextFit::Over).then_some(Overflow {
        chat: prepared.chat,
        asked,
        tokens,
        context,
        guessed: true,
    })
}
