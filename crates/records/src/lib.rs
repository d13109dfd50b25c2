//! Records of features of the page, and their fields of a chat's head. A module is a feature, and none knows another.

pub mod backup;
pub mod compare;
pub mod prompts;
pub mod queue;
#[cfg(test)]
mod tests;
pub mod versions;

use sash_chat::FieldRules;
use sash_log::Kinds;

/// The kinds of records of a log: the log's own, and those of all features.
pub const KINDS: Kinds = Kinds::with(&[queue::QUEUE, prompts::PROMPT, backup::COPY_STATE]);

/// What becomes of the fields of a head that features have.
pub const FIELDS: FieldRules = FieldRules(&[compare::RULE, backup::RULE]);
