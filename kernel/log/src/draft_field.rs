//! Texts of fields beside the composer that a person has not saved: each is a part of its chat's draft.

use sash_chat::Id;
use serde::{Deserialize, Serialize};

/// A field beside the composer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftField {
    /// The edit field of a message.
    Edit(Id),
    /// An earlier question that was put into the composer and changed there.
    Question(Id),
    /// The system prompt.
    System,
    /// The edit field of the summary with this number.
    Summary(u32),
}

impl DraftField {
    /// The message whose text the field had first.
    #[must_use]
    pub fn message(self) -> Option<Id> {
        match self {
            Self::Edit(id) | Self::Question(id) => Some(id),
            Self::System | Self::Summary(_) => None,
        }
    }
}

/// What is written in a field and not saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldDraft {
    /// The field.
    pub field: DraftField,
    /// Its text.
    pub text: String,
}

/// The text of a field, if one is kept.
#[must_use]
pub fn text_of(fields: &[FieldDraft], field: DraftField) -> Option<&str> {
    let known = fields.iter().find(|known| known.field == field);
    known.map(|known| known.text.as_str())
}

/// Keeps the text of a field; `None`, or white space alone, removes it.
pub fn set_text_of(fields: &mut Vec<FieldDraft>, field: DraftField, text: Option<String>) {
    let at = fields.iter().position(|known| known.field == field);
    let text = text.filter(|text| !text.trim().is_empty());
    match (at, text) {
        (Some(at), Some(text)) => fields[at].text = text,
        (Some(at), None) => drop(fields.remove(at)),
        (None, Some(text)) => fields.push(FieldDraft { field, text }),
        (None, None) => {}
    }
}
