//! Turns a window into the messages of a request: the preview, the request and the receipt all use them.

use super::Window;
use super::grouping::OpenCalls;
use crate::{Chat, Id, Image, Message, RecalledBlock, Role};
use serde_json::Value;
use std::collections::BTreeSet;

/// One message of a request. Neighbours of one role are joined by a blank line: many chat templates refuse
/// roles that do not alternate, and Ollama passes on the messages unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// The role.
    pub role: Role,
    /// The text.
    pub content: String,
    /// Its images, in the order of the messages.
    pub images: Vec<Image>,
    /// The messages of the log it is made of; a prompt that is not written yet has none.
    pub ids: Vec<Id>,
    /// Its tool calls.
    pub tool_calls: Option<Value>,
    /// For a tool's result: the tool's name.
    pub tool_name: Option<String>,
    /// For a tool's result: the id of its call.
    pub tool_call_id: Option<String>,
    /// What the model thought before it called; empty except within the rounds of one answer.
    pub thinking: String,
}

/// What comes after the window: the prompt, and what the model called since.
#[derive(Clone, Copy, Debug, Default)]
pub struct PromptTurn<'a> {
    /// The prompt.
    pub text: &'a str,
    /// Its images.
    pub images: &'a [Image],
    /// Its id, where it is in the log already.
    pub id: Option<Id>,
    /// Answers with calls and the results of these, oldest first; the model goes on after the last.
    pub rounds: &'a [Message],
}

impl Turn {
    fn new(role: Role, content: &str) -> Self {
        Self {
            role,
            content: content.to_owned(),
            ..Self::default()
        }
    }

    /// A message of the log, with what was `recalled` for it or without, and the `results` that follow it.
    fn of(message: &Message, recalled: bool, results: &[&Message]) -> Self {
        Self {
            ids: vec![message.id],
            images: message.sent_images().to_vec(),
            tool_calls: answered_calls(message, results),
            tool_name: message.tool_name.clone(),
            tool_call_id: message.tool_call_id.clone(),
            ..Self::new(message.role, &message.sent_text(recalled))
        }
    }

    fn can_join(&self, next: &Self) -> bool {
        self.role == next.role && self.role != Role::Tool && self.tool_calls.is_none()
    }

    fn join(&mut self, next: Self) {
        self.content = join(std::mem::take(&mut self.content), &next.content);
        self.images.extend(next.images);
        self.ids.extend(next.ids);
        self.tool_calls = next.tool_calls;
    }
}

/// Joins two texts of one role. A tool call may have no text.
#[must_use]
pub fn join(mut before: String, next: &str) -> String {
    if !before.is_empty() && !next.is_empty() {
        before += "\n\n";
    }
    before += next;
    before
}

/// The calls of an answer that have a result: a call never goes without one.
fn answered_calls(message: &Message, results: &[&Message]) -> Option<Value> {
    let calls = message.tool_calls.as_ref()?.as_array()?;
    let mut open = OpenCalls::of(message);
    let answered: BTreeSet<usize> = results
        .iter()
        .filter_map(|result| open.close(result, true))
        .collect();
    let answered: Vec<Value> = calls
        .iter()
        .enumerate()
        .filter(|(at, _)| answered.contains(at))
        .map(|(_, call)| call.clone())
        .collect();
    (!answered.is_empty()).then_some(Value::Array(answered))
}

/// The turns of messages, each with what was recalled for it or without, of which each answer is followed by the results of its calls.
fn turns_of(messages: &[(&Message, bool)]) -> Vec<Turn> {
    let turns = messages.iter().enumerate().map(|(i, (message, recalled))| {
        let after = messages.get(i + 1..).unwrap_or_default();
        let results = after.iter().map(|(next, _)| *next);
        let results: Vec<&Message> = results.take_while(|next| next.role == Role::Tool).collect();
        Turn::of(message, *recalled, &results)
    });
    turns.collect()
}

/// The messages of the request that carries `window` and `prompt`, the prompt and its rounds last; the system prompt
/// is sent before them unchanged.
#[must_use]
pub fn turns(chat: &Chat, window: &Window, prompt: PromptTurn<'_>) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let entries = window.entries.iter();
    let before = entries.filter_map(|entry| Some((chat.get(entry.id)?, entry.recalled)));
    let before: Vec<(&Message, bool)> = before.collect();
    let asked = Turn {
        ids: prompt.id.into_iter().collect(),
        images: prompt.images.to_vec(),
        ..Turn::new(
            Role::User,
            &RecalledBlock::before(window.quotes.as_ref(), prompt.text),
        )
    };
    for turn in turns_of(&before).into_iter().chain([asked]) {
        match turns.last_mut().filter(|last| last.can_join(&turn)) {
            Some(last) => last.join(turn),
            None => turns.push(turn),
        }
    }
    let rounds: Vec<(&Message, bool)> = prompt.rounds.iter().map(|m| (m, false)).collect();
    let thinking = prompt.rounds.iter().map(|m| m.thinking.clone());
    let rounds = turns_of(&rounds).into_iter().zip(thinking);
    turns.extend(rounds.map(|(turn, thinking)| Turn { thinking, ..turn }));
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::{Estimate, Parts, select};
    use crate::{Head, Message, Policy};

    fn chat(said: &[(Role, &str)]) -> Chat {
        let mut chat = Chat::new(Head::new(Id(99), 0));
        chat.head.settings.policy = Policy::Everything;
        for (i, (role, text)) in (1..).zip(said) {
            let parent = (i > 1).then(|| Id(i - 1));
            chat.insert(Message {
                content: (*text).to_owned(),
                ..Message::new(Id(i), parent, u32::try_from(i).unwrap(), *role, 0)
            });
        }
        chat
    }

    fn said(chat: &Chat, prompt: &str) -> Vec<(Role, String, usize)> {
        let window = select(
            &chat.path(),
            &chat.head,
            Estimate::default(),
            Parts::summary_of(&chat.head),
        );
        let prompt = PromptTurn {
            text: prompt,
            ..PromptTurn::default()
        };
        let turns = turns(chat, &window, prompt);
        turns
            .into_iter()
            .map(|t| (t.role, t.content, t.ids.len()))
            .collect()
    }

    #[test]
    fn neighbours_of_one_role_are_joined_by_a_blank_line_the_prompt_too() {
        use Role::{Assistant, User};
        let chat = chat(&[
            (User, "a"),
            (User, "b "),
            (Assistant, "c"),
            (Assistant, "d"),
            (User, "e"),
        ]);
        assert_eq!(
            said(&chat, " f\n"),
            [
                (User, "a\n\nb ".to_owned(), 2),
                (Assistant, "c\n\nd".to_owned(), 2),
                (User, "e\n\n f\n".to_owned(), 1),
            ]
        );
    }

    #[test]
    fn blank_lines_behind_thinking_do_not_go_back() {
        use Role::{Assistant, User};
        let mut chat = chat(&[(User, "\n a"), (Assistant, "\n \t\r\n    let x = 1;\n\n")]);
        let untouched = said(&chat, "p");
        assert_eq!(untouched[1].1, "\n \t\r\n    let x = 1;\n\n");
        let mut answer = chat.get(Id(2)).cloned().unwrap();
        answer.thinking = "Well.".to_owned();
        let trimmed = crate::window::Size::of("    let x = 1;\n\n");
        assert_eq!(crate::window::Size::of_message(&answer, true), trimmed);
        chat.insert(answer);
        assert_eq!(said(&chat, "p")[0].1, "\n a");
        assert_eq!(said(&chat, "p")[1].1, "    let x = 1;\n\n");
    }

    #[test]
    fn images_go_with_their_message_and_are_joined_with_it() {
        use Role::{Assistant, User};
        let image = |n: u8| Image {
            hash: crate::ImageHash([n; 32]),
            format: crate::ImageFormat::Png,
            size: 1,
            width: 1,
            height: 1,
            preview: String::new(),
        };
        let mut chat = chat(&[(User, "a"), (Assistant, "b"), (User, "c")]);
        for (id, n) in [(1, 1), (3, 3)] {
            let mut message = chat.get(Id(id)).cloned().unwrap();
            message.images = vec![image(n), image(n + 1)];
            chat.insert(message);
        }
        let window = select(
            &chat.path(),
            &chat.head,
            Estimate::default(),
            Parts::summary_of(&chat.head),
        );
        let images: Vec<usize> = window.entries.iter().map(|entry| entry.images).collect();
        assert_eq!(images, [2, 0, 2]);
        let prompt = PromptTurn {
            text: "p",
            images: &[image(9)],
            ..PromptTurn::default()
        };
        let sent = turns(&chat, &window, prompt);
        let hashes: Vec<Vec<u8>> = sent
            .iter()
            .map(|turn| turn.images.iter().map(|image| image.hash.0[0]).collect())
            .collect();
        assert_eq!(hashes, [vec![1, 2], vec![], vec![3, 4, 9]]);
    }

    #[test]
    fn results_of_tools_stay_apart() {
        use Role::{Assistant, Tool, User};
        let mut chat = chat(&[(User, "a"), (Assistant, ""), (Tool, "1"), (Tool, "2")]);
        let mut call = chat.get(Id(2)).cloned().unwrap();
        let one = serde_json::json!({"function": {"name": "f"}});
        call.tool_calls = Some(serde_json::json!([one, one]));
        chat.insert(call);
        let roles: Vec<_> = said(&chat, "p").into_iter().map(|t| t.0).collect();
        assert_eq!(roles, [User, Assistant, Tool, Tool, User]);
    }

    /// A chat in which `a` was answered by two calls and the results of some of them.
    fn called(results: &[(&str, Option<&str>)], ids: bool) -> Chat {
        use Role::{Assistant, Tool, User};
        let said = [(User, "a"), (Assistant, "")];
        let results_said = results.iter().map(|(text, _)| (Tool, *text));
        let mut chat = chat(&said.into_iter().chain(results_said).collect::<Vec<_>>());
        let mut call = chat.get(Id(2)).cloned().unwrap();
        let named = |id: &str| match ids {
            true => serde_json::json!({"id": id, "function": {"name": id}}),
            false => serde_json::json!({"function": {"name": id}}),
        };
        call.tool_calls = Some(serde_json::json!([named("f"), named("g")]));
        call.thinking = "Hm.".to_owned();
        chat.insert(call);
        for (i, (_, id)) in (3..).zip(results) {
            let mut result = chat.get(Id(i)).cloned().unwrap();
            result.tool_call_id = id.map(str::to_owned);
            chat.insert(result);
        }
        chat
    }

    #[test]
    fn a_call_without_a_result_is_left_out() {
        for (results, ids, sent) in [
            (&[("1", Some("g"))][..], true, &["g"][..]),
            (&[("1", None)][..], false, &["f"][..]),
            (&[("1", None)][..], true, &["f"][..]),
            (&[("1", None), ("2", None)][..], false, &["f", "g"][..]),
            (
                &[("1", Some("g")), ("2", Some("f"))][..],
                true,
                &["f", "g"][..],
            ),
        ] {
            let chat = called(results, ids);
            let window = select(
                &chat.path(),
                &chat.head,
                Estimate::default(),
                Parts::summary_of(&chat.head),
            );
            let turns = turns(&chat, &window, PromptTurn::default());
            let calls = turns[1].tool_calls.as_ref().map(crate::ToolCall::list);
            let names: Vec<String> = calls
                .unwrap_or_default()
                .into_iter()
                .map(|call| call.function.name)
                .collect();
            assert_eq!(names, sent, "{results:?}");
        }
    }

    #[test]
    fn rounds_come_after_the_prompt_with_their_thinking() {
        use Role::{Assistant, Tool, User};
        let chat = called(&[("1", None), ("2", None)], false);
        let rounds: Vec<Message> = (2..=4).filter_map(|id| chat.get(Id(id)).cloned()).collect();
        let prompt = PromptTurn {
            text: "a",
            id: Some(Id(1)),
            rounds: &rounds,
            ..PromptTurn::default()
        };
        let turns = turns(&chat, &Window::default(), prompt);
        let said: Vec<_> = turns
            .iter()
            .map(|turn| (turn.role, turn.ids[0].0, turn.thinking.as_str()))
            .collect();
        assert_eq!(
            said,
            [
                (User, 1, ""),
                (Assistant, 2, "Hm."),
                (Tool, 3, ""),
                (Tool, 4, "")
            ]
        );
    }
}
