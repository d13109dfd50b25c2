//! The results of tools that a person is writing.

use super::Drafts;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_log::ResultDraft;

impl Drafts {
    /// What is written as the result of an answer's call; empty if nothing is.
    pub fn result(self, answer: Id, call: usize) -> String {
        self.results.with(|results| {
            let of_answer = results.iter().find(|result| result.answer == answer);
            let text = of_answer.and_then(|result| result.texts.get(call));
            text.cloned().unwrap_or_default()
        })
    }

    /// Takes what is written as the result of an answer's call.
    pub fn write_result(self, answer: Id, call: usize, text: String) {
        self.results.update(|results| {
            let at = results.iter().position(|result| result.answer == answer);
            let at = at.unwrap_or_else(|| {
                results.push(ResultDraft {
                    answer,
                    texts: Vec::new(),
                });
                results.len() - 1
            });
            let Some(result) = results.get_mut(at) else {
                return;
            };
            if result.texts.len() <= call {
                result.texts.resize(call + 1, String::new());
            }
            if let Some(known) = result.texts.get_mut(call) {
                *known = text;
            }
            if result.texts.iter().all(String::is_empty) {
                results.remove(at);
            }
        });
    }

    /// Forgets the results that were written for an answer: they are used.
    pub(crate) fn drop_results(self, chat: Id, answer: Id) {
        self.change(chat, |draft| {
            draft.results.retain(|result| result.answer != answer);
        });
    }
}
