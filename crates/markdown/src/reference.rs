//! References, `[text][label]`: their labels, and the definitions that have come.

use std::collections::HashMap;
use unicase::UniCase;

/// A reference label, in which upper and lower case are one.
pub(super) type Label = UniCase<String>;

/// A reference definition: where it ends, its label, its destination.
pub(super) type Definition = (usize, Label, String);

/// A reference: its definition, if that has come, and which of the waiting parts of a document wait for it.
#[cfg_attr(test, derive(Clone))]
#[derive(Debug, Default)]
pub(super) struct Reference {
    pub to: Option<String>,
    pub waiting: Vec<usize>,
}

/// The references of an answer, by [`label`].
pub(super) type References = HashMap<Label, Reference>;

/// The form of a reference label in which labels are compared: as the parser itself compares them when
/// it sees definition and use together, and with its own table.
pub(super) fn label(text: &str) -> Label {
    let mut label = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !label.is_empty() {
            label.push(' ');
        }
        label.push_str(word);
    }
    UniCase::new(label)
}

/// The label of a footnote: no other reference begins so.
pub(super) fn footnote_label(name: &str) -> Label {
    label(&format!("^{name}"))
}
