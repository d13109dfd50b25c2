//! A file whose text is looked at before it goes into the prompt.

use crate::text_parts::{TextPart, equal_parts, heading_parts, with_line_feeds};
use crate::{DocumentFormat, ExtractedText};
use sash_words::t;
use std::ops::Range;
use std::sync::Arc;

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
    /// Its encoding, where a person should know it.
    pub encoding: Option<FileEncoding>,
}

/// The encoding in which a file was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEncoding {
    /// Its name, as the web has it.
    pub name: String,
    /// The file in base64, to be read in another encoding.
    pub data: Arc<str>,
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
            encoding: None,
        }
    }

    /// A document whose text the server extracted.
    #[must_use]
    pub fn of_document(name: String, document: ExtractedText) -> Self {
        let parts = match document.format {
            DocumentFormat::Text => return Self::of_text(name, document.parts.concat()),
            DocumentFormat::Pdf => {
                let last = document.parts.len();
                let page = |(n, text): (usize, String)| {
                    let text = match with_line_feeds(text) {
                        text if n == last || text.is_empty() || text.ends_with('\n') => text,
                        text => text + "\n",
                    };
                    TextPart::new(t!(attachments.page, n = &n), text)
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
            encoding: None,
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

    /// Chooses parts, or leaves them out.
    pub fn choose(&mut self, parts: Range<usize>, is_chosen: bool) {
        for part in self.parts.get_mut(parts).into_iter().flatten() {
            part.is_chosen = is_chosen;
        }
    }

    /// The chosen parts, each with its place among all of them.
    fn chosen(&self) -> impl Iterator<Item = (usize, &TextPart)> {
        let parts = self.parts.iter().enumerate();
        parts.filter(|(_, part)| part.is_chosen)
    }

    /// True if a part is chosen.
    #[must_use]
    pub fn has_chosen(&self) -> bool {
        self.chosen().next().is_some()
    }

    /// The text of the chosen parts.
    #[must_use]
    pub fn text(&self) -> String {
        self.compose().0
    }

    /// The text of the chosen parts, and each of them with its beginning in the text. Where a part in between is left
    /// out, the next one begins a line.
    fn compose(&self) -> (String, Vec<(usize, usize)>) {
        let mut text = String::new();
        let mut starts: Vec<(usize, usize)> = Vec::new();
        for (at, part) in self.chosen() {
            let follows = starts.last().is_none_or(|(before, _)| before + 1 == at);
            if !follows && !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            starts.push((at, text.len()));
            text.push_str(&part.text);
        }
        (text, starts)
    }

    /// Whether there is no text but white space in the chosen parts.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.chosen().all(|(_, part)| part.text.trim().is_empty())
    }

    /// Takes over what the person made of the text of the chosen parts, part by part, so that another choice keeps it.
    /// What differs is taken for one change, which belongs to the part where it begins; a part that is deleted as a
    /// whole becomes empty.
    pub fn apply_edits(&mut self, edited: &str) {
        let (former, starts) = self.compose();
        let Some(change) = TextDifference::between(&former, edited, &starts) else {
            return;
        };
        for (n, (at, start)) in starts.iter().enumerate() {
            let next = starts.get(n + 1).map(|(_, next)| *next);
            let (was, now) = match next {
                Some(next) => (
                    former.get(*start..next),
                    edited.get(change.moved(*start)..change.moved(next)),
                ),
                None => (former.get(*start..), edited.get(change.moved(*start)..)),
            };
            let has_more = *at + 1 < self.parts.len();
            if let (Some(part), Some(now)) = (self.parts.get_mut(*at), now.filter(|_| was != now)) {
                // The part after the last one that is chosen still begins a line.
                let ends_line = next.is_none() && has_more && part.text.ends_with('\n');
                now.clone_into(&mut part.text);
                if ends_line && !now.is_empty() && !now.ends_with('\n') {
                    part.text.push('\n');
                }
            }
        }
    }

    /// The name of the file, and which of its parts are chosen if it is not all of them.
    #[must_use]
    pub fn label(&self) -> String {
        let titles: Vec<&str> = self.chosen().map(|(_, part)| part.title.as_str()).collect();
        match titles.len() {
            n if n == self.parts.len() => self.name.clone(),
            n if n <= NAMED_PARTS => format!("{} ({})", self.name, titles.join(", ")),
            n => t!(
                attachments.parts_of_file,
                name = &self.name,
                n = &n,
                parts = self.parts.len()
            ),
        }
    }
}

/// Where two texts differ: what begins at `start` and ends at `former_end` in the one ends at `edited_end` in the other.
struct TextDifference {
    start: usize,
    former_end: usize,
    edited_end: usize,
}

impl TextDifference {
    /// The change between two texts; `starts` are the beginnings of parts in the former one. Where it could begin at
    /// several places, as in a row of equal letters, it begins with a part.
    fn between(former: &str, edited: &str, starts: &[(usize, usize)]) -> Option<Self> {
        if former == edited {
            return None;
        }
        let (a, b) = (former.as_bytes(), edited.as_bytes());
        let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let ends = a.iter().rev().zip(b.iter().rev());
        let suffix = ends.take_while(|(a, b)| a == b).count();
        let shorter = a.len().min(b.len());
        let possible = shorter.saturating_sub(suffix)..=prefix;
        let mut places = starts.iter().map(|(_, start)| *start);
        let start = places.find(|start| possible.contains(start));
        let start = start.unwrap_or_else(|| former.floor_char_boundary(prefix));
        let same = suffix.min(shorter - start);
        let former_end = former.ceil_char_boundary(former.len() - same);
        Some(Self {
            start,
            former_end,
            edited_end: former_end + edited.len() - former.len(),
        })
    }

    /// Where a place of the former text is in the edited one.
    fn moved(&self, at: usize) -> usize {
        match at {
            at if at <= self.start => at,
            at if at >= self.former_end => at - self.former_end + self.edited_end,
            _ => self.edited_end,
        }
    }
}

fn sections(text: String, has_headings: bool) -> Vec<TextPart> {
    let text = with_line_feeds(text);
    let parts = match has_headings {
        true => heading_parts(&text),
        false => Vec::new(),
    };
    if parts.len() > 1 {
        return parts;
    }
    vec![TextPart::new(t!(attachments.all_of_it), text)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file with only these parts chosen.
    fn choose(file: &mut FileDraft, chosen: &[bool]) {
        for (at, is_chosen) in chosen.iter().enumerate() {
            file.choose(at..at + 1, *is_chosen);
        }
    }

    /// The text of these parts.
    fn text(file: &mut FileDraft, chosen: &[bool]) -> String {
        choose(file, chosen);
        file.text()
    }

    fn edit(file: &mut FileDraft, chosen: &[bool], edited: &str) {
        choose(file, chosen);
        file.apply_edits(edited);
    }

    #[test]
    fn a_file_is_divided_by_what_it_is() {
        let titles = |draft: &FileDraft| -> Vec<String> {
            draft.parts.iter().map(|part| part.title.clone()).collect()
        };
        let written = "# One\na\n# Two\nb\n";
        let markdown = FileDraft::of_text("n.MD".into(), written.into());
        assert_eq!(titles(&markdown), ["One", "Two"]);
        let code = FileDraft::of_text("n.py".into(), written.into());
        assert_eq!(titles(&code), ["All of it"]);
        let mut pdf = FileDraft::of_document(
            "n.pdf".into(),
            ExtractedText {
                format: DocumentFormat::Pdf,
                parts: vec!["a".into(), String::new(), "c".into()],
                cut: true,
                encoding: None,
            },
        );
        assert_eq!(titles(&pdf), ["Page 1", "Page 2", "Page 3"]);
        assert!(pdf.cut);
        assert_eq!(pdf.label(), "n.pdf");
        assert_eq!(text(&mut pdf, &[true, false, true]), "a\nc");
        assert_eq!(pdf.label(), "n.pdf (Page 1, Page 3)");
    }

    fn pages(texts: &[&str]) -> FileDraft {
        FileDraft::of_document(
            "n.pdf".into(),
            ExtractedText {
                format: DocumentFormat::Pdf,
                parts: texts.iter().map(|text| (*text).to_owned()).collect(),
                cut: false,
                encoding: None,
            },
        )
    }

    #[test]
    fn what_a_person_wrote_in_a_part_stays_when_others_are_chosen() {
        let all = [true; 3];
        for (edited, without_second) in [
            ("one more\ntwo\nthree", "one more\nthree"),
            ("One\ntwo\nthree", "One\nthree"),
            ("one\ntwo\nthree, and four", "one\nthree, and four"),
            ("one\n2\nthree", "one\nthree"),
            ("one\nthree", "one\nthree"),
            ("one\ntwo\nthréé", "one\nthréé"),
            ("ein\nthree", "ein\nthree"),
            ("", ""),
        ] {
            let mut file = pages(&["one", "two", "three"]);
            edit(&mut file, &all, edited);
            assert_eq!(text(&mut file, &all), edited, "all of it");
            assert_eq!(text(&mut file, &[true, false, true]), without_second);
            assert_eq!(text(&mut file, &all), edited, "and again");
        }
    }

    #[test]
    fn one_change_after_another_goes_to_the_part_that_it_was_made_in() {
        let mut file = pages(&["one", "two", "three"]);
        edit(&mut file, &[true, false, true], "one\nthree!");
        edit(&mut file, &[false, true, false], "two?");
        edit(&mut file, &[true; 3], "ONE\ntwo?\nthree!");
        assert_eq!(text(&mut file, &[false, true, false]), "two?\n");
        assert_eq!(text(&mut file, &[true; 3]), "ONE\ntwo?\nthree!");
        edit(&mut file, &[true; 3], "something else");
        assert_eq!(text(&mut file, &[true; 3]), "something else");
        edit(&mut file, &[true; 3], "ONE\ntwo?\nthree!");
        edit(&mut file, &[false; 3], "nowhere");
        assert_eq!(text(&mut file, &[true; 3]), "ONE\ntwo?\nthree!");
        choose(&mut file, &[false; 3]);
        assert!(file.is_blank() && !file.has_chosen());
        file.choose(0..1, true);
        assert!(!file.is_blank() && file.has_chosen());
    }

    #[test]
    fn a_file_has_the_line_ends_of_the_field_in_which_it_is_edited() {
        let mut file = FileDraft::of_text("n.md".into(), "# a\r\nx\r\n# b\ry\r".into());
        assert_eq!(text(&mut file, &[true, true]), "# a\nx\n# b\ny\n");
        edit(&mut file, &[true, true], "# a\nx\n# b\nyes\n");
        assert_eq!(text(&mut file, &[true, false]), "# a\nx\n");
        assert_eq!(pages(&["a\r\nb"]).text(), "a\nb");
    }

    #[test]
    fn a_whole_is_divided_into_parts_that_fit_and_parts_are_left_as_they_are() {
        let whole = FileDraft::of_text("n.txt".into(), "words\n".repeat(100));
        let divided = whole.clone().divided(100);
        assert!(divided.parts.len() >= 6);
        assert!(divided.parts.iter().all(|part| part.text.len() <= 100));
        assert_eq!(divided.text(), whole.parts[0].text);
        assert_eq!(divided.label(), "n.txt");
        assert_eq!(whole.clone().divided(10_000), whole);
        let many = FileDraft::of_text("n.md".into(), "# a\nxxx\n# b\nyyy\n".into());
        assert_eq!(many.clone().divided(1), many);
    }
}
