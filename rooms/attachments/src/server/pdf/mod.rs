//! The text of a PDF, page by page. A PDF says where each glyph is painted, not in which order it is read; `pdf-extract`
//! gives the glyphs.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `glyph` | collects the glyphs of a page, with their places |
//! | `widths` | mends how `pdf-extract` reads the widths of glyphs |
//! | `lines` | the text of a page: its lines, with the blanks that are gaps only |
//! | `marks` | puts accents and vowel points to their letters |
//! | `bidi` | the reading order of a line with letters that run from right to left |
//! | `letters` | presentation forms and ligatures as the letters that they stand for |

mod bidi;
mod glyph;
mod letters;
mod lines;
mod marks;
mod widths;

use super::refusal::ExtractRefusal;
use glyph::GlyphCollector;
use pdf_extract::{Document, output_doc_page};

/// The text of each page. A page that cannot be read is empty.
pub fn pages(document: &[u8]) -> Result<Vec<String>, ExtractRefusal> {
    let mut document = Document::load_mem(document).map_err(|_| ExtractRefusal::Damaged)?;
    // Many files that anybody may open are encrypted with the empty password.
    if document.is_encrypted() && document.decrypt("").is_err() {
        return Err(ExtractRefusal::Encrypted);
    }
    widths::write_out(&mut document);
    let numbers = document.get_pages().into_keys();
    let page = |number| {
        let mut glyphs = GlyphCollector::default();
        match output_doc_page(&document, &mut glyphs, number) {
            Ok(()) => lines::text(&glyphs.finish()).trim().to_owned(),
            Err(_) => String::new(),
        }
    };
    Ok(numbers.map(page).collect())
}
