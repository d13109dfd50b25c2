//! Messages that a model may read at all, whatever the window: what builds a text for a model out of messages besides
//! [`select`](super::select()) asks here.

use super::grouping::Grouping;
use crate::{Head, Id, Message};

/// The messages of a branch that are not muted and have a text. A mute of a question is one of the calls and results
/// that belong to it, too.
#[must_use]
pub fn unmuted<'a>(branch: &[&'a Message], mutes: &[Id]) -> Vec<&'a Message> {
    let groups = Grouping::new(branch, mutes);
    let sendable = (0..branch.len()).filter(|i| groups.is_sendable(*i));
    sendable.map(|i| branch[i]).collect()
}

/// Those of them that a window of the chat could have, however large: after the last clearing, or pinned. `head` is the
/// chat's effective one.
#[must_use]
pub fn readable<'a>(branch: &[&'a Message], head: &Head) -> Vec<&'a Message> {
    let groups = Grouping::new(branch, &head.settings.mutes);
    let fresh = fresh_start(branch, head);
    let is_pinned = |i: usize| {
        let with_it = groups.owner(i).into_iter();
        let mut with_it = with_it.flat_map(|owner| groups.members(owner));
        with_it.any(|i| head.settings.pins.contains(&branch[i].id))
    };
    let readable = |i: &usize| groups.is_sendable(*i) && (*i >= fresh || is_pinned(*i));
    let readable = (0..branch.len()).filter(readable);
    readable.map(|i| branch[i]).collect()
}

/// The index of the first message after the last clearing.
pub(super) fn fresh_start(branch: &[&Message], head: &Head) -> usize {
    let cleared = &head.settings.cleared;
    let last = branch.iter().rposition(|m| cleared.contains(&m.id));
    last.map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Role;
    use serde_json::json;

    /// A question, a call and its result, an answer, and another question.
    fn branch() -> Vec<Message> {
        let roles = [
            Role::User,
            Role::Assistant,
            Role::Tool,
            Role::Assistant,
            Role::User,
        ];
        let messages = (1_u32..).zip(roles).map(|(n, role)| {
            let id = u64::from(n);
            let parent = (n > 1).then(|| Id(id - 1));
            Message {
                content: format!("message {n}"),
                tool_calls: (n == 2).then(|| json!([{"function": {"name": "f"}}])),
                ..Message::new(Id(id), parent, n, role, 0)
            }
        });
        messages.collect()
    }

    fn read(change: impl FnOnce(&mut Head)) -> Vec<u64> {
        let messages = branch();
        let branch: Vec<&Message> = messages.iter().collect();
        let mut head = Head::new(Id(99), 0);
        change(&mut head);
        let readable = readable(&branch, &head).into_iter();
        readable.map(|message| message.id.0).collect()
    }

    #[test]
    fn a_mute_of_a_question_is_one_of_its_calls_and_results() {
        assert_eq!(read(|_| {}), [1, 2, 3, 4, 5]);
        assert_eq!(read(|head| head.mute(Id(1), true)), [4, 5]);
        assert_eq!(read(|head| head.mute(Id(3), true)), [1, 4, 5]);
    }

    #[test]
    fn what_is_before_a_clearing_is_read_only_where_it_is_pinned() {
        let cleared = |head: &mut Head| head.settings.cleared.push(Id(4));
        assert_eq!(read(cleared), [5]);
        let pinned = |head: &mut Head| {
            cleared(head);
            head.pin(Id(1), true);
        };
        assert_eq!(read(pinned), [1, 2, 3, 5]);
    }
}
