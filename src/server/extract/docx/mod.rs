//! The text of a Word document: a ZIP archive of XML files. Headings, lists and tables become Markdown; footnotes,
//! endnotes and comments become notes at the end, headers stand before the text and footers after it.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `package` | the files of the archive, and how they refer to each other |
//! | `story` | reads one of them: paragraphs, tables, text boxes |
//! | `tag` | the elements that mean something |
//! | `frame` | what a story is made of while it is read |
//! | `styles`, `numbering` | what a paragraph's style and list say |
//! | `symbols` | characters of fonts of symbols |

mod frame;
mod numbering;
mod package;
mod story;
mod styles;
mod symbols;
mod tag;

use super::refusal::ExtractRefusal;
use numbering::Numbering;
use package::Package;
use std::collections::BTreeSet;
use std::io::BufRead;
use story::{Note, NoteKind, Story};
use styles::Styles;

/// What all stories of a document share.
#[derive(Debug, Default)]
struct Shared {
    styles: Styles,
    numbering: Numbering,
}

/// The text, until it has `most` bytes; and whether there is more.
pub fn text(document: &[u8], most: usize) -> Result<(String, bool), ExtractRefusal> {
    let mut package = Package::open(document)?;
    let mut shared = Shared {
        styles: package.part("styles").map(Styles::read).unwrap_or_default(),
        numbering: package
            .part("numbering")
            .map(Numbering::read)
            .unwrap_or_default(),
    };
    let mut out = String::new();
    for header in margins(&mut package, "header", &mut shared, most) {
        out.push_str(&header);
    }
    let (body, is_limited) = {
        let mut body = package.body()?;
        let story = Story::read(&mut body, &mut shared, most)?;
        (story, body.get_ref().limit() == 0)
    };
    out.push_str(&body.text);
    for (kind, name) in [
        (NoteKind::Footnote, "footnotes"),
        (NoteKind::Endnote, "endnotes"),
        (NoteKind::Comment, "comments"),
    ] {
        let notes = package
            .part(name)
            .and_then(|mut part| notes(&mut part, &mut shared, most));
        write_notes(&mut out, kind, &body.references, notes.unwrap_or_default());
    }
    for footer in margins(&mut package, "footer", &mut shared, most) {
        out.push_str(&footer);
    }
    Ok((out, body.cut || is_limited))
}

fn notes(part: &mut impl BufRead, shared: &mut Shared, most: usize) -> Option<Vec<Note>> {
    Story::read(part, shared, most)
        .ok()
        .map(|story| story.notes)
}

/// The texts above or below the pages, each of them once.
fn margins(package: &mut Package<'_>, name: &str, shared: &mut Shared, most: usize) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut texts = Vec::new();
    for path in package.paths(name) {
        let story = package
            .file(&path)
            .and_then(|mut part| Story::read(&mut part, shared, most).ok());
        texts.extend(story.map(|story| story.text));
    }
    texts.retain(|text| !text.trim().is_empty() && seen.insert(text.trim().to_owned()));
    texts
}

/// Appends notes in the order in which the text refers to them, then those that it does not refer to.
fn write_notes(
    out: &mut String,
    kind: NoteKind,
    references: &[(NoteKind, String)],
    notes: Vec<Note>,
) {
    let mut number = references.iter().filter(|(of, _)| *of == kind).count();
    let place = |note: &Note| {
        let mut ids = references.iter().filter(|(of, _)| *of == kind);
        ids.position(|(_, id)| *id == note.id)
    };
    let mut notes: Vec<(Option<usize>, Note)> =
        notes.into_iter().map(|note| (place(&note), note)).collect();
    notes.sort_by_key(|(place, _)| place.unwrap_or(usize::MAX));
    for (place, note) in notes {
        let number = place.map_or_else(
            || {
                number += 1;
                number
            },
            |place| place + 1,
        );
        let author = match note.author.is_empty() {
            true => String::new(),
            false => format!("{}: ", note.author),
        };
        let text = note.text.trim().replace("\n\n", "\n    \n    ");
        if !text.is_empty() {
            out.push_str(&format!("{}: {author}{text}\n\n", kind.label(number)));
        }
    }
}

#[cfg(test)]
mod tests;
