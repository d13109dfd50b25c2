//! How a window may begin. A window of three messages begins with an answer, which most chat templates
//! accept; some refuse every conversation that does not begin with a question. For their models the question
//! of the first answer is added.

use super::entry::Reason;
use crate::{Message, Role};

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
///
/// `groups` holds for each message the index of the first of its group: a tool call with its results, or the
/// message alone.
pub(super) fn leave_unanswered_calls(
    branch: &[&Message],
    groups: &[usize],
    reasons: &mut [Option<Reason>],
) {
    // The prompt follows the last message.
    let mut question_follows = true;
    for i in (0..branch.len()).rev() {
        let is_result = branch[i].role == Role::Tool;
        let is_silent_call = branch[i].content.trim().is_empty()
            && groups.get(i + 1).is_some_and(|group| *group == i);
        if question_follows && (is_result || is_silent_call) {
            reasons[i] = None;
        }
        if reasons[i].is_some() {
            question_follows = branch[i].role == Role::User;
        }
    }
}

/// Makes the window begin with a question: adds the question before its first answer. Where that question may
/// not be sent (muted, deleted or before the last clearing) the answer is left out, because the template
/// would refuse the request.
///
/// `is_eligible` tells which messages may be added; `fresh` is the index of the first message after the last
/// clearing.
pub(super) fn begin_with_question(
    branch: &[&Message],
    reasons: &mut [Option<Reason>],
    fresh: usize,
    is_eligible: impl Fn(usize) -> bool,
) {
    for first in 0..branch.len() {
        if reasons[first].is_none() || branch[first].role == Role::System {
            continue;
        }
        if branch[first].role == Role::User {
            return;
        }
        let question = (0..first).rev().find(|i| branch[*i].role == Role::User);
        // A pin is sent even from before a clearing, and so is its question.
        let question = question.filter(|i| is_eligible(*i) && (*i >= fresh || first < fresh));
        match question {
            Some(question) => {
                reasons[question] = Some(Reason::QuestionFirst);
                return;
            }
            None => reasons[first] = None,
        }
    }
}
