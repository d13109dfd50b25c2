//! Builds and encodes the runs of classes over a text.

use crate::HighlightClass;

/// Encoded runs; new ones are added at the end.
#[derive(Default)]
pub(super) struct Runs {
    written: String,
    class: Option<HighlightClass>,
    /// Length of the last run in UTF-16 code units; that run is not encoded yet.
    length: usize,
}

impl Runs {
    /// Adds a text with a class, or without one.
    pub(super) fn add(&mut self, class: Option<HighlightClass>, text: &str) {
        let length = text.encode_utf16().count();
        if length == 0 {
            return;
        }
        // White space looks the same in all classes, so it joins the run before it.
        let joins = class == self.class || (class.is_none() && is_blank(text));
        if !joins {
            self.end();
            self.class = class;
        }
        self.length += length;
    }

    /// The encoded runs.
    pub(super) fn written(mut self) -> String {
        self.end();
        self.written
    }

    fn end(&mut self) {
        if self.length > 0 {
            let gap = if self.written.is_empty() { "" } else { " " };
            let letter = self.class.map(HighlightClass::letter).map(String::from);
            let letter = letter.unwrap_or_default();
            self.written += &format!("{gap}{letter}{}", self.length);
            self.length = 0;
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_joined_and_lengths_are_those_of_a_browsers_strings() {
        let mut runs = Runs::default();
        runs.add(Some(HighlightClass::Keyword), "fn");
        runs.add(None, " ");
        runs.add(Some(HighlightClass::Function), "");
        runs.add(Some(HighlightClass::Function), "ma");
        runs.add(Some(HighlightClass::Function), "in😀");
        runs.add(None, "()\n");
        runs.add(None, "{}");
        assert_eq!(runs.written(), "k3 f6 5");
        assert_eq!(Runs::default().written(), "");
    }
}
