//! The messages of the next request, as the panel shows them.

use leptos::prelude::*;
use sash_chat::window::{PromptTurn, Reason, Size, Turn, WindowEntry, turns};
use sash_chat::{Id, Image, Role, Tool};
use sash_state::Stores;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A message of the request; the last one is without the draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The chat's first message in it. The system prompt and a lone draft have none.
    first: Option<Id>,
    /// What it is, where that is not its role.
    pub title: Option<&'static str>,
    /// The role.
    pub role: Role,
    /// The text that is sent.
    pub text: String,
    /// Its images, also those that are not sent.
    pub images: Vec<Image>,
    /// Its tool calls as they are sent.
    pub calls: Option<String>,
    /// Why the message is sent, and other notes.
    pub notes: Vec<String>,
    /// Its size.
    pub size: Size,
}

/// The first message distinguishes cards; the rare cards with the same one differ in other fields.
impl Hash for Card {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.first.hash(state);
    }
}

impl Card {
    /// A card for a turn, with notes from its entries in the window.
    fn new<'a>(turn: Turn, entries: impl Iterator<Item = &'a WindowEntry>) -> Self {
        let joined = turn.ids.len();
        let mut card = Self {
            first: turn.ids.first().copied(),
            title: None,
            role: turn.role,
            text: turn.content,
            images: turn.images,
            calls: turn.tool_calls.map(|calls| calls.to_string()),
            notes: Vec::new(),
            size: Size::default(),
        };
        for entry in entries {
            card.size += entry.size;
            card.note(match entry.reason {
                Reason::Policy => "in the window",
                Reason::Pin => "pinned",
                Reason::QuestionFirst => "the question before",
            });
            if entry.recalled {
                card.note("with older messages");
            }
            if entry.orphan {
                card.note("question not sent");
            }
        }
        card.size = card.size.as_one_message();
        card.notes.extend(turn.tool_name);
        if joined > 1 {
            card.note(&format!("{joined} messages joined"));
        }
        card
    }

    fn system(text: &str) -> Self {
        Self {
            first: None,
            title: None,
            role: Role::System,
            text: text.to_owned(),
            images: Vec::new(),
            calls: None,
            notes: vec!["not counted".to_owned()],
            size: Size::of(text),
        }
    }

    /// The tools: they go before the messages.
    fn tools(tools: &[Tool]) -> Self {
        let text = tools.iter().map(|tool| tool.definition().to_string());
        Self {
            title: Some("Tools"),
            notes: vec!["not counted".to_owned()],
            size: Size::of_tools(tools),
            ..Self::system(&text.collect::<Vec<_>>().join("\n\n"))
        }
    }

    /// Adds a note, unless it is there already.
    pub fn note(&mut self, words: &str) {
        if self.notes.iter().all(|known| known != words) {
            self.notes.push(words.to_owned());
        }
    }
}

/// The cards of the next request in order: the system prompt and the tools, if there are any, and the turns.
pub fn cards(stores: Stores) -> Vec<Arc<Card>> {
    stores.chats.open.with(|chat| {
        let summary = stores.steering.window.with(|window| window.summary);
        let system = chat.head.system_with(summary).map(|system| {
            let mut card = Card::system(&system);
            if summary.is_some() {
                card.note("with the summary");
            }
            card
        });
        let turns = stores.steering.window.with(|window| {
            let mut entries = window.entries.iter();
            // Leave out the draft, which is joined to the last card while it is typed; the other cards do not
            // depend on it.
            let turns = turns(chat, window, PromptTurn::default()).into_iter();
            let cards = turns.map(|turn| {
                let many = turn.ids.len();
                Card::new(turn, entries.by_ref().take(many))
            });
            cards.collect::<Vec<_>>()
        });
        let tools = stores.steering.tools.with(|tools| match tools.is_empty() {
            true => None,
            false => Some(Card::tools(tools)),
        });
        let before = system.into_iter().chain(tools);
        before.chain(turns).map(Arc::new).collect()
    })
}
