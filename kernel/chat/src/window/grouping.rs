//! Groups of messages that go together: a question, and the calls of tools and their results that it led to. A call
//! without its question, or a result without its call, means nothing to a model.

use crate::{Id, Message, Role};
use sash_text::is_blank;
use serde_json::Value;

/// What the messages of a branch belong to, by their indices.
pub(super) struct Grouping<'a> {
    branch: &'a [&'a Message],
    /// Of a call or a result the question; of every other message the message itself. `None` without a question.
    owners: Vec<Option<usize>>,
    /// Whether a message may be sent, wherever the window begins.
    sendable: Vec<bool>,
}

impl<'a> Grouping<'a> {
    /// The groups of a branch of which some messages are muted. A mute of a call or a result is one of the whole round,
    /// a mute of a question one of the whole group.
    pub fn new(branch: &'a [&'a Message], mutes: &[Id]) -> Self {
        let calls = calls(branch);
        let owners = owners(branch);
        let mut has_result = vec![false; branch.len()];
        let mut muted = vec![false; branch.len()];
        for (i, message) in branch.iter().enumerate() {
            if let Some(call) = calls[i].filter(|call| *call != i) {
                has_result[call] = true;
            }
            if mutes.contains(&message.id) {
                muted[calls[i].unwrap_or(i)] = true;
            }
        }
        let mut sendable = vec![false; branch.len()];
        for (i, message) in branch.iter().enumerate() {
            sendable[i] = match (message.is_in_tool_round(), calls[i]) {
                (false, _) => message.is_sendable() && !muted[i],
                (true, None) => false,
                // A result may be empty. Its call comes before it, and the question before both.
                (true, Some(call)) if call != i => sendable[call],
                (true, Some(_)) => {
                    let is_silent = is_blank(&message.content) && !has_result[i];
                    let asked = owners[i].is_some_and(|question| sendable[question]);
                    message.is_sendable() && !is_silent && !muted[i] && asked
                }
            };
        }
        Self {
            branch,
            owners,
            sendable,
        }
    }

    /// Whether a message may be sent, wherever the window begins.
    pub fn is_sendable(&self, i: usize) -> bool {
        self.sendable[i]
    }

    /// The counted message that a message goes with.
    pub fn owner(&self, i: usize) -> Option<usize> {
        self.owners[i]
    }

    /// A counted message, and the calls and results of it that may be sent.
    pub fn members(&self, owner: usize) -> impl Iterator<Item = usize> {
        let after = owner + 1..self.branch.len();
        let before_next = after.take_while(|i| self.branch[*i].role != Role::User);
        let others = before_next.filter(move |i| self.owners[*i] == Some(owner));
        // Only a question has any.
        let is_question = self.branch[owner].role == Role::User;
        let others = others.take(if is_question { usize::MAX } else { 0 });
        let all = std::iter::once(owner).chain(others);
        all.filter(|i| self.sendable[*i])
    }
}

/// For each message the message that it goes with.
fn owners(branch: &[&Message]) -> Vec<Option<usize>> {
    let mut owners = Vec::with_capacity(branch.len());
    let mut question = None;
    for (i, message) in branch.iter().enumerate() {
        let before = i.checked_sub(1).map(|before| branch[before]);
        // Where a message between is deleted, it was part of the same rounds, or it was the next question.
        let is_answer =
            before.is_some_and(|before| before.role != Role::User && !before.is_in_tool_round());
        let follows = before.is_some_and(|before| message.parent == Some(before.id));
        if message.role == Role::User {
            question = Some(i);
        } else if is_answer && !follows {
            question = None;
        }
        owners.push(match message.is_in_tool_round() {
            true => question,
            false => Some(i),
        });
    }
    owners
}

/// For each call its own index, for each result that of its call.
fn calls(branch: &[&Message]) -> Vec<Option<usize>> {
    let mut found = Vec::with_capacity(branch.len());
    // The calls that are being answered, and whether no message since them is missing.
    let (mut call, mut open, mut whole) = (None, OpenCalls::default(), true);
    for (i, message) in branch.iter().enumerate() {
        if message.role == Role::Tool {
            whole &= i > 0 && message.parent == Some(branch[i - 1].id);
            found.push(call.filter(|_| open.close(message, whole).is_some()));
        } else {
            call = message.is_in_tool_round().then_some(i);
            (open, whole) = (OpenCalls::of(message), true);
            found.push(call);
        }
    }
    found
}

/// The calls of an answer that have no result yet.
#[derive(Default)]
pub(super) struct OpenCalls<'a> {
    calls: Vec<Option<&'a Value>>,
}

impl<'a> OpenCalls<'a> {
    /// All calls of an answer.
    pub fn of(message: &'a Message) -> Self {
        let calls = message.tool_calls.as_ref().and_then(Value::as_array);
        Self {
            calls: calls.into_iter().flatten().map(Some).collect(),
        }
    }

    /// The index of the call that a result answers, which is open no longer: the one that it names, or, where not both
    /// have ids, the first that is open. Where results before it are missing, `whole` is false and only a name counts.
    pub fn close(&mut self, result: &Message, whole: bool) -> Option<usize> {
        let id_of = |call: &Option<&Value>| Some((*call)?.get("id")?.as_str()?.to_owned());
        let has_ids = self.calls.iter().any(|call| id_of(call).is_some());
        let at = match &result.tool_call_id {
            Some(id) if has_ids => self
                .calls
                .iter()
                .position(|call| id_of(call).as_ref() == Some(id)),
            _ if whole => self.calls.iter().position(Option::is_some),
            _ => None,
        }?;
        self.calls[at] = None;
        Some(at)
    }
}
