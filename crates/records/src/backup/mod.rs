//! Records of the backup that are kept with chats: what its folder last had of each, and values that gave way to those of another browser.

mod fields;
mod former_value;
mod former_words;
mod log;
mod merge_base;

pub use fields::{HeadFields, head_fields, set_head_fields};
pub use former_value::{
    FormerValue, RULE, add_former_values, bring_back_value, clear_former_values, former_values,
};
pub use log::BackupLog;
pub use merge_base::{MAX_PURGED_MESSAGES, MERGE_BASE, MergeBase};
