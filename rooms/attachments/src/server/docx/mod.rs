//! The text of a Word document: a ZIP archive of XML files. Headings, lists and tables become Markdown; footnotes,
//! endnotes and comments become notes at the end, headers stand before the text and footers after it.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `package` | the files of the archive, and how they refer to each other |
//! | `story` | reads one of them: paragraphs, tables, text boxes |
//! | `elements` | elements and their attributes |
//! | `frame` | what a story is made of while it is read |
//! | `styles`, `numbering` | what a paragraph's style and list say |
//! | `shared` | what all stories of a document share |
//! | `symbols` | characters of fonts of symbols |

mod elements;
mod frame;
mod numbering;
mod package;
mod shared;
mod story;
mod styles;
mod symbols;

use super::refusal::ExtractRefusal;
use frame::{Note, NoteKind};
use numbering::Numbering;
use package::{Package, Part};
use shared::Shared;
use std::collections::BTreeSet;
use story::Story;
use styles::Styles;
use zip::result::{ZipError, ZipResult};

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
    let (mut out, header_is_cut) = margins(&mut package, "header", &mut shared, most);
    let (body, is_limited) = {
        let mut body = package.body()?;
        let story = Story::read(&mut body, &mut shared, most)?;
        (story, body.get_ref().limit() == 0)
    };
    let mut cut = header_is_cut || body.cut || is_limited;
    out.push_str(&body.text);
    for (kind, name) in [
        (NoteKind::Footnote, "footnotes"),
        (NoteKind::Endnote, "endnotes"),
        (NoteKind::Comment, "comments"),
    ] {
        let story = story(package.part(name), &mut shared, most);
        cut |= story.cut;
        write_notes(&mut out, kind, &body.references, story.notes);
    }
    let (footer, footer_is_cut) = margins(&mut package, "footer", &mut shared, most);
    out.push_str(&footer);
    Ok((out, cut || footer_is_cut))
}

/// What a file beside the body says: nothing if it is not there, and cut if it cannot be read.
fn story(part: ZipResult<Part<'_, '_>>, shared: &mut Shared, most: usize) -> Story {
    let read = match part {
        Ok(mut part) => Story::read(&mut part, shared, most).ok(),
        Err(ZipError::FileNotFound) => Some(Story::default()),
        Err(_) => None,
    };
    read.unwrap_or_else(|| Story {
        cut: true,
        ..Story::default()
    })
}

/// The texts above or below the pages, each of them once; and whether there is more.
fn margins(
    package: &mut Package<'_>,
    name: &str,
    shared: &mut Shared,
    most: usize,
) -> (String, bool) {
    let mut seen = BTreeSet::new();
    let (mut out, mut cut) = (String::new(), false);
    for path in package.paths(name) {
        let story = story(package.file(&path), shared, most);
        cut |= story.cut;
        let text = story.text.trim();
        if !text.is_empty() && seen.insert(text.to_owned()) {
            out.push_str(&story.text);
        }
    }
    (out, cut)
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
