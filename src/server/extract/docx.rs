//! The text of a Word document: a ZIP archive with one XML file for the body. Its headings become Markdown.

use super::refusal::ExtractRefusal;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::io::{BufRead, BufReader, Cursor, Read};
use zip::ZipArchive;
use zip::result::ZipError;

/// The file of the body.
const BODY: &str = "word/document.xml";
/// The most bytes of it that are unpacked: a few kilobytes of an archive can become any number.
const MAX_XML_BYTES: u64 = 64 * 1024 * 1024;

/// The text, until it has `most` bytes; and whether there is more.
pub fn text(document: &[u8], most: usize) -> Result<(String, bool), ExtractRefusal> {
    let mut archive =
        ZipArchive::new(Cursor::new(document)).map_err(|_| ExtractRefusal::Damaged)?;
    let body = archive.by_name(BODY).map_err(|error| match error {
        ZipError::FileNotFound => ExtractRefusal::UnknownFormat,
        ZipError::UnsupportedArchive(_) => ExtractRefusal::Encrypted,
        _ => ExtractRefusal::Damaged,
    })?;
    let mut body = BufReader::new(body.take(MAX_XML_BYTES));
    let (text, cut) = read(&mut body, most)?;
    let is_cut = cut || body.get_ref().limit() == 0;
    Ok((text, is_cut))
}

/// What is known of the paragraph that is being read.
#[derive(Default)]
struct Paragraph {
    text: String,
    /// The level of a heading, else 0.
    heading: usize,
}

fn read(body: &mut impl BufRead, most: usize) -> Result<(String, bool), ExtractRefusal> {
    let mut reader = Reader::from_reader(body);
    let mut buffer = Vec::new();
    let (mut out, mut paragraph, mut in_text) = (String::new(), Paragraph::default(), false);
    loop {
        buffer.clear();
        // The file ends in the middle where it is cut.
        let Ok(event) = reader.read_event_into(&mut buffer) else {
            out.push_str(&paragraph.text);
            return match out.trim().is_empty() {
                true => Err(ExtractRefusal::Damaged),
                false => Ok((out, true)),
            };
        };
        match event {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "pStyle" => {
                paragraph.heading = heading_level(&tag);
            }
            Event::Start(tag) => in_text = in_text || tag.local_name().as_ref() == "t",
            Event::Empty(tag) => match tag.local_name().as_ref() {
                "tab" => paragraph.text.push('\t'),
                "br" | "cr" => paragraph.text.push('\n'),
                _ => {}
            },
            Event::Text(text) if in_text => {
                paragraph.text.push_str(&text);
            }
            Event::GeneralRef(entity) if in_text => paragraph.text.push_str(&resolve(&entity)),
            Event::End(tag) => match tag.local_name().as_ref() {
                "t" => in_text = false,
                "p" => end_paragraph(&mut out, std::mem::take(&mut paragraph)),
                "tc" => end_cell(&mut out),
                "tr" => out.push_str("\n\n"),
                _ => {}
            },
            Event::Eof => {
                // A file that was cut ends within a paragraph.
                out.push_str(&paragraph.text);
                return Ok((out, !paragraph.text.is_empty()));
            }
            _ => {}
        }
        if out.len() + paragraph.text.len() > most {
            out.push_str(&paragraph.text);
            return Ok((out, true));
        }
    }
}

/// The character of an entity. Word documents have no others than these.
fn resolve(entity: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = entity.resolve_char_ref() {
        return character.to_string();
    }
    resolve_predefined_entity(entity)
        .unwrap_or_default()
        .to_owned()
}

/// The level of a heading by the style's name: `Heading1`, `Title`; 0 for any other.
fn heading_level(tag: &BytesStart<'_>) -> usize {
    let value = tag
        .attributes()
        .flatten()
        .find(|a| a.key.local_name().as_ref() == "val");
    let Some(value) = value else {
        return 0;
    };
    let style = value.value.to_ascii_lowercase();
    match style.strip_prefix("heading") {
        Some(level) => level.trim().parse().unwrap_or(1).clamp(1, 6),
        None => usize::from(style == "title"),
    }
}

fn end_paragraph(out: &mut String, paragraph: Paragraph) {
    let text = paragraph.text.trim_end();
    if text.trim().is_empty() {
        return;
    }
    if paragraph.heading > 0 {
        out.push_str(&"#".repeat(paragraph.heading));
        out.push(' ');
    }
    out.push_str(text);
    out.push_str("\n\n");
}

/// The cells of a row stand in one line.
fn end_cell(out: &mut String) {
    let end = out.trim_end().len();
    out.truncate(end);
    out.push_str(" | ");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(xml: &str) -> (String, bool) {
        read(&mut xml.as_bytes(), 1_000).unwrap()
    }

    #[test]
    fn paragraphs_headings_and_tables_are_text() {
        let (text, cut) = of(
            r#"<w:document xmlns:w="w"><w:body><w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>One &amp; two</w:t></w:r></w:p><w:p><w:r><w:t>a</w:t><w:tab/><w:t xml:space="preserve"> b&#233;</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p/></w:body></w:document>"#,
        );
        assert_eq!(text, "## One & two\n\na\t bé\n\nx | y | \n\n");
        assert!(!cut);
    }

    #[test]
    fn what_breaks_off_or_is_too_long_is_cut() {
        assert_eq!(of("<p><t>half"), ("half".to_owned(), true));
        let long = format!("<d>{}</d>", "<p><t>words</t></p>".repeat(1_000));
        let (text, cut) = of(&long);
        assert!(cut && text.len() < 1_100);
        assert_eq!(read(&mut &b"<a"[..], 10), Err(ExtractRefusal::Damaged));
    }

    #[test]
    fn entities_that_a_document_defines_are_nothing() {
        let bomb =
            r#"<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><d><p><t>x&b;y</t></p></d>"#;
        assert_eq!(of(bomb).0, "xy\n\n");
    }
}
