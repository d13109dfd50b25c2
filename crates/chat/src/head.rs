//! What is known of a chat beside its messages, and how the person steers its window.

use super::{Id, Policy};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, apply};

/// What is known of a chat beside its messages. Small, and rewritten rarely.
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
    Vec => #[serde(default, skip_serializing_if = "Vec::is_empty")],
    Vec => #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The chat's name.
    pub id: Id,
    /// Given by the person; without one the first question serves.
    pub title: Option<String>,
    /// When it was begun, in milliseconds since 1970.
    pub created: u64,
    /// The model last chosen in it.
    pub model: Option<String>,
    /// The rule for its window.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub policy: Policy,
    /// Messages that are always sent, in their place, outside the count.
    pub pins: Vec<Id>,
    /// Messages that are never sent.
    pub mutes: Vec<Id>,
    /// Where the window was begun afresh: after each of these messages. The last on a branch counts.
    pub cleared: Vec<Id>,
    /// The system prompts the chat has had. Only ever added to, so that a receipt can name its own.
    pub systems: Vec<String>,
    /// Which of them goes with the next prompt.
    pub system: Option<u32>,
    /// The branch the person walked to, and the newest message at that time: anything newer leads.
    pub at: Option<Position>,
    /// What the list of chats shows of messages that are packed.
    pub packed: Option<Packed>,
    /// Counts rewrites; the higher one wins.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The last message of the branch.
    pub leaf: Id,
    /// The highest `seq` of the chat when it was chosen.
    pub seq: u32,
}

/// Of the packed messages of a chat: what can be told without unpacking them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

    #[test]
    fn a_wrong_field_costs_itself_and_not_the_head() {
        let text = r#"{"id":"0000000000000001","title":3,"created":5,"policy":"psychic","pins":["0000000000000002",7],"mutes":null,"cleared":{},"systems":["a",1,"b"],"system":-1,"at":{"leaf":1},"packed":"no","rev":"x"}"#;
        let mut expected = Head::new(Id(1), 5);
        expected.pins = vec![Id(2)];
        expected.systems = vec!["a".into(), "b".into()];
        assert_eq!(serde_json::from_str::<Head>(text).unwrap(), expected);
    }
}
