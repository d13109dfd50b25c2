//! A file whose text is looked at before it goes into the prompt.

use sash_chat::{TextPart, equal_parts, heading_parts};
use sash_wire::{DocumentFormat, ExtractedText};

/// The longest text of a file, in bytes.
pub const MAX_TEXT_BYTES: usize = 2_000_000;
/// The most parts that a label names one by one.
const NAMED_PARTS: usize = 3;

/// The text of a file, in parts: pages, sections, or the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileDraft {
    /// The file's name.
    pub name: String,
    /// Its parts, at least one.
    pub parts: Vec<TextPart>,
    /// Whether the file has more text than was read.
    pub cut: bool,
}

impl FileDraft {
    /// A file of text. Markdown is divided at its headings.
    #[must_use]
    pub fn of_text(name: String, text: String) -> Self {
        let lower = name.to_ascii_lowercase();
        let is_markdown = [".md", ".markdown", ".mdx"]
            .iter()
            .any(|end| lower.ends_with(end));
        Self {
            parts: sections(text, is_markdown),
            name,
            cut: false,
        }
    }

    /// A document whose text the server extracted.
    #[must_use]
    pub fn of_document(name: String, document: ExtractedText) -> Self {
        let parts = match document.format {
            DocumentFormat::Pdf => {
                let page = |(n, text)| TextPart {
                    title: format!("Page {n}"),
                    text,
                };
                (1..).zip(document.parts).map(page).collect()
            }
            DocumentFormat::Docx | DocumentFormat::Html => {
                sections(document.parts.join("\n\n"), true)
            }
        };
        Self {
            name,
            parts,
            cut: document.cut,
        }
    }

    /// The same file, a single part of which is divided into parts of at most about that many bytes.
    #[must_use]
    pub fn divided(mut self, bytes: usize) -> Self {
        if let [whole] = &*self.parts
            && whole.text.len() > bytes
        {
            self.parts = equal_parts(&whole.text, whole.text.len().div_ceil(bytes.max(1)));
        }
        self
    }

    /// The text of the chosen parts.
    #[must_use]
    pub fn text(&self, chosen: &[bool]) -> String {
        let mut text = String::new();
        for (part, _) in self.parts.iter().zip(chosen).filter(|(_, chosen)| **chosen) {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&part.text);
        }
        text
    }

    /// The name of the file, and which of its parts are chosen if it is not all of them.
    #[must_use]
    pub fn label(&self, chosen: &[bool]) -> String {
        let titles = self.parts.iter().zip(chosen).filter(|(_, chosen)| **chosen);
        let titles: Vec<&str> = titles.map(|(part, _)| part.title.as_str()).collect();
        match titles.len() {
            n if n == self.parts.len() => self.name.clone(),
            n if n <= NAMED_PARTS => format!("{} ({})", self.name, titles.join(", ")),
            n => format!("{} ({n} of {} parts)", self.name, self.parts.len()),
        }
    }
}

fn sections(text: String, has_headings: bool) -> Vec<TextPart> {
    let parts = match has_headings {
        true => heading_parts(&text),
        false => Vec::new(),
    };
    if parts.len() > 1 {
        return parts;
    }
    vec![TextPart {
        title: "All of it".to_owned(),
        text,
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_divided_by_what_it_is() {
        let titles = |draft: &FileDraft| -> Vec<String> {
            draft.parts.iter().map(|part| part.title.clone()).collect()
        };
        let text = "# One\na\n# Two\nb\n";
        let markdown = FileDraft::of_text("n.MD".into(), text.into());
        assert_eq!(titles(&markdown), ["One", "Two"]);
        let code = FileDraft::of_text("n.py".into(), text.into());
        assert_eq!(titles(&code), ["All of it"]);
        let pdf = FileDraft::of_document(
            "n.pdf".into(),
            ExtractedText {
                format: DocumentFormat::Pdf,
                parts: vec!["a".into(), String::new(), "c".into()],
                cut: true,
            },
        );
        assert_eq!(titles(&pdf), ["Page 1", "Page 2", "Page 3"]);
        assert!(pdf.cut);
        assert_eq!(pdf.text(&[true, false, true]), "a\nc");
        assert_eq!(pdf.label(&[true, false, true]), "n.pdf (Page 1, Page 3)");
        assert_eq!(pdf.label(&[true, true, true]), "n.pdf");
    }

    #[test]
    fn a_whole_is_divided_into_parts_that_fit_and_parts_are_left_as_they_are() {
        let whole = FileDraft::of_text("n.txt".into(), "words\n".repeat(100));
        let divided = whole.clone().divided(100);
        assert!(divided.parts.len() >= 6);
        assert!(divided.parts.iter().all(|part| part.text.len() <= 100));
        let all = vec![true; divided.parts.len()];
        assert_eq!(divided.text(&all), whole.parts[0].text);
        assert_eq!(divided.label(&all), "n.txt");
        assert_eq!(whole.clone().divided(10_000), whole);
        let many = FileDraft::of_text("n.md".into(), "# a\nxxx\n# b\nyyy\n".into());
        assert_eq!(many.clone().divided(1), many);
    }
}
