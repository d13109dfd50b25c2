//! Splits a byte stream into complete lines. Chunks of a stream are not messages: networks and
//! proxies split and join them anywhere, even inside a character. Lines are split at the byte `\n`
//! and decoded as text only when complete, so that no split damages a character.

use super::Fault;
use serde::de::DeserializeOwned;

/// The longest line accepted from Ollama or the server, in bytes. Ollama's own limit is 8 MB.
pub const MAX_LINE: usize = 8 * 1024 * 1024;

/// Why a line could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineError {
    /// The line exceeds the limit, in bytes. The decoder cannot be used afterwards.
    TooLong(usize),
    /// The line is not JSON of the expected form, or not UTF-8; the text says where.
    Malformed(String),
}

impl From<LineError> for Fault {
    fn from(error: LineError) -> Self {
        let reason = match error {
            LineError::TooLong(limit) => format!("a line of more than {limit} bytes"),
            LineError::Malformed(reason) => reason,
        };
        Self::BrokenStream { reason }
    }
}

/// Buffers bytes and returns complete lines. Blank lines are skipped, except by a decoder of events; `\r\n` counts as
/// `\n`.
#[derive(Debug)]
pub struct LineDecoder {
    buffer: Vec<u8>,
    /// The start of the first line that was not returned yet.
    start: usize,
    /// The end of the bytes already searched for a newline.
    searched: usize,
    limit: usize,
    /// Whether a lone `\r` ends a line, and blank lines are returned.
    is_of_events: bool,
    /// Whether the last line ended with `\r`, so that a `\n` after it belongs to it.
    after_return: bool,
}

impl Default for LineDecoder {
    fn default() -> Self {
        Self::new(MAX_LINE)
    }
}

impl LineDecoder {
    /// Creates a decoder that rejects lines of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            limit,
            is_of_events: false,
            after_return: false,
        }
    }

    /// Creates a decoder of server-sent events: a line may end with a lone `\r`, and blank lines are returned, because an
    /// event ends with one.
    #[must_use]
    pub fn of_events() -> Self {
        Self {
            is_of_events: true,
            ..Self::default()
        }
    }

    /// Appends the next bytes of the stream; they may end anywhere.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next complete line without its newline, or `None` until more bytes arrive.
    ///
    /// # Errors
    /// [`LineError::TooLong`] when a line, complete or not, exceeds the limit.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, LineError> {
        loop {
            self.skip_rest_of_end();
            let Some(offset) = self.buffer[self.searched..]
                .iter()
                .position(|b| *b == b'\n' || (self.is_of_events && *b == b'\r'))
            else {
                self.searched = self.buffer.len();
                if self.buffer.len() - self.start > self.limit {
                    return Err(LineError::TooLong(self.limit));
                }
                return Ok(None);
            };
            let (from, end) = (self.start, self.searched + offset);
            self.after_return = self.is_of_events && self.buffer[end] == b'\r';
            self.start = end + 1;
            self.searched = self.start;
            if end - from > self.limit {
                return Err(LineError::TooLong(self.limit));
            }
            let line = from..trimmed_end(&self.buffer, from, end);
            if self.is_of_events || !is_blank(&self.buffer[line.clone()]) {
                return Ok(Some(&self.buffer[line]));
            }
        }
    }

    /// Skips the `\n` of a `\r\n` that may have been cut in two.
    fn skip_rest_of_end(&mut self) {
        if self.after_return
            && let Some(byte) = self.buffer.get(self.start)
        {
            self.start += usize::from(*byte == b'\n');
            self.searched = self.searched.max(self.start);
            self.after_return = false;
        }
    }

    /// Ends the stream and returns the text after the last newline, unless it is blank.
    ///
    /// # Errors
    /// [`LineError::TooLong`] as in [`Self::next_line`].
    pub fn finish(&mut self) -> Result<Option<&[u8]>, LineError> {
        self.skip_rest_of_end();
        let (from, end) = (self.start, self.buffer.len());
        if end - from > self.limit {
            return Err(LineError::TooLong(self.limit));
        }
        self.start = end;
        self.searched = end;
        let line = from..trimmed_end(&self.buffer, from, end);
        Ok(Some(&self.buffer[line]).filter(|line| !is_blank(line)))
    }

    /// Parses the next complete line as one JSON value.
    ///
    /// # Errors
    /// [`LineError`] when the line is too long or not JSON of the expected form.
    pub fn next_json<T: DeserializeOwned>(&mut self) -> Result<Option<T>, LineError> {
        self.next_line()?.map(parse).transpose()
    }

    /// Ends the stream like [`Self::finish`] and parses the rest as one JSON value.
    ///
    /// # Errors
    /// [`LineError`] when the rest is too long or not JSON of the expected form.
    pub fn finish_json<T: DeserializeOwned>(&mut self) -> Result<Option<T>, LineError> {
        self.finish()?.map(parse).transpose()
    }
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, LineError> {
    let malformed = |error: &dyn std::error::Error| LineError::Malformed(error.to_string());
    let line = std::str::from_utf8(line).map_err(|error| malformed(&error))?;
    serde_json::from_str(line).map_err(|error| malformed(&error))
}

fn trimmed_end(buffer: &[u8], from: usize, end: usize) -> usize {
    if end > from && buffer[end - 1] == b'\r' {
        end - 1
    } else {
        end
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn lines(pieces: &[&[u8]]) -> Vec<String> {
        let mut decoder = LineDecoder::default();
        let mut out = Vec::new();
        let mut keep = |line: &[u8]| out.push(String::from_utf8(line.to_vec()).unwrap());
        for piece in pieces {
            decoder.push(piece);
            while let Some(line) = decoder.next_line().unwrap() {
                keep(line);
            }
        }
        if let Some(line) = decoder.finish().unwrap() {
            keep(line);
        }
        out
    }

    #[test]
    fn every_split_position_of_multi_byte_text_gives_the_same_lines() {
        let text = "{\"t\":\"é 日本 😀 👩‍👩‍👧\"}\r\n\n{\"t\":\"\\u00e9\\n\"}\n  \nlast without end";
        let bytes = text.as_bytes();
        let whole = lines(&[bytes]);
        assert_eq!(whole.len(), 3);
        assert_eq!(whole[0], "{\"t\":\"é 日本 😀 👩‍👩‍👧\"}");
        for cut in 0..=bytes.len() {
            assert_eq!(
                lines(&[&bytes[..cut], &bytes[cut..]]),
                whole,
                "cut at {cut}"
            );
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(lines(&single), whole);
    }

    #[test]
    fn the_lines_of_events_end_in_three_ways_and_blank_ones_are_told() {
        let text = "data: a\r\n\r\ndata: b\r\rdata: c\n\n: é\r\nlast";
        let read = |pieces: &[&[u8]]| {
            let mut decoder = LineDecoder::of_events();
            let mut all = Vec::new();
            for piece in pieces {
                decoder.push(piece);
                while let Some(line) = decoder.next_line().unwrap() {
                    all.push(String::from_utf8(line.to_vec()).unwrap());
                }
            }
            let last = decoder.finish().unwrap();
            all.extend(last.map(|line| String::from_utf8(line.to_vec()).unwrap()));
            all
        };
        let lines = ["data: a", "", "data: b", "", "data: c", "", ": é", "last"];
        let bytes = text.as_bytes();
        for cut in 0..=bytes.len() {
            assert_eq!(read(&[&bytes[..cut], &bytes[cut..]]), lines, "cut at {cut}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(read(&single), lines);
        assert_eq!(read(&[b"a\r"]), ["a"]);
    }

    proptest! {
        #[test]
        fn any_cuts_of_any_text_give_the_same_lines(
            text in "(\\PC|\n|\r\n|é|日|😀){0,80}",
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let bytes = text.as_bytes();
            let mut at: Vec<usize> = cuts.iter().map(|c| c.index(bytes.len() + 1)).collect();
            at.extend([0, bytes.len()]);
            at.sort_unstable();
            let pieces: Vec<&[u8]> = at.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            prop_assert_eq!(lines(&pieces), lines(&[bytes]));
        }
    }

    #[test]
    fn a_line_over_the_limit_is_refused_complete_or_not() {
        let mut decoder = LineDecoder::new(4);
        decoder.push(b"1234\n12345");
        assert_eq!(decoder.next_line().unwrap(), Some(&b"1234"[..]));
        assert_eq!(decoder.next_line(), Err(LineError::TooLong(4)));
        let mut decoder = LineDecoder::new(4);
        decoder.push(b"12345\n");
        assert_eq!(decoder.next_line(), Err(LineError::TooLong(4)));
        let mut decoder = LineDecoder::new(4);
        decoder.push(b"12345");
        assert_eq!(decoder.finish(), Err(LineError::TooLong(4)));
    }

    #[test]
    fn invalid_utf8_inside_a_json_string_is_an_error_and_never_a_replacement_character() {
        let mut decoder = LineDecoder::default();
        decoder.push(b"{\"text\":\"a\xFFb\"}\n");
        let read = decoder.next_json::<Value>();
        assert!(matches!(read, Err(LineError::Malformed(_))), "{read:?}");
    }

    #[test]
    fn json_lines_and_the_unended_last_one_are_read() {
        let mut decoder = LineDecoder::default();
        decoder.push(b"1\n\n[2]\n3");
        assert_eq!(decoder.next_json::<Value>().unwrap(), Some(json!(1)));
        assert_eq!(decoder.next_json::<Value>().unwrap(), Some(json!([2])));
        assert_eq!(decoder.next_json::<Value>().unwrap(), None);
        assert_eq!(decoder.finish_json::<Value>().unwrap(), Some(json!(3)));
        assert_eq!(decoder.finish_json::<Value>().unwrap(), None);
    }
}
