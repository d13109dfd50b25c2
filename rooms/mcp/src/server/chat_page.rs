//! A chat as `get_chat` returns it: a page of exchanges at a time. A whole chat may have 64 MiB, and what is returned is in
//! memory several times until it is written.

use super::memory::StoredChat;
use super::results::{ChatSummary, rfc3339, without_formats};
use rmcp::schemars::{self, JsonSchema};
use sash_chat::{Message, Outcome, Role};
use serde::Serialize;

/// As many whole exchanges go on a page as have so many bytes of text, and at least one.
pub const PAGE_BYTES: usize = 64 * 1024;

/// The messages of one page.
#[derive(Debug)]
pub struct ChatPage<'a> {
    stored: &'a StoredChat,
    messages: Vec<&'a Message>,
    next: Option<u32>,
}

impl<'a> ChatPage<'a> {
    /// The page that begins with the question of this number, or with the first one after it.
    pub fn from(stored: &'a StoredChat, from: u32) -> Self {
        let path = stored.chat.path();
        let is_before = |message: &Message| message.seq < from || message.role != Role::User;
        let before = path.iter().take_while(|message| is_before(message)).count();
        let (mut messages, mut next, mut bytes) = (Vec::new(), None, 0);
        for exchange in path.get(before..).unwrap_or_default().chunks(2) {
            bytes += text_bytes(exchange);
            if bytes > PAGE_BYTES && !messages.is_empty() {
                next = exchange.first().map(|question| question.seq);
                break;
            }
            messages.extend_from_slice(exchange);
        }
        Self {
            stored,
            messages,
            next,
        }
    }

    /// Whether it has more text than a page should: one exchange or the system prompt is that long.
    pub fn is_large(&self) -> bool {
        let system = self.system().map_or(0, str::len);
        text_bytes(&self.messages) + system > PAGE_BYTES
    }

    fn system(&self) -> Option<&'a str> {
        let head = &self.stored.chat.head;
        head.system_at(head.settings.system)
    }
}

fn text_bytes(messages: &[&Message]) -> usize {
    messages.iter().map(|message| message.content.len()).sum()
}

/// The result of `get_chat`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(transform = without_formats)]
pub struct ChatDetails {
    #[serde(flatten)]
    summary: ChatSummary,
    /// The system prompt; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<String>,
    /// The questions and answers of this page, oldest first.
    messages: Vec<ChatMessage>,
    /// The 'from' of the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u32>,
}

/// A question or an answer.
#[derive(Debug, Serialize, JsonSchema)]
struct ChatMessage {
    /// `user` for a question, `assistant` for an answer.
    role: &'static str,
    /// The text.
    content: String,
    /// When the question was asked, or the answer was complete.
    created_at: String,
    /// The model that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// Whether the answer reached a limit on its length.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut_off: bool,
}

impl From<&ChatPage<'_>> for ChatDetails {
    fn from(page: &ChatPage<'_>) -> Self {
        let messages = page.messages.iter().map(|message| ChatMessage {
            role: match message.role {
                Role::Assistant => "assistant",
                _ => "user",
            },
            content: message.content.clone(),
            created_at: rfc3339(message.created),
            model: message.model.clone(),
            cut_off: message.outcome == Outcome::CutOff,
        });
        Self {
            summary: page.stored.into(),
            system: page.system().map(str::to_owned),
            messages: messages.collect(),
            next: page.next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::{ChatMemory, Exchange};
    use super::*;
    use sash_chat::{Id, ModelId};

    fn chat(exchanges: &[(usize, usize)], system: Option<&str>) -> StoredChat {
        let mut memory = ChatMemory::default();
        for (question, answer) in exchanges {
            memory.append(
                Exchange {
                    chat: Id(1),
                    asked: 1,
                    turn: None,
                    question: "q".repeat(*question),
                    answer: "a".repeat(*answer),
                    outcome: Outcome::Complete,
                    model: ModelId::new(None, "tiny"),
                    system: system.map(str::to_owned),
                },
                2,
            );
        }
        memory.get(Id(1), 3).unwrap().clone()
    }

    /// The bytes of the messages of each page, and whether the page is large.
    fn pages(chat: &StoredChat) -> Vec<(Vec<usize>, bool)> {
        let (mut pages, mut from) = (Vec::new(), Some(0));
        while let Some(number) = from {
            let page = ChatPage::from(chat, number);
            let bytes = page.messages.iter().map(|m| m.content.len());
            pages.push((bytes.collect(), page.is_large()));
            from = page.next;
        }
        pages
    }

    #[test]
    fn a_small_chat_is_one_page() {
        let page = (vec![1, 2, 3, 4], false);
        assert_eq!(pages(&chat(&[(1, 2), (3, 4)], None)), [page]);
    }

    #[test]
    fn a_page_has_whole_exchanges_and_at_least_one() {
        const HALF: usize = PAGE_BYTES / 2;
        let stored = chat(
            &[(1, 2), (HALF, HALF), (1, HALF), (1, HALF - 2), (1, 1)],
            None,
        );
        let expected = [
            (vec![1, 2], false),
            (vec![HALF, HALF], false),
            (vec![1, HALF, 1, HALF - 2], false),
            (vec![1, 1], false),
        ];
        assert_eq!(pages(&stored), expected);
        let stored = chat(&[(1, 2), (1, 3 * PAGE_BYTES), (5, 6)], None);
        let expected = [
            (vec![1, 2], false),
            (vec![1, 3 * PAGE_BYTES], true),
            (vec![5, 6], false),
        ];
        assert_eq!(pages(&stored), expected);
    }

    #[test]
    fn a_page_begins_with_a_question_whatever_number_is_given() {
        let stored = chat(&[(1, 2), (3, 4)], None);
        let first = stored.chat.path()[0].seq;
        for (from, sizes) in [
            (0, &[1, 2, 3, 4][..]),
            (first, &[1, 2, 3, 4]),
            (first + 1, &[3, 4]),
            (first + 2, &[3, 4]),
            (first + 3, &[]),
            (u32::MAX, &[]),
        ] {
            let page = ChatPage::from(&stored, from);
            let bytes: Vec<_> = page.messages.iter().map(|m| m.content.len()).collect();
            assert_eq!(bytes, sizes, "{from}");
            assert_eq!(page.next, None);
        }
    }

    #[test]
    fn a_long_system_prompt_makes_a_page_large() {
        let system = "s".repeat(PAGE_BYTES);
        let stored = chat(&[(1, 2)], Some(&system));
        assert!(ChatPage::from(&stored, 0).is_large());
    }
}
