//! Counts of the messages that go with the next prompt: one number for the composer, the handle and the panel.

use sash_chat::window::{Reason, Window, WindowEntry};
use sash_chat::{Chat, Id};
use sash_words::{
    count::{self, grouped},
    t,
};
use std::collections::HashSet;

/// How many messages of the open branch the model sees with the next prompt, and which part of the request brings them.
/// Calls of tools and their results belong to their question and are not counted. A message that goes twice, in the
/// window and recalled, is counted once, in the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentCounts {
    /// The messages of the branch.
    pub branch: usize,
    /// Those that the rule chose: the last ones.
    pub chosen: usize,
    /// Those that are pinned.
    pub pinned: usize,
    /// The question that goes because the model's template requires one first.
    pub question_before: usize,
    /// Those quoted, in full or in part, for the prompt or for a question of the window.
    pub recalled: usize,
    /// Messages of other chats and branches that are quoted; not among [`Self::sent`].
    pub from_elsewhere: usize,
    /// How many messages the summary covers that goes along; not among [`Self::sent`].
    pub summarized: usize,
}

impl SentCounts {
    /// Counts what goes with a prompt: the window's entries, and the messages quoted for them and for the prompt.
    #[must_use]
    pub fn of(chat: &Chat, window: &Window) -> Self {
        let counted = |entry: &&WindowEntry| !entry.in_tool_round;
        let with_reason = |reason| {
            let entries = window.entries.iter().filter(counted);
            entries.filter(|entry| entry.reason == reason).count()
        };
        let [recalled, from_elsewhere] = recalled_messages(chat, window);
        let summary = chat.head.summary_numbered(window.summary);
        Self {
            branch: window.branch_messages(),
            chosen: with_reason(Reason::Policy),
            pinned: with_reason(Reason::Pin),
            question_before: with_reason(Reason::QuestionFirst),
            recalled,
            from_elsewhere,
            summarized: summary.map_or(0, |summary| summary.count as usize),
        }
    }

    /// How many messages of the branch go, whichever part of the request brings them.
    #[must_use]
    pub fn sent(&self) -> usize {
        self.chosen + self.pinned + self.question_before + self.recalled
    }

    /// The one number: `9 of 62 messages`.
    #[must_use]
    pub fn words(&self) -> String {
        let sent = grouped(self.sent() as u64);
        t!(
            state.sent_of_messages,
            sent = &sent,
            messages = count::messages(self.branch)
        )
    }

    /// Its parts: `the last 3, 6 recalled, a summary of 53`.
    #[must_use]
    pub fn parts(&self) -> String {
        let last = match self.chosen {
            0 => None,
            1 => Some(t!(state.sent_last_message).to_owned()),
            n => Some(t!(state.sent_last_messages, n = grouped(n as u64))),
        };
        let some = |n: usize, what: &str| (n > 0).then(|| format!("{} {what}", grouped(n as u64)));
        let parts: Vec<String> = [
            last,
            (self.question_before > 0).then(|| t!(common.question_before).to_owned()),
            some(self.pinned, t!(state.sent_pinned)),
            some(self.recalled, t!(state.sent_recalled)),
            some(self.from_elsewhere, t!(state.sent_recalled_elsewhere)),
            (self.summarized > 0).then(|| {
                let count = grouped(self.summarized as u64);
                t!(state.sent_summary, count = &count)
            }),
        ]
        .into_iter()
        .flatten()
        .collect();
        match parts.is_empty() {
            true => t!(state.sent_nothing_earlier).to_owned(),
            false => parts.join(", "),
        }
    }
}

/// How many different messages are quoted that the window does not hold: of the branch, and of elsewhere.
fn recalled_messages(chat: &Chat, window: &Window) -> [usize; 2] {
    let sent_again = window.entries.iter().filter(|entry| entry.recalled);
    let sent_again = sent_again.filter_map(|entry| chat.get(entry.id)?.recalled.as_ref());
    let own = Some(chat.head.id);
    let quoted: HashSet<(Option<Id>, Id)> = sent_again
        .chain(window.quotes.as_ref())
        .flat_map(|block| &block.pieces)
        .map(|piece| (piece.chat.filter(|chat| Some(*chat) != own), piece.message))
        .filter(|(chat, id)| chat.is_some() || !window.contains(*id))
        .collect();
    if quoted.is_empty() {
        return [0, 0];
    }
    let branch: HashSet<Id> = chat.path().iter().map(|message| message.id).collect();
    let of_branch = quoted
        .iter()
        .filter(|(chat, id)| chat.is_none() && branch.contains(id))
        .count();
    [of_branch, quoted.len() - of_branch]
}
