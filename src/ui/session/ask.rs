//! From a prompt to a request: the question is written first, then the window is chosen, then it goes.

use super::{Asked, Live, Ollama, Overflow, Session, Toast};
use crate::api::Prompt;
use crate::browser::{clock, ids};
use leptos::prelude::*;
use sash_chat::window::{Fit, Size, select};
use sash_chat::{Chat, Head, Id, Message, Outcome, Role};
use sash_wire::ChatRequest;

/// An answer that is about to be asked for.
pub(super) struct Prepared {
    pub(super) chat: Id,
    pub(super) answer: Message,
    pub(super) request: ChatRequest,
    /// How large the request is, for what the model will count.
    pub(super) size: Size,
    /// What was brought back for it.
    pub(super) recalled: Vec<Id>,
}

impl Session {
    /// Asks at the end of the branch that is being read. Whether it went; if not, nothing was written.
    pub fn ask(self, prompt: String) -> bool {
        let parent = self.open.with_untracked(Chat::leaf);
        self.ask_after(parent, prompt, Asked::Draft)
    }

    /// Asks another version of a question: a branch beside it. Whether it went.
    pub fn ask_instead_of(self, question: Id, prompt: String) -> bool {
        let parent = self
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
        let seq = self.open.with_untracked(Chat::next_seq);
        let question = Message {
            content: prompt,
            ..Message::new(ids::new_id(), parent, seq, Role::User, clock::now())
        };
        let head = self.open.with_untracked(|chat| chat.head.clone());
        // What was brought back was so for the draft alone.
        let is_draft = asked == Asked::Draft;
        let recalled = match is_draft {
            true => self.recalled.get_untracked(),
            false => Vec::new(),
        };
        let Some(prepared) = self.prepare(&question, head, recalled) else {
            return false;
        };
        self.forget_step();
        if self.does_not_fit(&prepared, asked) {
            return false;
        }
        self.keep_question(&question);
        if is_draft {
            self.recalled.set(Vec::new());
        }
        self.run(prepared);
        true
    }

    /// Writes a question, and with the first one the chat itself.
    fn keep_question(self, question: &Message) {
        // Whoever asks here stays here.
        self.overtake();
        self.open.update(|chat| chat.insert(question.clone()));
        let head = self.open.with_untracked(|chat| chat.head.clone());
        let is_new = self.with_log(|log| log.head(head.id).is_none()) == Some(true);
        self.write(|log| log.save_message(head.id, question));
        if is_new {
            self.write(|log| log.save_head(&head));
        }
        self.refresh_chat(head.id);
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
        self.toast.set(Some(Toast {
            text: "Its question has been deleted".to_owned(),
            undo: None,
        }));
    }

    /// Whether a prompt can go now: a model is chosen and no answer runs in the open chat.
    pub fn may_ask(self) -> bool {
        self.asks.get()
    }

    /// The model the next prompt goes to.
    pub fn model(self) -> Option<String> {
        model(self.open, self.ollama)
    }

    /// Answers a question of the log with the window as it is steered now, and these brought back.
    pub fn answer(self, question: Id, recalled: Vec<Id>) {
        let head = self.open.with_untracked(|chat| chat.head.clone());
        self.answer_as(question, head, recalled, Asked::Question(question));
    }

    /// Answers a question of the log with a window of one's own: `head` steers it, and is not kept.
    /// The answer's name, if it goes.
    pub(super) fn answer_as(
        self,
        question: Id,
        head: Head,
        recalled: Vec<Id>,
        asked: Asked,
    ) -> Option<Id> {
        let question = self.message(question)?;
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
            let model = self.model()?;
            Some(self.prompt(model, question.content.clone(), Some(question.id)))
        })?;
        let estimate = self.estimate.get_untracked();
        let reader = self.reader_before(&question.content);
        let (chat, seq, request, receipt, size) = self.open.with_untracked(|chat| {
            let before = chat.path_to(question.parent);
            let window = select(&before, &chat.steered(&head), &recalled, reader);
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
                ids::new_id(),
                Some(question.id),
                seq,
                Role::Assistant,
                clock::now(),
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
            options: self.options(&model),
            upstream: self.settings.with(|settings| settings.upstream),
            context_length: self.context(),
            text,
            question,
            digest: self.ollama.digest(&model),
            model,
        }
    }

    /// The request of the next prompt, as it would be sent now.
    pub fn next_request(self) -> ChatRequest {
        let model = self.model().unwrap_or_default();
        let prompt = self.prompt(model, self.draft.get(), None);
        self.open.with(|chat| {
            self.window
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
        let told = self.overflow.with_untracked(|told| *told == overflow);
        let over = overflow.is_some() && !told;
        self.overflow.set(overflow.filter(|_| over));
        over
    }

    /// The changing parts of a message: those of the running answer, or fresh ones of a kept one.
    pub fn live(self, message: &Message) -> Live {
        let running = self
            .running
            .with_value(|running| running.get(&message.id).map(super::Running::live));
        running.unwrap_or_else(|| Live::kept(message))
    }
}

/// The model the next prompt goes to: the chat's, even if it is missing now, so that the chat keeps its
/// setting; the first there is where none was chosen. The demo has its own.
pub(super) fn model(open: RwSignal<Chat>, ollama: Ollama) -> Option<String> {
    let listed = |name: &String| {
        ollama
            .models
            .with(|models| models.iter().any(|m| m.name == *name))
    };
    let chosen = open.with(|chat| chat.head.model.clone());
    let chosen = chosen.filter(|name| !ollama.is_demo() || listed(name));
    chosen.or_else(|| {
        ollama
            .models
            .with(|models| models.first().map(|m| m.name.clone()))
    })
}
