//! What chats keep of the backup: what a browser remembers of its copy of each, and values that gave way to those of another browser.

mod copy_state;
mod fields;
mod former_value;
mod former_words;

pub use copy_state::COPY_STATE;
pub use fields::{HeadFields, head_fields, set_head_fields};
pub use former_value::{
    FormerValue, RULE, add_former_values, clear_former_values, former_values, restore_value,
};
