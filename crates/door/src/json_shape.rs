//! Limits the depth and the number of values of a JSON body while it is received: a value can take two bytes
//! in a body and two hundred in memory, so a body is refused before it is parsed. Whether it is valid JSON is
//! left to the parser.

use sash_wire::Fault;

/// Depth and number of values of the part of a body that was received.
#[derive(Debug)]
pub struct JsonShape {
    depth: usize,
    max_depth: usize,
    /// The values so far, counted by the brackets and commas before or between them.
    values: usize,
    max_values: usize,
    started: bool,
    in_text: bool,
    escaped: bool,
}

impl JsonShape {
    /// Limits a body to this depth and number of values.
    #[must_use]
    pub fn new(max_depth: usize, max_values: usize) -> Self {
        Self {
            depth: 0,
            max_depth,
            values: 0,
            max_values,
            started: false,
            in_text: false,
            escaped: false,
        }
    }

    /// Whether the body has begun and all its brackets are closed.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.started && self.depth == 0
    }

    /// Adds the next bytes.
    ///
    /// # Errors
    /// [`Fault::InvalidRequest`] if the body is not an object, [`Fault::TooComplex`] beyond the limits.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        for byte in bytes {
            if self.in_text {
                self.in_text = self.escaped || *byte != b'"';
                self.escaped = *byte == b'\\' && !self.escaped;
                continue;
            }
            if !self.started && !byte.is_ascii_whitespace() {
                self.started = true;
                if *byte != b'{' {
                    return Err(Fault::InvalidRequest {
                        reason: "the body is something else".to_owned(),
                    });
                }
            }
            match byte {
                b'"' => self.in_text = true,
                b'{' | b'[' => {
                    self.depth += 1;
                    self.values += 1;
                }
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                b',' => self.values += 1,
                _ => {}
            }
            if self.depth > self.max_depth || self.values > self.max_values {
                return Err(Fault::TooComplex);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of the refusal of a body at limits of 3 levels and 5 values, whole and byte by byte.
    fn refused(body: &str) -> Option<String> {
        let code = |length: usize| {
            let mut shape = JsonShape::new(3, 5);
            let mut pieces = body.as_bytes().chunks(length);
            let result = pieces.try_for_each(|piece| shape.push(piece));
            result.err().map(|fault| fault.code().to_owned())
        };
        let whole = code(body.len().max(1));
        assert_eq!(code(1), whole, "{body}");
        whole
    }

    #[test]
    fn levels_and_values_are_counted_outside_of_texts_only() {
        for passes in [
            "{}",
            " \r\n\t{}",
            r#"{"a":[[1]]}"#,
            r#"{"a":1,"b":2,"c":3,"d":4,"e":5}"#,
            r#"{"a":[1,2,3,4]}"#,
            r#"{"a":"[[[[[[{{{{{,,,,,,,,"}"#,
            r#"{"a":"\"[[[[[[[,,,,,,,","b":"\\"}"#,
            r#"{"a":"\\\"[[[[[["}"#,
            // Invalid JSON, which the parser detects.
            "{",
            "{]]]]]",
            "{\"",
            "",
            "  ",
        ] {
            assert_eq!(refused(passes), None, "{passes}");
        }
        for too_much in [
            r#"{"a":[[[1]]]}"#,
            r#"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}"#,
            r#"{"a":[1,2,3,4,5]}"#,
            r#"{"a":[{},{},{}]}"#,
            r#"{"a":"\\","b":[[[["#,
        ] {
            assert_eq!(
                refused(too_much).as_deref(),
                Some("too_complex"),
                "{too_much}"
            );
        }
        for other in [
            "[]",
            "3",
            "\"x\"",
            "null",
            " [{}]",
            "model=x",
            "\u{feff}{}",
            "}",
        ] {
            assert_eq!(
                refused(other).as_deref(),
                Some("invalid_request"),
                "{other}"
            );
        }
    }
}
