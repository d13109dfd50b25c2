//! References, `[text][label]`: their labels, and the definitions received so far.

use std::collections::HashMap;
use unicase::UniCase;

/// A reference label; comparison ignores case.
pub(super) type Label = UniCase<String>;

/// A reference definition: its end, its label, its destination.
pub(super) type Definition = (usize, Label, String);

/// A reference: its definition, if received, and the indices of the waiting parts that use it.
#[cfg_attr(test, derive(Clone))]
#[derive(Debug, Default)]
pub(super) struct Reference {
    pub to: Option<String>,
    pub waiting: Vec<usize>,
}

/// The references of an answer, by [`label`].
pub(super) type References = HashMap<Label, Reference>;

/// Normalises a reference label for comparison, as the parser does when it sees definition and use together,
/// with the parser's own table.
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

/// The label of a footnote; no other reference begins with `^`.
pub(super) fn footnote_label(name: &str) -> Label {
    label(&format!("^{name}"))
}
