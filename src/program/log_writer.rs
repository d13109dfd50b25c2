//! Standard error for the log. What others named (machines, models, files) may have escape sequences for the terminal, or
//! turn the direction of a line: such characters are shown.

use sash_words::names::visible;
use std::io::{self, Write};

const ESCAPE: char = '\u{1b}';

/// A writer of whole lines of the log.
pub struct LogWriter<W> {
    inner: W,
    has_colours: bool,
}

impl<W: Write> LogWriter<W> {
    /// Writes to `inner`. The log has colours of its own where that is a terminal.
    pub fn new(inner: W, has_colours: bool) -> Self {
        Self { inner, has_colours }
    }
}

impl<W: Write> Write for LogWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let shown = shown(&text, self.has_colours);
        self.inner.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn shown(text: &str, has_colours: bool) -> String {
    let mut parts = text.split(ESCAPE);
    let mut shown = visible(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        shown.push(match has_colours && is_colour(part) {
            true => ESCAPE,
            false => '\u{241b}',
        });
        shown += &visible(part);
    }
    shown
}

/// Whether what follows an escape character is a colour, which changes nothing but how the next words look.
fn is_colour(sequence: &str) -> bool {
    let numbers = sequence.strip_prefix('[');
    let end = numbers.and_then(|rest| {
        rest.find(|c: char| !(c.is_ascii_digit() || c == ';'))
            .map(|at| &rest[at..])
    });
    end.is_some_and(|end| end.starts_with('m'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_the_log_speaks_to_no_terminal() {
        let line = "\u{1b}[33m WARN\u{1b}[0m box\u{1b}]0;title\u{7}\u{202e}nal\n";
        for (has_colours, expected) in [
            (true, "\u{1b}[33m WARN\u{1b}[0m box␛]0;title␇\\u{202e}nal\n"),
            (false, "␛[33m WARN␛[0m box␛]0;title␇\\u{202e}nal\n"),
        ] {
            let mut out = Vec::new();
            LogWriter::new(&mut out, has_colours)
                .write_all(line.as_bytes())
                .unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
