//! How a window may begin. Three messages before a prompt begin with an answer, which most chat templates take;
//! some refuse every conversation that does not begin with a question. For their models the question of the first
//! answer goes along.

use super::entry::Reason;
use crate::{Message, Role};

/// What the chat template of a model takes as the first message, the system prompt apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// Any message; so it is with most models, and the rule is kept to the message.
    #[default]
    Any,
    /// A question and nothing else.
    Question,
}

/// Leaves out the results of tools that no answer follows: a template that wants a question first takes questions and
/// answers in turns, a call with its results being neither, and so would count two questions in a row. Of a call
/// stays what was said with it.
///
/// `groups` gives for each message the place of the first of its group: a call of tools with its results, or itself.
pub(super) fn leave_unanswered_calls(
    branch: &[&Message],
    groups: &[usize],
    reasons: &mut [Option<Reason>],
) {
    // The prompt comes behind the last message.
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

/// Makes what goes begin with a question: the one before its first answer goes along. Where that may not go (it
/// is mute, deleted or before the place where the window was begun afresh) the answer stays behind, because a
/// request with it would be refused whatever else it says.
///
/// `may_go` says which messages may be added; `fresh` is the first one behind the last clearing.
pub(super) fn begin_with_question(
    branch: &[&Message],
    reasons: &mut [Option<Reason>],
    fresh: usize,
    may_go: impl Fn(usize) -> bool,
) {
    for first in 0..branch.len() {
        if reasons[first].is_none() || branch[first].role == Role::System {
            continue;
        }
        if branch[first].role == Role::User {
            return;
        }
        let question = (0..first).rev().find(|i| branch[*i].role == Role::User);
        // A pin goes across a clearing, and its question with it.
        let question = question.filter(|i| may_go(*i) && (*i >= fresh || first < fresh));
        match question {
            Some(question) => {
                reasons[question] = Some(Reason::QuestionFirst);
                return;
            }
            None => reasons[first] = None,
        }
    }
}
