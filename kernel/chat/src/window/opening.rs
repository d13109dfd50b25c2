//! The beginning of a window. A window of three messages begins with an answer, which most chat templates
//! accept; some refuse every conversation that does not begin with a question. For their models the question
//! of the first answer is added.

use super::entry::Reason;
use super::grouping::Grouping;
use crate::{Message, Role};
use sash_text::is_blank;

/// What a model's chat template accepts as the first message after the system prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstMessageRule {
    /// Any message, as with most models; the policy is applied exactly.
    #[default]
    Any,
    /// Only a question.
    Question,
}

/// Leaves out tool results that no answer follows. A template that requires a question first also requires
/// questions and answers to alternate; it counts a call and its results as neither, and so would see two
/// questions in a row. The text of a call stays.
pub(super) fn drop_unanswered_calls(branch: &[&Message], reasons: &mut [Option<Reason>]) {
    // The prompt follows the last message.
    let mut question_follows = true;
    for (message, reason) in branch.iter().zip(reasons).rev() {
        let is_silent = message.role == Role::Tool || is_blank(&message.content);
        if question_follows && message.is_in_tool_round() && is_silent {
            *reason = None;
        }
        if reason.is_some() {
            question_follows = message.role == Role::User;
        }
    }
}

/// The question before the first answer of a window that does not begin with a question. Where that question may not be
/// sent (muted, deleted or before the last clearing) the answer is left out, because the template would refuse the
/// request.
///
/// `fresh` is the index of the first message after the last clearing.
pub(super) fn question_before(
    branch: &[&Message],
    groups: &Grouping,
    reasons: &mut [Option<Reason>],
    fresh: usize,
) -> Option<usize> {
    for first in 0..branch.len() {
        if reasons[first].is_none() || branch[first].role == Role::System {
            continue;
        }
        if branch[first].role == Role::User {
            return None;
        }
        let question = (0..first).rev().find(|i| branch[*i].role == Role::User);
        // A pin is sent even from before a clearing, and so is its question.
        let question =
            question.filter(|i| groups.is_sendable(*i) && (*i >= fresh || first < fresh));
        if question.is_some() {
            return question;
        }
        reasons[first] = None;
    }
    None
}
