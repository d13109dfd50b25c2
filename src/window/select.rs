//! From a branch and a policy to the messages that go with the next prompt.

use super::estimate_message;
use crate::chat::{Id, Message, Policy};

/// Why a message is in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The policy reaches it.
    Policy,
}

/// One message of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The message.
    pub id: Id,
    /// Why it is in.
    pub reason: Reason,
}

/// The messages that go before the prompt, and what is said about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The messages in the order they are sent, oldest first; the prompt itself comes after them.
    pub entries: Vec<Entry>,
    /// How many messages of the branch stay behind.
    pub left_out: usize,
    /// The message that slides out when the next one is written.
    pub next_out: Option<Id>,
    /// Estimated tokens of the entries.
    pub tokens: u64,
}

impl Window {
    /// Whether a message goes with the next prompt.
    #[must_use]
    pub fn contains(&self, id: Id) -> bool {
        self.entries.iter().any(|entry| entry.id == id)
    }

    /// The ids in the order they are sent.
    #[must_use]
    pub fn ids(&self) -> Vec<Id> {
        self.entries.iter().map(|entry| entry.id).collect()
    }
}

/// Chooses from `branch`, the messages before the prompt, oldest first. What may not be sent at all
/// (a failed or empty answer) is neither chosen nor counted.
#[must_use]
pub fn select(branch: &[&Message], policy: Policy) -> Window {
    let sendable: Vec<&Message> = branch.iter().copied().filter(|m| m.is_sendable()).collect();
    let Policy::Messages(most) = policy;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let chosen = &sendable[sendable.len().saturating_sub(most)..];
    Window {
        entries: chosen
            .iter()
            .map(|m| Entry {
                id: m.id,
                reason: Reason::Policy,
            })
            .collect(),
        left_out: branch.len() - chosen.len(),
        next_out: chosen
            .first()
            .filter(|_| chosen.len() == most)
            .map(|m| m.id),
        tokens: chosen.iter().map(|m| estimate_message(m)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{Outcome, Role};

    fn branch(n: u64) -> Vec<Message> {
        (1..=n)
            .map(|i| Message {
                id: Id(i),
                parent: (i > 1).then(|| Id(i - 1)),
                seq: u32::try_from(i).unwrap(),
                role: if i % 2 == 1 {
                    Role::User
                } else {
                    Role::Assistant
                },
                content: format!("message {i}"),
                thinking: String::new(),
                model: None,
                created: 0,
                outcome: Outcome::Complete,
                receipt: None,
            })
            .collect()
    }

    fn chosen(messages: &[Message], policy: Policy) -> Vec<u64> {
        let refs: Vec<&Message> = messages.iter().collect();
        select(&refs, policy).ids().iter().map(|id| id.0).collect()
    }

    #[test]
    fn the_first_prompt_sends_nothing_with_it() {
        assert!(chosen(&[], Policy::default()).is_empty());
    }

    #[test]
    fn the_third_prompt_sends_answer_question_answer() {
        assert_eq!(chosen(&branch(4), Policy::default()), [2, 3, 4]);
    }

    #[test]
    fn fewer_messages_than_the_window_all_go_and_none_slides_out() {
        let messages = branch(2);
        let refs: Vec<&Message> = messages.iter().collect();
        let window = select(&refs, Policy::default());
        assert_eq!(window.ids(), [Id(1), Id(2)]);
        assert_eq!((window.left_out, window.next_out), (0, None));
    }

    #[test]
    fn exactly_the_window_goes_and_the_oldest_slides_out_next() {
        let messages = branch(3);
        let refs: Vec<&Message> = messages.iter().collect();
        let window = select(&refs, Policy::default());
        assert_eq!(window.ids(), [Id(1), Id(2), Id(3)]);
        assert_eq!((window.left_out, window.next_out), (0, Some(Id(1))));
    }

    #[test]
    fn nought_means_none() {
        assert!(chosen(&branch(5), Policy::Messages(0)).is_empty());
    }

    #[test]
    fn twenty_of_twenty_five() {
        assert_eq!(
            chosen(&branch(25), Policy::Messages(20)),
            (6..=25).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_failed_or_empty_answer_is_neither_sent_nor_counted() {
        let mut messages = branch(6);
        messages[3].outcome = Outcome::Failed("x".into());
        messages[5].content = String::new();
        assert_eq!(chosen(&messages, Policy::Messages(3)), [2, 3, 5]);
    }
}
