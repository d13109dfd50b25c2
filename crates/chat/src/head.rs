//! What is known of a chat beside its messages, and how the person steers its window.

use super::{Id, Policy};
use crate::json::{Fields, FromJson, read_by_hand};
use serde::Serialize;
use serde_json::Value;

/// What is known of a chat beside its messages. Small, and rewritten rarely.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Head {
    /// The chat's name.
    pub id: Id,
    /// Given by the person; without one the first question serves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When it was begun, in milliseconds since 1970.
    pub created: u64,
    /// The model last chosen in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The rule for its window.
    pub policy: Policy,
    /// Messages that are always sent, in their place, outside the count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<Id>,
    /// Messages that are never sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mutes: Vec<Id>,
    /// Where the window was begun afresh: after each of these messages. The last on a branch counts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cleared: Vec<Id>,
    /// The system prompts the chat has had. Only ever added to, so that a receipt can name its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<String>,
    /// Which of them goes with the next prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<u32>,
    /// The branch the person walked to, and the newest message at that time: anything newer leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Position>,
    /// What the list of chats shows of messages that are packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packed: Option<Packed>,
    /// Counts rewrites; the higher one wins.
    pub rev: u32,
}

impl Head {
    /// The head of a new chat.
    #[must_use]
    pub fn new(id: Id, created: u64) -> Self {
        Self {
            id,
            title: None,
            created,
            model: None,
            policy: Policy::default(),
            pins: Vec::new(),
            mutes: Vec::new(),
            cleared: Vec::new(),
            systems: Vec::new(),
            system: None,
            at: None,
            packed: None,
            rev: 0,
        }
    }

    /// A system prompt the chat has had, by its place in the list.
    #[must_use]
    pub fn system_at(&self, place: Option<u32>) -> Option<&str> {
        let place = usize::try_from(place?).ok()?;
        self.systems.get(place).map(String::as_str)
    }

    /// Sets the system prompt; one of nothing but white space is none.
    pub fn set_system(&mut self, text: &str) {
        if text.trim().is_empty() {
            self.system = None;
            return;
        }
        let known = self.systems.iter().position(|known| known == text);
        let place = known.unwrap_or_else(|| {
            self.systems.push(text.to_owned());
            self.systems.len() - 1
        });
        self.system = u32::try_from(place).ok();
    }

    /// Pins a message or takes the pin off. A pinned message is not mute.
    pub fn pin(&mut self, id: Id, on: bool) {
        mark(&mut self.pins, id, on);
        mark(&mut self.mutes, id, false);
    }

    /// Mutes a message or lets it speak again. A mute message is not pinned.
    pub fn mute(&mut self, id: Id, on: bool) {
        mark(&mut self.mutes, id, on);
        mark(&mut self.pins, id, false);
    }
}

fn mark(list: &mut Vec<Id>, id: Id, on: bool) {
    list.retain(|known| *known != id);
    if on {
        list.push(id);
    }
}

/// A place in the tree, chosen by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The last message of the branch.
    pub leaf: Id,
    /// The highest `seq` of the chat when it was chosen.
    pub seq: u32,
}

/// Of the packed messages of a chat: what can be told without unpacking them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Packed {
    /// How many they are.
    pub count: u32,
    /// The highest `seq` among them.
    pub seq: u32,
    /// When the newest of them was written, in milliseconds since 1970.
    pub touched: u64,
    /// The title that the chat has from its first question.
    pub title: String,
}

impl FromJson for Head {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            id: value.item("id")?,
            title: value.text("title"),
            created: value.number("created")?,
            model: value.text("model"),
            policy: value.item("policy").unwrap_or_default(),
            pins: value.items("pins"),
            mutes: value.items("mutes"),
            cleared: value.items("cleared"),
            systems: value.items("systems"),
            system: value.number("system"),
            at: value.item("at"),
            packed: value.item("packed"),
            rev: value.number("rev").unwrap_or_default(),
        })
    }
}

impl FromJson for Position {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            leaf: value.item("leaf")?,
            seq: value.number("seq")?,
        })
    }
}

impl FromJson for Packed {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            count: value.number("count")?,
            seq: value.number("seq")?,
            touched: value.number("touched")?,
            title: value.text("title")?,
        })
    }
}

read_by_hand!(Head, Position, Packed);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_pinned_or_mute_never_both() {
        let mut head = Head::new(Id(1), 0);
        head.pin(Id(2), true);
        head.mute(Id(2), true);
        assert_eq!((head.pins.len(), &head.mutes[..]), (0, &[Id(2)][..]));
        head.pin(Id(2), true);
        head.pin(Id(2), true);
        assert_eq!((&head.pins[..], head.mutes.len()), (&[Id(2)][..], 0));
        head.pin(Id(2), false);
        assert!(head.pins.is_empty());
    }

    #[test]
    fn a_system_prompt_keeps_its_place_in_the_list() {
        let mut head = Head::new(Id(1), 0);
        head.set_system("Be brief.");
        head.set_system(" Be kind.\n");
        head.set_system("Be brief.");
        assert_eq!(head.systems, ["Be brief.", " Be kind.\n"]);
        assert_eq!(head.system_at(head.system), Some("Be brief."));
        head.set_system("  ");
        assert_eq!((head.system, head.systems.len()), (None, 2));
    }

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let mut head = Head::new(Id(1), 5);
        head.policy = Policy::Everything;
        head.pin(Id(2), true);
        head.mute(Id(3), true);
        head.cleared.push(Id(4));
        head.set_system("s");
        head.packed = Some(Packed {
            count: 40,
            seq: 42,
            touched: 7,
            title: "First question".into(),
        });
        let text = serde_json::to_string(&head).unwrap();
        assert_eq!(serde_json::from_str::<Head>(&text).unwrap(), head);
    }
}
