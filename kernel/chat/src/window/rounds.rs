//! The rounds of tool calls within one answer: the model calls, the results go back, the model goes on.

use crate::{MAX_CALLS, Message, MessageTree, Role};

/// After so many rounds of calls for one question Sash answers no more calls by itself.
pub const MAX_TOOL_ROUNDS: usize = 8;
/// If a model calls more tools than this for one question, Sash answers no more calls by itself.
pub const MAX_CALLS_OF_QUESTION: usize = 100;

/// Why Sash does not answer the calls of an answer by itself, although all are of tools that it could run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolLimit {
    /// The answer called more tools than one answer may: all of them.
    CallsOfAnswer(usize),
    /// All calls for the question, more than [`MAX_CALLS_OF_QUESTION`].
    CallsOfQuestion(usize),
    /// The rounds of calls for the question, [`MAX_TOOL_ROUNDS`] or more.
    Rounds(usize),
}

/// The calls and results between a question and what follows them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolRounds {
    /// The answers with calls and the results, oldest first.
    pub messages: Vec<Message>,
}

impl ToolRounds {
    /// The question that `end` belongs to, and the rounds since: `end` is a question, an answer with calls or the
    /// result of a call. `None` if there is no question, because it was deleted or never was.
    #[must_use]
    pub fn before<'a>(tree: &'a MessageTree, end: &'a Message) -> Option<(&'a Message, Self)> {
        let mut messages = Vec::new();
        let mut at = end;
        while at.role != Role::User {
            let belongs = at.role == Role::Tool || at.tool_calls.is_some();
            if !belongs {
                return None;
            }
            messages.push(at.clone());
            at = tree.get(at.parent?)?;
        }
        messages.reverse();
        Some((at, Self { messages }))
    }

    /// The question that `end` belongs to; `end` itself where there is none.
    #[must_use]
    pub fn question_of<'a>(tree: &'a MessageTree, end: &'a Message) -> &'a Message {
        Self::before(tree, end).map_or(end, |(question, _)| question)
    }

    /// The limit that these rounds have reached, of which the last answer's calls are about to be answered.
    #[must_use]
    pub fn limit(&self) -> Option<ToolLimit> {
        let answers = || self.messages.iter().filter(|m| m.role == Role::Assistant);
        let calls = |message: &Message| {
            let (kept, over) = message.first_calls();
            kept.len() + over
        };
        let of_answer = answers().next_back().map_or(0, calls);
        let of_question = answers().map(calls).sum();
        let rounds = answers().count();
        if of_answer > MAX_CALLS {
            Some(ToolLimit::CallsOfAnswer(of_answer))
        } else if of_question > MAX_CALLS_OF_QUESTION {
            Some(ToolLimit::CallsOfQuestion(of_question))
        } else {
            (rounds >= MAX_TOOL_ROUNDS).then_some(ToolLimit::Rounds(rounds))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chat;
    use crate::{Head, Id};
    use serde_json::json;

    fn chat() -> Chat {
        let mut chat = Chat::new(Head::new(Id(99), 0));
        let message = |id: u64, role| Message {
            content: format!("m{id}"),
            ..Message::new(Id(id), (id > 1).then(|| Id(id - 1)), id as u32, role, 0)
        };
        let call = |name: &str| json!({"function": {"name": name}});
        chat.insert(message(1, Role::User));
        chat.insert(Message {
            tool_calls: Some(json!([call("a"), call("b")])),
            ..message(2, Role::Assistant)
        });
        chat.insert(message(3, Role::Tool));
        chat.insert(message(4, Role::Tool));
        chat.insert(message(5, Role::Assistant));
        chat
    }

    fn rounds(end: u64) -> Option<(u64, Vec<u64>, Vec<String>)> {
        let chat = chat();
        let (question, rounds) = ToolRounds::before(&chat.tree, chat.get(Id(end)).unwrap())?;
        let last = rounds
            .messages
            .iter()
            .rposition(|m| m.role == Role::Assistant);
        let (before, results) = rounds.messages.split_at(last.map_or(0, |at| at + 1));
        let calls = before.last().map(Message::calls).unwrap_or_default();
        let open = calls.into_iter().skip(results.len());
        Some((
            question.id.0,
            rounds.messages.iter().map(|m| m.id.0).collect(),
            open.map(|call| call.function.name).collect(),
        ))
    }

    #[test]
    fn rounds_calls_of_an_answer_and_calls_of_a_question_are_limited() {
        let answer = |calls: usize, over: u32| Message {
            tool_calls: Some(json!(vec![json!({"function": {"name": "f"}}); calls])),
            calls_left_out: over,
            ..Message::new(Id(1), None, 1, Role::Assistant, 0)
        };
        let limit = |messages: &[Message]| {
            let messages = messages.to_vec();
            ToolRounds { messages }.limit()
        };
        assert_eq!(limit(&vec![answer(1, 0); 7]), None);
        assert_eq!(limit(&vec![answer(1, 0); 8]), Some(ToolLimit::Rounds(8)));
        assert_eq!(limit(&[answer(32, 0)]), None);
        let over = ToolLimit::CallsOfAnswer(40);
        assert_eq!(limit(&[answer(32, 8)]), Some(over));
        assert_eq!(limit(&[answer(40, 0)]), Some(over));
        assert_eq!(limit(&[answer(32, 8), answer(1, 0)]), None);
        let all = ToolLimit::CallsOfQuestion(128);
        assert_eq!(limit(&vec![answer(32, 0); 4]), Some(all));
    }

    #[test]
    fn the_question_of_a_result_is_before_its_call() {
        let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        assert_eq!(rounds(1), Some((1, vec![], vec![])));
        assert_eq!(rounds(2), Some((1, vec![2], names(&["a", "b"]))));
        assert_eq!(rounds(3), Some((1, vec![2, 3], names(&["b"]))));
        assert_eq!(rounds(4), Some((1, vec![2, 3, 4], vec![])));
        assert_eq!(rounds(5), None);
    }
}
