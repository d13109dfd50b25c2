//! The child process that reads one document: this program, started by itself with a private flag.

use super::refusal::ExtractRefusal;
use super::{docx, encoding, html, pdf};
use crate::text_parts::with_line_feeds;
use crate::{DocumentFormat, ExtractedText};
use encoding_rs::Encoding;
use sash_child::{ChildLimits, read_input};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::process::ExitCode;

/// The flag that makes the program read one document and exit. It is followed by the limits, of time in seconds, of
/// memory and of text in bytes, by the mark that stands before the result, and by the name of the encoding if a person
/// chose one; the input is the document.
pub(super) const FLAG: &str = "--extract-one-document";

/// The stack of the thread that reads: the readers of HTML go down a level for each element.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// The result of a child process.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ChildOutcome {
    /// The text.
    Text(ExtractedText),
    /// There is none, for this reason.
    Refused(ExtractRefusal),
}

/// Reads a document if this process was started for that.
#[must_use]
pub fn child() -> Option<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next()? != FLAG {
        return None;
    }
    let mut number = || arguments.next()?.parse::<u64>().ok();
    let limits = (number(), number(), number());
    let (Some(seconds), Some(memory_bytes), Some(text), Some(mark)) =
        (limits.0, limits.1, limits.2, arguments.next())
    else {
        return Some(ExitCode::FAILURE);
    };
    let limits = ChildLimits {
        seconds,
        memory_bytes,
    };
    limits.apply();
    let chosen = arguments
        .next()
        .and_then(|name| Encoding::for_label(name.as_bytes()));
    Some(match serve(text, &mark, chosen) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

fn serve(text: u64, mark: &str, chosen: Option<&'static Encoding>) -> io::Result<()> {
    let document = read_input()?;
    let most = usize::try_from(text).unwrap_or(usize::MAX);
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    let read = thread.spawn(move || read(&document, most, chosen))?.join();
    // A reader that panics has met a document that it does not expect.
    let outcome = match read {
        Ok(Ok(text)) => ChildOutcome::Text(text),
        Ok(Err(refusal)) => ChildOutcome::Refused(refusal),
        Err(_) => ChildOutcome::Refused(ExtractRefusal::Damaged),
    };
    let mut out = io::stdout().lock();
    writeln!(out, "\n{mark}")?;
    serde_json::to_writer(&mut out, &outcome)?;
    out.flush()
}

/// Finds the result behind its mark.
pub(super) fn parse_output(output: &[u8], mark: &str) -> Option<ChildOutcome> {
    let output = String::from_utf8_lossy(output);
    let (_, result) = output.rsplit_once(mark)?;
    serde_json::from_str(result.trim()).ok()
}

fn read(
    document: &[u8],
    most: usize,
    chosen: Option<&'static Encoding>,
) -> Result<ExtractedText, ExtractRefusal> {
    let format = DocumentFormat::of(document).unwrap_or(DocumentFormat::Text);
    let mut encoding = None;
    let (parts, cut) = match format {
        DocumentFormat::Pdf => (pdf::pages(document)?, false),
        DocumentFormat::Docx => {
            let (text, cut) = docx::text(document, most)?;
            (vec![text], cut)
        }
        DocumentFormat::Html => {
            let page = encoding::html(document, chosen).ok_or(ExtractRefusal::UnknownFormat)?;
            encoding = Some(page.encoding);
            (vec![html::text(&page.text)], false)
        }
        DocumentFormat::Text => {
            let text = encoding::text(document, chosen).ok_or(ExtractRefusal::UnknownFormat)?;
            encoding = Some(text.encoding);
            (vec![text.text], false)
        }
    };
    let (parts, shortened) = within(parts, most);
    if parts.iter().all(|part| part.trim().is_empty()) {
        return Err(match format {
            DocumentFormat::Pdf => ExtractRefusal::NoTextInPages,
            DocumentFormat::Docx | DocumentFormat::Html | DocumentFormat::Text => {
                ExtractRefusal::NoText
            }
        });
    }
    Ok(ExtractedText {
        format,
        parts,
        cut: cut || shortened,
        encoding: encoding.map(|encoding| encoding.name().to_owned()),
    })
}

/// The parts until they have `most` bytes together, with the line ends of a text field; and whether there is more.
/// Control characters, which some readers leave in, become nothing.
fn within(parts: Vec<String>, most: usize) -> (Vec<String>, bool) {
    let mut left = most;
    let mut kept = Vec::new();
    for mut part in parts {
        part = with_line_feeds(part);
        part.retain(|c| !c.is_control() || matches!(c, '\n' | '\t'));
        if part.len() > left {
            part.truncate(part.floor_char_boundary(left));
            kept.push(part);
            return (kept, true);
        }
        left -= part.len();
        kept.push(part);
    }
    (kept, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_found_whatever_a_reader_prints() {
        let outcome = ChildOutcome::Refused(ExtractRefusal::NoText);
        let json = serde_json::to_string(&outcome).unwrap();
        let output = format!("{{\"Refused\":\"Damaged\"}}\nnoise\nmark1\n{json}");
        assert_eq!(parse_output(output.as_bytes(), "mark1"), Some(outcome));
        assert_eq!(parse_output(b"noise", "mark1"), None);
        assert_eq!(parse_output(b"mark1\n{\"Refused\":", "mark1"), None);
    }

    #[test]
    fn text_is_cut_at_a_character() {
        let parts = vec!["aé\u{0}\r\n".to_owned(), "日本".to_owned()];
        assert_eq!(
            within(parts.clone(), 100),
            (vec!["aé\n".to_owned(), "日本".to_owned()], false)
        );
        assert_eq!(
            within(parts.clone(), 5),
            (vec!["aé\n".to_owned(), String::new()], true)
        );
        assert_eq!(within(parts, 2), (vec!["a".to_owned()], true));
    }
}
