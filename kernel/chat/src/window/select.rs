//! Chooses the messages that go with the next prompt, from a branch and the chat's head.

use super::choose::{Candidate, stops, window_start};
use super::entry::{Reason, WindowEntry};
use super::grouping::Grouping;
use super::opening::{drop_unanswered_calls, question_before};
use super::profile::Room;
use super::readable::fresh_start;
use super::{Estimate, FirstMessageRule, ModelProfile, Parts, Size};
use crate::{Head, Id, Message, Policy, RecalledBlock, Role, Tool};

/// A place where the upper edge of the window can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeStop {
    /// The first message of the window at this place.
    pub id: Id,
    /// The policy that makes the window begin there.
    pub policy: Policy,
    /// The number of messages in that window, pins, calls of tools and their results not counted.
    pub messages: usize,
}

/// All that goes with a prompt: the messages before it, the summary, the tools and what is quoted for it; and the facts that
/// the page shows about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// The messages in the order they are sent, oldest first; the prompt itself comes after them.
    pub entries: Vec<WindowEntry>,
    /// How many messages of the branch are not sent, calls of tools and their results not counted.
    pub left_out: usize,
    /// The last message that the policy leaves out above the window; what is muted or stands above a clearing is left out
    /// by the person.
    pub last_left: Option<Id>,
    /// The messages that leave the window with the next question and its answer.
    pub next_out: Vec<Id>,
    /// The message of the last clearing on this branch.
    pub cleared: Option<Id>,
    /// The places where the upper edge can stand, oldest first.
    pub stops: Vec<EdgeStop>,
    /// Index of the stop where the edge stands; `stops.len()` where the policy chose nothing.
    pub edge: usize,
    /// The number of the summary that goes after the system prompt.
    pub summary: Option<u32>,
    /// The tools that the model may call.
    pub tools: Vec<Tool>,
    /// The earlier messages that are quoted for the prompt.
    pub quotes: Option<RecalledBlock>,
    /// The size of all that goes before the prompt and what is quoted for it: the system prompt, the summary and the tools
    /// included.
    pub size: Size,
    /// The bytes of the texts before them, the tools not included.
    pub bytes: usize,
}

impl Window {
    /// The same window with what is quoted for the prompt.
    #[must_use]
    pub fn quoting(self, quotes: Option<RecalledBlock>) -> Self {
        Self { quotes, ..self }
    }

    /// Whether a message goes with the next prompt.
    #[must_use]
    pub fn contains(&self, id: Id) -> bool {
        self.entries.iter().any(|entry| entry.id == id)
    }

    /// How many messages go, calls of tools and their results not counted.
    #[must_use]
    pub fn messages(&self) -> usize {
        let counted = self.entries.iter().filter(|entry| !entry.in_tool_round);
        counted.count()
    }

    /// How many messages the branch has, counted alike.
    #[must_use]
    pub fn branch_messages(&self) -> usize {
        self.messages() + self.left_out
    }

    /// The messages that the policy chose, oldest first, each with what goes with it: what a smaller window could leave
    /// out.
    #[must_use]
    pub fn chosen(&self, estimate: Estimate) -> Vec<Candidate> {
        let mut chosen: Vec<Candidate> = Vec::new();
        for entry in self
            .entries
            .iter()
            .filter(|entry| entry.reason == Reason::Policy)
        {
            let tokens = estimate.part(entry.size);
            let question = chosen
                .iter_mut()
                .rfind(|candidate| candidate.role == Role::User);
            match question.filter(|_| entry.in_tool_round) {
                Some(question) => question.tokens += tokens,
                None => chosen.push(Candidate {
                    role: entry.role,
                    tokens,
                    ..Candidate::default()
                }),
            }
        }
        chosen
    }

    /// The ids in the order they are sent.
    #[must_use]
    pub fn ids(&self) -> Vec<Id> {
        self.entries.iter().map(|entry| entry.id).collect()
    }

    /// The question that was added because the model's template requires one first; the policy does not count
    /// it.
    #[must_use]
    pub fn question_before(&self) -> Option<Id> {
        let mut entries = self.entries.iter();
        let found = entries.find(|entry| entry.reason == Reason::QuestionFirst);
        found.map(|entry| entry.id)
    }

    /// The size of the request with this prompt and what is quoted for it.
    #[must_use]
    pub fn size_with(&self, prompt: &str) -> Size {
        let prompt = &*RecalledBlock::before(self.quotes.as_ref(), prompt);
        // The prompt is joined to a question that has no answer.
        match self.entries.last().is_some_and(|e| e.role == Role::User) {
            true => self.size + Size::of_part(prompt),
            false => self.size + Size::of(prompt),
        }
    }
}

/// Chooses what goes with the prompt from `branch`, the messages before it, oldest first. What is quoted for the prompt is
/// looked for in the messages that are not chosen, and added by [`Window::quoting`].
///
/// Never sent: muted messages, answers without text. Always sent, in their place and not counted: pins. Calls of tools and
/// their results go with their question and are not counted; without it none is sent, nor a result without its call. Where
/// the profile's template requires a question first, the question before the first answer is added, also not counted, and
/// tool results without an answer are left out.
#[must_use]
pub fn select(
    branch: &[&Message],
    head: &Head,
    profile: impl Into<ModelProfile>,
    parts: Parts,
) -> Window {
    let profile = profile.into();
    let groups = Grouping::new(branch, &head.settings.mutes);
    let fresh = fresh_start(branch, head);
    let summary = sent_summary(branch, head, parts.summary, fresh);
    let by_tokens = head.settings.policy.uses_room();
    let tokens = |i| {
        let sizes = groups.members(i).map(|i| size_of(branch[i], head));
        sizes.map(|size| profile.estimate.part(size)).sum()
    };
    let recalled = |message: &Message| {
        let block = message
            .recalled
            .as_ref()
            .filter(|_| head.sends_recalled(message));
        block.map_or(0, |block| profile.estimate.part(Size::of(&block.text)))
    };
    let mut reasons: Vec<Option<Reason>> = vec![None; branch.len()];
    for i in pinned(branch, head, &groups) {
        give(&mut reasons, &groups, i, Reason::Pin);
    }
    let mut places = Vec::new();
    let mut candidates = Vec::new();
    for (i, message) in branch.iter().enumerate().skip(fresh) {
        let is_counted = !message.is_in_tool_round();
        if is_counted && groups.is_sendable(i) && reasons[i].is_none() {
            places.push(i);
            let mut candidate = Candidate {
                role: message.role,
                ..Candidate::default()
            };
            if by_tokens {
                candidate.tokens = tokens(i);
                candidate.recalled = recalled(message);
                let asked = profile.before(&message.content, candidate.recalled);
                candidate.prompt = asked.prompt;
            }
            candidates.push(candidate);
        }
    }
    let always = branch
        .iter()
        .zip(&reasons)
        .filter(|(_, reason)| reason.is_some());
    let system = head.system_with(summary);
    let system = system.as_deref();
    let first = system.map_or_else(Size::default, Size::of) + Size::of_tools(&parts.tools);
    let fixed = always.fold(first, |sum, (message, _)| sum + size_of(message, head));
    let room = profile.room(fixed, head.settings.policy);
    let start = window_start(&candidates, head.settings.policy, room);
    let stops = stops(&candidates, head.settings.policy);
    let edge = stops.partition_point(|(at, _)| *at < start);
    let stop = |(at, policy): (usize, Policy)| EdgeStop {
        id: branch[places[at]].id,
        policy,
        messages: places.len() - at,
    };
    let stops = stops.into_iter().map(stop).collect();
    let next_start = start_after_next(&mut candidates, start, head.settings.policy, room);
    let mut next = reasons.clone();
    for (reasons, start) in [(&mut reasons, start), (&mut next, next_start)] {
        for i in places.iter().skip(start) {
            give(reasons, &groups, *i, Reason::Policy);
        }
        if profile.opening == FirstMessageRule::Question {
            if let Some(question) = question_before(branch, &groups, reasons, fresh) {
                give(reasons, &groups, question, Reason::QuestionFirst);
            }
            drop_unanswered_calls(branch, reasons);
        }
    }
    let slides_out = |i: &usize| {
        let chosen = matches!(reasons[*i], Some(Reason::Policy | Reason::QuestionFirst));
        chosen && next[*i].is_none()
    };
    let next_out = (0..branch.len()).filter(slides_out);
    let next_out = next_out.map(|i| branch[i].id).collect();
    let left_out = branch.iter().zip(&reasons);
    let left_out = left_out
        .filter(|(message, reason)| !message.is_in_tool_round() && reason.is_none())
        .count();
    let mut left_above = places.iter().take(start).rev();
    let last_left = left_above.find(|i| reasons[**i].is_none());
    let entries = entries(branch, head, &reasons);
    Window {
        left_out,
        last_left: last_left.map(|i| branch[*i].id),
        next_out,
        cleared: fresh.checked_sub(1).map(|i| branch[i].id),
        stops,
        edge,
        summary,
        tools: parts.tools,
        quotes: None,
        size: size(&entries, first),
        bytes: system.map_or(0, str::len) + bytes(branch, head, &reasons),
        entries,
    }
}

/// The counted messages that are pinned, or of which a call or a result is.
fn pinned(branch: &[&Message], head: &Head, groups: &Grouping) -> Vec<usize> {
    let is_pinned =
        |i: &usize| groups.is_sendable(*i) && head.settings.pins.contains(&branch[*i].id);
    let pinned = (0..branch.len()).filter(is_pinned);
    pinned.filter_map(|i| groups.owner(i)).collect()
}

/// Gives a counted message, and the calls and results that go with it, a reason to be in the window.
fn give(reasons: &mut [Option<Reason>], groups: &Grouping, owner: usize, reason: Reason) {
    for i in groups.members(owner) {
        reasons[i] = Some(reason);
    }
}

/// Start of the window after one more question and answer of average length.
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
        recalled: 0,
        prompt: room.prompt,
    }));
    window_start(candidates, policy, room)
}

fn entries(branch: &[&Message], head: &Head, reasons: &[Option<Reason>]) -> Vec<WindowEntry> {
    let mut entries = Vec::new();
    let mut question_goes = false;
    for (message, reason) in branch.iter().zip(reasons) {
        if message.role == Role::User {
            question_goes = reason.is_some();
        }
        let in_tool_round = message.is_in_tool_round();
        if let Some(reason) = *reason {
            entries.push(WindowEntry {
                id: message.id,
                role: message.role,
                reason,
                recalled: head.sends_recalled(message),
                size: size_of(message, head),
                images: message.sent_images().len(),
                in_tool_round,
                orphan: message.role == Role::Assistant && !in_tool_round && !question_goes,
            });
        }
    }
    entries
}

/// The summary that is offered, if the branch holds the messages that it covers, none of them before the last clearing.
fn sent_summary(
    branch: &[&Message],
    head: &Head,
    offered: Option<u32>,
    fresh: usize,
) -> Option<u32> {
    let summary = head.summary_numbered(offered)?;
    let through = branch.iter().position(|m| m.id == summary.through)?;
    (through >= fresh).then_some(summary.number)
}

fn size_of(message: &Message, head: &Head) -> Size {
    Size::of_message(message, head.sends_recalled(message))
}

fn bytes(branch: &[&Message], head: &Head, reasons: &[Option<Reason>]) -> usize {
    let sent = branch.iter().zip(reasons);
    let sent = sent.filter(|(_, reason)| reason.is_some());
    let length = |message: &Message| message.sent_text(head.sends_recalled(message)).len();
    sent.map(|(message, _)| length(message)).sum()
}

/// The size of the request, of which `first` stands before the messages; neighbours of one role are joined and
/// count as one message.
fn size(entries: &[WindowEntry], first: Size) -> Size {
    let mut size = first;
    for (i, entry) in entries.iter().enumerate() {
        size += entry.size;
        let joined = entry.role != Role::Tool && i > 0 && entries[i - 1].role == entry.role;
        if joined {
            size = size.with_one_message_less();
        }
    }
    size
}

#[cfg(test)]
mod tests;
