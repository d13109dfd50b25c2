//! From a branch and what the person set to the messages that go with the next prompt.

use super::choose::{Candidate, first, stops};
use super::entry::{Entry, Reason};
use super::opening::{begin_with_question, leave_unanswered_calls};
use super::reader::Room;
use super::{Opening, Reader, Size};
use crate::{Head, Id, Message, Policy, Role};

/// A place where the upper edge of the window can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The message the window begins with there.
    pub id: Id,
    /// The rule that begins it there.
    pub policy: Policy,
    /// How many messages it then holds, pins apart.
    pub messages: usize,
}

/// The messages that go before the prompt, and what is said about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The messages in the order they are sent, oldest first; the prompt itself comes after them.
    pub entries: Vec<Entry>,
    /// How many messages of the branch stay behind.
    pub left_out: usize,
    /// The messages that slide out with the next question and its answer.
    pub next_out: Vec<Id>,
    /// The message after which the window was begun afresh.
    pub cleared: Option<Id>,
    /// The places where the upper edge can stand, oldest first; behind the last of them nothing is left.
    pub stops: Vec<Stop>,
    /// At which of them it stands; behind the last where the policy chose nothing.
    pub edge: usize,
    /// The size of all that goes before the prompt, the system prompt included.
    pub size: Size,
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

    /// The question that goes along because the model's template wants one first; outside the count.
    #[must_use]
    pub fn question_before(&self) -> Option<Id> {
        let mut entries = self.entries.iter();
        let found = entries.find(|entry| entry.reason == Reason::QuestionFirst);
        found.map(|entry| entry.id)
    }

    /// The size of the request with this prompt.
    #[must_use]
    pub fn size_with(&self, prompt: &str) -> Size {
        let mut size = self.size + Size::of(prompt);
        // It is joined to a question that has no answer.
        let joined = self.entries.last().is_some_and(|e| e.role == Role::User);
        size.messages -= u64::from(joined);
        size
    }
}

/// Chooses from `branch`, the messages before the prompt, oldest first, what goes with it.
///
/// Never sent: what is mute, an answer without text, a tool's result without its call. Always sent, in
/// their place and outside the count: pins, and `recalled`, which is for one prompt. A call of tools and
/// its results share one fate. Where the reader's template takes nothing but a question first, the one before
/// the first answer goes along, outside the count too, and results of tools without an answer stay behind.
#[must_use]
pub fn select(
    branch: &[&Message],
    head: &Head,
    recalled: &[Id],
    reader: impl Into<Reader>,
) -> Window {
    let reader = reader.into();
    let groups = groups(branch);
    let marked = |i: usize, ids: &[Id]| {
        !ids.is_empty()
            && (groups[i]..branch.len())
                .take_while(|j| groups[*j] == groups[i])
                .any(|j| ids.contains(&branch[j].id))
    };
    let cleared = branch.iter().rposition(|m| head.cleared.contains(&m.id));
    let fresh = cleared.map_or(0, |i| i + 1);
    let by_tokens = matches!(head.policy, Policy::Tokens(_) | Policy::Fits);
    let mut reasons: Vec<Option<Reason>> = vec![None; branch.len()];
    let mut places = Vec::new();
    let mut candidates = Vec::new();
    for (i, message) in branch.iter().enumerate() {
        if !may_go(branch, &groups, i) || marked(i, &head.mutes) {
            continue;
        }
        if marked(i, &head.pins) {
            reasons[i] = Some(Reason::Pin);
        } else if marked(i, recalled) {
            reasons[i] = Some(Reason::Recall);
        } else if groups[i] >= fresh {
            places.push(i);
            candidates.push(Candidate {
                role: message.role,
                tokens: if by_tokens {
                    reader.estimate.part(Size::of_message(message))
                } else {
                    0
                },
            });
        }
    }
    let always = branch
        .iter()
        .zip(&reasons)
        .filter(|(_, reason)| reason.is_some());
    let fixed = always.fold(system_size(head), |sum, (message, _)| {
        sum + Size::of_message(message)
    });
    let room = reader.room(fixed);
    let start = first(&candidates, head.policy, room);
    let stops = stops(&candidates, head.policy);
    let edge = stops.partition_point(|(at, _)| *at < start);
    let stop = |(at, policy): (usize, Policy)| Stop {
        id: branch[places[at]].id,
        policy,
        messages: places.len() - at,
    };
    let stops = stops.into_iter().map(stop).collect();
    let next_start = start_after_next(&mut candidates, start, head.policy, room);
    // What was brought back is so for this prompt alone.
    let mut next: Vec<_> = reasons
        .iter()
        .map(|reason| reason.filter(|reason| *reason == Reason::Pin))
        .collect();
    for (reasons, start) in [(&mut reasons, start), (&mut next, next_start)] {
        for i in places.iter().skip(start) {
            reasons[*i] = Some(Reason::Policy);
        }
        if reader.opening == Opening::Question {
            let may_go = |i| may_go(branch, &groups, i) && !marked(i, &head.mutes);
            leave_unanswered_calls(branch, &groups, reasons);
            begin_with_question(branch, reasons, fresh, may_go);
        }
    }
    let slides_out = |i: &usize| {
        let chosen = matches!(reasons[*i], Some(Reason::Policy | Reason::QuestionFirst));
        chosen && next[*i].is_none()
    };
    let next_out = (0..branch.len()).filter(slides_out);
    let next_out = next_out.map(|i| branch[i].id).collect();
    let entries = entries(branch, &reasons);
    Window {
        left_out: branch.len() - entries.len(),
        next_out,
        cleared: cleared.map(|i| branch[i].id),
        stops,
        edge,
        size: size(&entries, head),
        entries,
    }
}

/// For each message the place of the first of its group: a call of tools with its results, or itself.
fn groups(branch: &[&Message]) -> Vec<usize> {
    let mut groups = Vec::with_capacity(branch.len());
    for (i, message) in branch.iter().enumerate() {
        let follows = message.role == Role::Tool
            && i > 0
            && matches!(branch[i - 1].role, Role::Assistant | Role::Tool);
        groups.push(if follows { groups[i - 1] } else { i });
    }
    groups
}

/// Whether a message may be sent at all.
fn may_go(branch: &[&Message], groups: &[usize], i: usize) -> bool {
    let message = branch[i];
    let caller = branch[groups[i]];
    match message.role {
        // An empty result is a result.
        Role::Tool => caller.role == Role::Assistant && caller.is_sendable(),
        _ => {
            let unanswered = message.content.trim().is_empty()
                && groups.get(i + 1).is_none_or(|next| *next != i);
            message.is_sendable() && !(message.tool_calls.is_some() && unanswered)
        }
    }
}

/// Where the window will begin once a question and an answer of middling length have come.
fn start_after_next(
    candidates: &mut Vec<Candidate>,
    start: usize,
    policy: Policy,
    room: Room,
) -> usize {
    let chosen = &candidates[start..];
    let middling = chosen.iter().map(|c| c.tokens).sum::<u64>() / (chosen.len() as u64).max(1);
    candidates.extend([Role::User, Role::Assistant].map(|role| Candidate {
        role,
        tokens: middling,
    }));
    first(candidates, policy, room)
}

fn entries(branch: &[&Message], reasons: &[Option<Reason>]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut question_goes = false;
    for (message, reason) in branch.iter().zip(reasons) {
        if message.role == Role::User {
            question_goes = reason.is_some();
        }
        if let Some(reason) = *reason {
            entries.push(Entry {
                id: message.id,
                role: message.role,
                reason,
                size: Size::of_message(message),
                orphan: message.role == Role::Assistant && !question_goes,
            });
        }
    }
    entries
}

fn system_size(head: &Head) -> Size {
    let system = head.system_at(head.system);
    system.map_or_else(Size::default, Size::of)
}

/// Neighbours of one role are joined, so they are one message.
fn size(entries: &[Entry], head: &Head) -> Size {
    let mut size = system_size(head);
    for (i, entry) in entries.iter().enumerate() {
        size += entry.size;
        let joined = entry.role != Role::Tool && i > 0 && entries[i - 1].role == entry.role;
        size.messages -= u64::from(joined);
    }
    size
}

#[cfg(test)]
mod tests;
