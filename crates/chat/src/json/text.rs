//! JSON text to a [`Value`].
//!
//! `serde_json` reads it too, and the tests hold this reader against it; but its reader is a machine for
//! values of any type from any source, with tables for numbers that are not ours: 5 kB of the page.

use serde_json::{Map, Number, Value};
use std::fmt;

/// How deep values nest, as with `serde_json`: a text of a million brackets must not end the program.
const DEPTH: u8 = 127;

/// The text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoJson {
    /// The byte from which on it is none.
    at: usize,
}

impl NoJson {
    /// It is JSON, but not what was expected.
    #[must_use]
    pub const fn of_another_form() -> Self {
        Self { at: 0 }
    }
}

impl fmt::Display for NoJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no JSON from byte {} on", self.at)
    }
}

impl std::error::Error for NoJson {}

/// Reads a text as one value.
///
/// Whole numbers of 64 bits are exact, and so are other numbers of up to 15 digits between 1e-22 and 1e22, which
/// ours all are. Of others the last digits may differ, and the largest of all may be refused for that.
///
/// # Errors
/// [`NoJson`] for whatever RFC 8259 does not allow, invalid UTF-8 and half surrogate pairs, and for numbers
/// beyond any `f64` and values nested deeper than 127.
pub fn parse(text: &[u8]) -> Result<Value, NoJson> {
    let text = std::str::from_utf8(text).map_err(|error| NoJson {
        at: error.valid_up_to(),
    })?;
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(DEPTH).filter(|_| {
        reader.skip(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
        reader.at == text.len()
    });
    value.ok_or(NoJson { at: reader.at })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips what is accepted, and gives it back.
    fn skip(&mut self, accepted: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.bytes().position(|b| !accepted(b));
        let skipped = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += skipped.len();
        skipped
    }

    /// The next byte that is not blank.
    fn token(&mut self) -> Option<u8> {
        self.skip(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
        self.peek()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        self.text.get(self.at..)?.starts_with(word).then(|| {
            self.at += word.len();
            value
        })
    }

    fn value(&mut self, room: u8) -> Option<Value> {
        match self.token()? {
            b'"' => self.string().map(Value::String),
            b'{' => self.object(room.checked_sub(1)?),
            b'[' => self.array(room.checked_sub(1)?),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => self.number(),
        }
    }

    fn array(&mut self, room: u8) -> Option<Value> {
        let mut items = Vec::new();
        self.at += 1;
        if self.token()? == b']' {
            self.at += 1;
            return Some(Value::Array(items));
        }
        loop {
            items.push(self.value(room)?);
            if self.goes_on(b']')? {
                return Some(Value::Array(items));
            }
        }
    }

    fn object(&mut self, room: u8) -> Option<Value> {
        let mut fields = Map::new();
        self.at += 1;
        if self.token()? == b'}' {
            self.at += 1;
            return Some(Value::Object(fields));
        }
        loop {
            self.token()?;
            let key = self.string()?;
            self.token()?;
            self.take(b':')?;
            let value = self.value(room)?;
            fields.insert(key, value);
            if self.goes_on(b'}')? {
                return Some(Value::Object(fields));
            }
        }
    }

    /// After an item: whether the last one was that.
    fn goes_on(&mut self, end: u8) -> Option<bool> {
        let next = self.token()?;
        (next == end || next == b',').then(|| {
            self.at += 1;
            next == end
        })
    }

    fn string(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut out = String::new();
        loop {
            out.push_str(self.skip(|b| !matches!(b, b'"' | b'\\' | 0..0x20)));
            let special = self.peek()?;
            if special == b'"' {
                self.at += 1;
                return Some(out);
            }
            self.take(b'\\')?;
            let escape = self.peek()?;
            self.at += 1;
            out.push(match escape {
                b'"' | b'\\' | b'/' => char::from(escape),
                b'b' => '\x08',
                b'f' => '\x0c',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => self.escaped()?,
                _ => return None,
            });
        }
    }

    /// What stands behind `\u`; a second one with it where the first is the first half of a pair.
    fn escaped(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        self.take(b'\\')?;
        self.take(b'u')?;
        let second = self.hex()?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + second)
    }

    fn hex(&mut self) -> Option<u32> {
        let mut value = 0;
        for _ in 0..4 {
            value = value * 16 + char::from(self.peek()?).to_digit(16)?;
            self.at += 1;
        }
        Some(value)
    }

    fn number(&mut self) -> Option<Value> {
        let from = self.at;
        let minus = self.take(b'-').is_some();
        let whole = self.skip(|b| b.is_ascii_digit());
        if whole.is_empty() || (whole.len() > 1 && whole.starts_with('0')) {
            return None;
        }
        let mut fraction = "";
        if self.take(b'.').is_some() {
            fraction = self.skip(|b| b.is_ascii_digit());
            if fraction.is_empty() {
                return None;
            }
        }
        let mut exponent = 0_i32;
        let has_exponent = matches!(self.peek(), Some(b'e' | b'E'));
        if has_exponent {
            self.at += 1;
            let below = self.take(b'-').is_some();
            if !below {
                // It may be written.
                let _ = self.take(b'+');
            }
            let digits = self.skip(|b| b.is_ascii_digit());
            if digits.is_empty() {
                return None;
            }
            for digit in digits.bytes() {
                exponent = (exponent * 10 + i32::from(digit - b'0')).min(99_999);
            }
            exponent = if below { -exponent } else { exponent };
        }
        if fraction.is_empty() && !has_exponent {
            let text = self.text.get(from..self.at)?;
            let exact = match minus {
                true => text
                    .parse::<i64>()
                    .ok()
                    .filter(|n| *n != 0)
                    .map(Number::from),
                false => text.parse::<u64>().ok().map(Number::from),
            };
            if let Some(number) = exact {
                return Some(Value::Number(number));
            }
        }
        let value = float(whole, fraction, exponent);
        Number::from_f64(if minus { -value } else { value }).map(Value::Number)
    }
}

/// The number of these digits. Exact where there are at most 15 of them and the power of ten is at most 22,
/// because then both are exact as they are.
fn float(whole: &str, fraction: &str, exponent: i32) -> f64 {
    let mut digits = 0_u64;
    let mut power = i64::from(exponent);
    for (at, digit) in whole.bytes().chain(fraction.bytes()).enumerate() {
        let is_fraction = at >= whole.len();
        if digits < 100_000_000_000_000_000 {
            digits = digits * 10 + u64::from(digit - b'0');
            power -= i64::from(is_fraction);
        } else {
            power += i64::from(!is_fraction);
        }
    }
    let mut value = digits as f64;
    if digits == 0 {
        return value;
    }
    // In steps, because the smallest numbers are divided by more than the largest.
    while power < 0 {
        let step = power.max(-300);
        value /= ten_to(step.unsigned_abs());
        power -= step;
        if value == 0.0 {
            break;
        }
    }
    while power > 0 && value.is_finite() {
        let step = power.min(300);
        value *= ten_to(step.unsigned_abs());
        power -= step;
    }
    value
}

fn ten_to(mut power: u64) -> f64 {
    let (mut value, mut square) = (1.0, 10.0);
    while power > 0 {
        if power & 1 == 1 {
            value *= square;
        }
        square *= square;
        power >>= 1;
    }
    value
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn theirs(text: &str) -> Option<Value> {
        serde_json::from_str(text).ok()
    }

    fn ours(text: &str) -> Option<Value> {
        parse(text.as_bytes()).ok()
    }

    #[test]
    fn what_the_standard_allows_and_what_not() {
        let texts = [
            "",
            " ",
            "null",
            "nul",
            "true",
            " false ",
            "truefalse",
            "1 2",
            "0",
            "-0",
            "-",
            "+1",
            "01",
            "-01",
            "1.",
            ".5",
            "1.5",
            "-1.5e3",
            "1e",
            "1e+",
            "1E+2",
            "1e-2",
            "1e400",
            "-1e400",
            "1e-400",
            "0e999",
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775808",
            "-9223372036854775809",
            "0.1",
            "0.001234",
            "123.456789",
            "4.9e-324",
            "1.5e22",
            "1.5e-20",
            "\"\"",
            "\"a",
            "\"\n\"",
            "\"\\u00e9\\n\\/\"",
            "\"\\ud83d\\ude00\"",
            "\"\\ud83d\"",
            "\"\\ude00\"",
            "\"\\ud83d\\u0041\"",
            "\"\\uD83Dx\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "[]",
            "[",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[1,[2,{}]]",
            "]",
            "{}",
            "{",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{1:1}",
            "{\"a\":1,\"a\":2}",
            " { \"a\" : [ 1 , 2 ] , \"b\" : null } ",
            "\u{feff}1",
            "\u{a0}1",
            "NaN",
            "Infinity",
            "'a'",
        ];
        for text in texts {
            assert_eq!(ours(text), theirs(text), "{text}");
        }
    }

    #[test]
    fn nesting_ends_where_theirs_does() {
        for depth in [1, 100, 126, 127, 128, 129, 1_000_000] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            assert_eq!(ours(&text).is_some(), theirs(&text).is_some(), "{depth}");
        }
    }

    #[test]
    fn invalid_utf8_is_refused_where_it_begins() {
        assert_eq!(parse(b"\"a\xffb\""), Err(NoJson { at: 2 }));
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-999_999_999_999_i64..999_999_999_999, 0..7)
                .prop_map(|(n, p)| Value::from(n as f64 / 10_f64.powi(p))),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_value_is_read_as_it_was_written(value in values()) {
            prop_assert_eq!(ours(&value.to_string()), Some(value.clone()));
            prop_assert_eq!(ours(&serde_json::to_string_pretty(&value).unwrap()), Some(value));
        }

        #[test]
        fn any_text_is_read_or_refused_as_by_theirs(
            text in "([\\[\\]{}:,\" \\\\/a]|-|0|1|9|\\.|e|E|\\+|true|null|\"a\":|\"é\"|\\\\u00e9|\\\\n|\n|😀){0,24}"
        ) {
            let (ours, theirs) = (ours(&text), theirs(&text));
            prop_assert_eq!(ours.is_some(), theirs.is_some());
            // Floats of many digits may differ in the last.
            if !text.contains(['.', 'e', 'E']) {
                prop_assert_eq!(ours, theirs);
            }
        }

        #[test]
        fn any_number_is_near_theirs(number in any::<f64>().prop_filter("finite", |n| n.is_finite())) {
            let read = ours(&Value::from(number).to_string()).and_then(|v| v.as_f64()).unwrap();
            prop_assert!(read == number || ((read - number) / number).abs() < 1e-13 || number.abs() < 1e-300, "{read} {number}");
        }
    }
}
