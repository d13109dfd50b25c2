//! Ids of elements that another module of the page names.

use sash_chat::Id;

/// The id of the field in which a question is edited.
pub fn edit_field_id(question: Id) -> String {
    format!("edit-{question}")
}
