//! The request that the person sees before it is sent, and the title that the person saves.

use crate::request::title_prompt;
use reactive_graph::graph::untrack;
use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::Size;
use sash_chat::{Id, question_title};
use sash_markdown::plain_text;
use sash_stores::side_request::side_request;
use sash_stores::{ChatEvent, Kernel, SideAnswer, uses};
use sash_wire::{ChatRequest, DoneReason, Fault};
use sash_words::t;

/// So much of an answer is read: a model that writes on and on is stopped.
const MAX_ANSWER_BYTES: usize = 400;

/// The request for the title of a chat.
#[derive(Clone, Debug, PartialEq)]
pub struct TitleRequest {
    /// The chat.
    pub chat: Id,
    /// The model that is asked.
    pub model: String,
    /// What it reads.
    pub prompt: String,
    /// About how many tokens that is.
    pub tokens: u64,
    /// The title that the chat had, if the person or a model gave it one.
    former: Option<String>,
    request: ChatRequest,
}

/// Titles by the model.
#[derive(Clone, Copy)]
pub struct Titles {
    kernel: Kernel,
    /// The request that is shown; `None` while the dialog is closed.
    pub request: RwSignal<Option<TitleRequest>>,
    /// The title: as it comes, then as the person changes it.
    pub text: RwSignal<String>,
    /// What the model writes.
    pub answer: SideAnswer,
    /// What went wrong; empty if nothing did.
    pub error: RwSignal<String>,
}

uses!(Titles.kernel: notices chats steering answers);

impl Titles {
    /// Creates the store with the dialog closed.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let chats = kernel.chats();
        let store = Self {
            kernel,
            request: RwSignal::new(None),
            text: RwSignal::new(String::new()),
            answer: SideAnswer::new(kernel),
            error: RwSignal::new(String::new()),
        };
        chats.events().on(move |event| {
            if *event == ChatEvent::Left {
                store.close();
            }
        });
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Shows the request for the title of the open chat. Nothing is sent yet.
    pub fn open(self) {
        let Some(model) = self.steering().model.get_untracked() else {
            return self.notices().show(t!(titles.no_model));
        };
        self.close();
        let prompt = untrack(|| {
            self.answers()
                .prompt(model, String::new(), Vec::new(), None)
        });
        let estimate = self.steering().estimate.get_untracked();
        let made = self.chats().open.with_untracked(|chat| {
            let text = title_prompt(chat)?;
            Some(TitleRequest {
                chat: chat.head.id,
                model: prompt.model.clone(),
                tokens: estimate.part(Size::of(&text)),
                former: chat.head.title.clone(),
                request: side_request(chat, &prompt, text.clone()),
                prompt: text,
            })
        });
        if made.is_none() && !self.chats().path.with_untracked(Vec::is_empty) {
            self.notices().show(t!(state.nothing_readable));
        }
        self.text.set(String::new());
        self.error.set(String::new());
        self.request.set(made);
    }

    /// Sends the request.
    pub fn ask(self) {
        let Some(title) = self.request.get_untracked() else {
            return;
        };
        if untrack(|| self.answer.is_running()) {
            return;
        }
        self.text.set(String::new());
        self.error.set(String::new());
        let show = move |answer: &str| {
            self.text.set(title_of(answer).unwrap_or_default());
            answer.len() <= MAX_ANSWER_BYTES
        };
        self.answer.ask(title.request, show, move |end| {
            self.finish(end.map(|(reason, _)| reason));
        });
    }

    fn finish(self, end: Result<DoneReason, Fault>) {
        let answer = self.answer.text.get_untracked();
        // What follows the line of the title is not used.
        let has_line = answer.trim_start().contains('\n');
        let error = match end {
            Err(fault) => t!(titles.not_written, fault = &fault),
            Ok(_) if title_of(&answer).is_none() => t!(titles.model_wrote_none).to_owned(),
            Ok(reason) if reason != DoneReason::Stop && !has_line => t!(titles.cut_off).to_owned(),
            Ok(_) => return,
        };
        self.error.set(error);
    }

    /// Closes the dialog and stops the model.
    pub fn close(self) {
        self.answer.stop();
        if self.request.with_untracked(Option::is_some) {
            self.request.set(None);
        }
    }

    /// Gives the chat the title, unless it was given another one meanwhile, in another tab.
    pub fn save(self) {
        let Some(title) = self.request.get_untracked() else {
            return;
        };
        let text = self.text.get_untracked();
        self.close();
        if text.trim().is_empty() {
            return;
        }
        let present = self
            .chats()
            .with_chat(title.chat, |chat| chat.head.title.clone());
        match present {
            Some(present) if present == title.former => self.chats().rename(title.chat, &text),
            _ => self.notices().show(t!(titles.title_changed_meanwhile)),
        }
    }
}

/// The title in an answer: its first line without quotes and marks, cut at a word.
fn title_of(answer: &str) -> Option<String> {
    let text = plain_text(answer);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let is_quote = |c: char| {
        matches!(
            c,
            '"' | '\'' | '“' | '”' | '„' | '«' | '»' | '「' | '」' | ' '
        )
    };
    question_title(line.trim_matches(is_quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_is_the_first_line_without_quotes_and_cut_at_a_word() {
        for (answer, title) in [
            ("\n\"Sorting lists\"\nMore", Some("Sorting lists")),
            ("**Sorting** lists", Some("Sorting lists")),
            ("# „Listen“", Some("Listen")),
            ("1. **The value of $x^{2}$**", Some("The value of x^2")),
            ("\"`a_b` and 2 * 3\"", Some("a_b and 2 * 3")),
            ("  \n", None),
        ] {
            assert_eq!(title_of(answer).as_deref(), title, "{answer}");
        }
        let long = title_of(&"word ".repeat(100)).expect("a title");
        assert!(long.len() < 70 && long.ends_with("word…"), "{long}");
    }
}
