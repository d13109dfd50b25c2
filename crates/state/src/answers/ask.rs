//! From a prompt to a request: the question is written first, then the window is chosen, then it goes.

use super::Answers;
use crate::answer::Answer;
use crate::overflow::{Asked, Overflow};
use crate::prompt::{Prepared, Prompt};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::{Fit, select};
use sash_chat::{Chat, Head, Id, Message, Outcome, Receipt, Role};
use sash_wire::ChatRequest;

impl Answers {
    /// Asks at the end of the branch that is being read. Whether it went; if not, nothing was written.
    pub fn ask(self, prompt: String) -> bool {
        let parent = self.chats.open.with_untracked(Chat::leaf);
        self.ask_after(parent, prompt, Asked::Draft)
    }

    /// Asks another version of a question: a branch beside it. Whether it went.
    pub fn ask_instead_of(self, question: Id, prompt: String) -> bool {
        let parent = self
            .chats
            .open
            .with_untracked(|chat| chat.get(question).and_then(|m| m.parent));
        self.ask_after(parent, prompt, Asked::Version(question))
    }

    /// Asks the model to go on where an answer ended. A prompt like any other, so that it is seen.
    pub fn continue_answer(self, answer: Id) {
        const GO_ON: &str = "Continue exactly where you stopped.";
        self.ask_after(Some(answer), GO_ON.to_owned(), Asked::Continue(answer));
    }

    fn ask_after(self, parent: Option<Id>, prompt: String, asked: Asked) -> bool {
        if !self.may_ask() || prompt.trim().is_empty() {
            return false;
        }
        let seq = self.chats.open.with_untracked(Chat::next_seq);
        let question = Message {
            content: prompt,
            ..Message::new(
                self.edges.new_id(),
                parent,
                seq,
                Role::User,
                self.edges.now(),
            )
        };
        let head = self.chats.open.with_untracked(|chat| chat.head.clone());
        // What was brought back was so for the draft alone.
        let is_draft = asked == Asked::Draft;
        let recalled = match is_draft {
            true => self.steering.recalled.get_untracked(),
            false => Vec::new(),
        };
        let Some(prepared) = self.prepare(&question, head, recalled) else {
            return false;
        };
        self.notices.drop_step();
        if self.does_not_fit(&prepared, asked) {
            return false;
        }
        self.keep_question(&question);
        if is_draft {
            self.steering.recalled.set(Vec::new());
        }
        self.run(prepared);
        true
    }

    /// Writes a question, and with the first one the chat itself.
    fn keep_question(self, question: &Message) {
        // Whoever asks here stays here.
        self.chats.note_opening();
        self.chats.open.update(|chat| chat.insert(question.clone()));
        let head = self.chats.open.with_untracked(|chat| chat.head.clone());
        let is_new = self.storage.with_log(|log| log.head(head.id).is_none()) == Some(true);
        self.storage
            .write(|log| log.save_message(head.id, question));
        if is_new {
            self.storage.write(|log| log.save_head(&head));
        }
        self.chats.refresh_chat(head.id);
    }

    /// Asks a question of the branch again: another answer beside those there are.
    pub fn answer_again(self, answer: Id) {
        match self.asked(answer) {
            Some((question, _)) if self.may_ask() => self.answer(question, Vec::new()),
            Some(_) => {}
            None => self.tell_no_question(),
        }
    }

    /// Says why an answer cannot be asked for again.
    pub fn tell_no_question(self) {
        self.notices.show("Its question has been deleted");
    }

    /// Whether a prompt can go now: a model is chosen and no answer runs in the open chat.
    pub fn may_ask(self) -> bool {
        self.asks.get()
    }

    /// Answers a question of the log with the window as it is steered now, and these brought back.
    pub fn answer(self, question: Id, recalled: Vec<Id>) {
        let head = self.chats.open.with_untracked(|chat| chat.head.clone());
        self.answer_as(question, head, recalled, Asked::Question(question));
    }

    /// Answers a question of the log with a window of one's own: `head` steers it, and is not kept.
    /// The answer's name, if it goes.
    pub(crate) fn answer_as(
        self,
        question: Id,
        head: Head,
        recalled: Vec<Id>,
        asked: Asked,
    ) -> Option<Id> {
        let question = self.chats.message(question)?;
        let prepared = self.prepare(&question, head, recalled)?;
        if self.does_not_fit(&prepared, asked) {
            return None;
        }
        let id = prepared.answer.id;
        self.run(prepared);
        Some(id)
    }

    /// Chooses the window before a question and makes the request of it.
    fn prepare(self, question: &Message, head: Head, recalled: Vec<Id>) -> Option<Prepared> {
        let prompt = untrack(|| {
            let model = self.steering.model()?;
            Some(self.prompt(model, question.content.clone(), Some(question.id)))
        })?;
        let estimate = self.steering.estimate.get_untracked();
        let reader = self.steering.reader_before(&question.content);
        let (chat, seq, request, receipt, size) = self.chats.open.with_untracked(|chat| {
            let before = chat.path_to(question.parent);
            let window = select(&before, &chat.effective_head(&head), &recalled, reader);
            // The question may not be in the log yet.
            let seq = chat.next_seq().max(question.seq + 1);
            (
                chat.head.id,
                seq,
                prompt.request(chat, &head, &window),
                prompt.receipt(&head, &window, estimate),
                prompt.size(&window),
            )
        });
        let answer = Message {
            model: Some(prompt.model),
            outcome: Outcome::Interrupted,
            receipt: Some(receipt),
            ..Message::new(
                self.edges.new_id(),
                Some(question.id),
                seq,
                Role::Assistant,
                self.edges.now(),
            )
        };
        Some(Prepared {
            chat,
            answer,
            request,
            size,
            recalled,
        })
    }

    /// A prompt with what goes along with it as things stand.
    fn prompt(self, model: String, text: String, question: Option<Id>) -> Prompt {
        Prompt {
            options: self.steering.options(&model),
            upstream: self.settings.current.with(|settings| settings.upstream),
            context_length: self.steering.context(),
            text,
            question,
            digest: self.engine.digest(&model),
            model,
        }
    }

    /// The request of the next prompt, as it would be sent now.
    pub fn next_request(self) -> ChatRequest {
        let model = self.steering.model().unwrap_or_default();
        let prompt = self.prompt(model, self.drafts.draft.get(), None);
        self.chats.open.with(|chat| {
            self.steering
                .window
                .with(|window| prompt.request(chat, &chat.head, window))
        })
    }

    /// Whether a request is guessed not to fit; then it is said, with what can be done.
    fn does_not_fit(self, prepared: &Prepared, asked: Asked) -> bool {
        let receipt = prepared.answer.receipt.as_ref();
        let overflow = receipt.and_then(|receipt| {
            let (tokens, context) = (receipt.prompt_tokens.estimated, receipt.context_length?);
            (Fit::of(tokens, Some(context)) == Fit::Over).then_some(Overflow {
                chat: prepared.chat,
                asked,
                recalled: prepared.recalled.clone(),
                tokens,
                context,
                guessed: true,
            })
        });
        // Who was told and sends it again means it: Ollama counts, and cuts nothing. Another text is not it.
        let told = self
            .steering
            .overflow
            .with_untracked(|told| *told == overflow);
        let over = overflow.is_some() && !told;
        self.steering.overflow.set(overflow.filter(|_| over));
        over
    }

    /// The changing parts of a message: those of the running answer, or fresh ones of a kept one.
    pub fn live(self, message: &Message) -> Answer {
        let running = self.running.live(message.id);
        running.unwrap_or_else(|| Answer::kept(message))
    }

    /// Includes the question before from now on, for the model that refused this answer, and asks again.
    pub fn include_question(self, answer: Id) {
        let model = self.chats.message(answer).and_then(|message| message.model);
        if let Some(model) = model {
            self.settings.change(|settings| {
                settings.question_first.retain(|known| *known != model);
                settings.question_first.push(model);
            });
        }
        self.answer_again(answer);
    }

    /// The question of an answer, unless it was deleted, and the receipt if there is one.
    pub fn asked(self, answer: Id) -> Option<(Id, Option<Receipt>)> {
        let message = self.chats.message(answer)?;
        let question = self.chats.message(message.parent?)?;
        Some((question.id, message.receipt))
    }
}
