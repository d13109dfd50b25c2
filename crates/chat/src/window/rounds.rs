//! The rounds of tool calls within one answer: the model calls, the results go back, the model goes on.

use crate::{Chat, Message, Role, ToolCall};

/// After so many rounds of calls for one question Sash answers no more calls by itself.
pub const MAX_TOOL_ROUNDS: usize = 8;

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
    pub fn before<'a>(chat: &'a Chat, end: &'a Message) -> Option<(&'a Message, Self)> {
        let mut messages = Vec::new();
        let mut at = end;
        while at.role != Role::User {
            let belongs = at.role == Role::Tool || at.tool_calls.is_some();
            if !belongs {
                return None;
            }
            messages.push(at.clone());
            at = chat.get(at.parent?)?;
        }
        messages.reverse();
        Some((at, Self { messages }))
    }

    /// The question that `end` belongs to; `end` itself where there is none.
    #[must_use]
    pub fn question_of<'a>(chat: &'a Chat, end: &'a Message) -> &'a Message {
        Self::before(chat, end).map_or(end, |(question, _)| question)
    }

    /// How many answers with calls there are.
    #[must_use]
    pub fn count(&self) -> usize {
        let answers = self.messages.iter();
        answers.filter(|m| m.role == Role::Assistant).count()
    }

    /// The calls of the last answer that have no result yet.
    #[must_use]
    pub fn open_calls(&self) -> Vec<ToolCall> {
        let Some(at) = self
            .messages
            .iter()
            .rposition(|m| m.role == Role::Assistant)
        else {
            return Vec::new();
        };
        let results = self.messages.len() - at - 1;
        let calls = self.messages.get(at).map(Message::calls);
        calls
            .unwrap_or_default()
            .into_iter()
            .skip(results)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let (question, rounds) = ToolRounds::before(&chat, chat.get(Id(end)).unwrap())?;
        let open = rounds.open_calls().into_iter();
        Some((
            question.id.0,
            rounds.messages.iter().map(|m| m.id.0).collect(),
            open.map(|call| call.function.name).collect(),
        ))
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
