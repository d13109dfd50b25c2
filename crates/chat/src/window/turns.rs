//! Turns a window into the messages of a request: the preview, the request and the receipt all use them.

use super::Window;
use crate::{Chat, Id, Image, Role};
use serde_json::Value;

/// One message of a request. Neighbours of one role are joined by a blank line: many chat templates refuse
/// roles that do not alternate, and Ollama passes on the messages unchanged.
#[derive(Clone, Debug, PartialEq)]
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
}

impl Turn {
    fn new(role: Role, content: &str) -> Self {
        Self {
            role,
            content: content.to_owned(),
            images: Vec::new(),
            ids: Vec::new(),
            tool_calls: None,
            tool_name: None,
        }
    }

    fn takes(&self, next: &Self) -> bool {
        self.role == next.role && self.role != Role::Tool && self.tool_calls.is_none()
    }

    fn take(&mut self, next: Self) {
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

/// The messages of the request that carries `window` and `prompt`, the prompt last; the system prompt is sent
/// before them unchanged. `images` are the prompt's; `question` is its id where it is in the log already.
#[must_use]
pub fn turns(
    chat: &Chat,
    window: &Window,
    prompt: &str,
    images: &[Image],
    question: Option<Id>,
) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let entries = window.entries.iter().enumerate();
    let before = entries.filter_map(|(i, entry)| {
        let message = chat.get(entry.id)?;
        // A call whose result is not in the window is sent as its text alone.
        let next = window.entries.get(i + 1);
        let has_result = next.is_some_and(|next| next.role == Role::Tool);
        Some(Turn {
            ids: vec![message.id],
            images: message.images.clone(),
            tool_calls: message.tool_calls.clone().filter(|_| has_result),
            tool_name: message.tool_name.clone(),
            ..Turn::new(message.role, message.sent_text())
        })
    });
    let prompt = Turn {
        ids: question.into_iter().collect(),
        images: images.to_vec(),
        ..Turn::new(Role::User, prompt)
    };
    for turn in before.chain([prompt]) {
        match turns.last_mut().filter(|last| last.takes(&turn)) {
            Some(last) => last.take(turn),
            None => turns.push(turn),
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::{Estimate, select};
    use crate::{Head, Message, Policy};

    fn chat(said: &[(Role, &str)]) -> Chat {
        let mut chat = Chat::new(Head::new(Id(99), 0));
        chat.head.policy = Policy::Everything;
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
        let window = select(&chat.path(), &chat.head, &[], Estimate::default());
        let turns = turns(chat, &window, prompt, &[], None);
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
        assert_eq!(crate::window::Size::of_message(&answer), trimmed);
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
        let window = select(&chat.path(), &chat.head, &[], Estimate::default());
        let images: Vec<usize> = window.entries.iter().map(|entry| entry.images).collect();
        assert_eq!(images, [2, 0, 2]);
        let sent = turns(&chat, &window, "p", &[image(9)], None);
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
        call.tool_calls = Some(serde_json::json!([{"function": {"name": "f"}}]));
        chat.insert(call);
        let roles: Vec<_> = said(&chat, "p").into_iter().map(|t| t.0).collect();
        assert_eq!(roles, [User, Assistant, Tool, Tool, User]);
    }
}
