//! Counts with their nouns: "1 message", "1,024 tokens".

use crate::{language, t};

/// A number in groups of three digits, as the language writes them.
#[must_use]
pub fn grouped(n: u64) -> String {
    let group = language().group;
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(group);
        }
        out.push(digit);
    }
    out
}

/// A decimal number, as a calculation returns it, with its whole part in groups of three digits; `None` for any other
/// text.
#[must_use]
pub fn grouped_decimal(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    let (whole, part) = match digits.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (digits, None),
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !part.is_none_or(is_number) {
        return None;
    }
    let whole = grouped(whole.parse().ok()?);
    let decimal = language().decimal;
    let part = part.map(|part| format!("{decimal}{part}"));
    Some(format!("{sign}{whole}{}", part.unwrap_or_default()))
}

/// A number of tenths as a number with one digit after the decimal sign: `1.7`, `1,7`.
#[must_use]
pub fn tenths(n: u64) -> String {
    format!("{}{}{}", grouped(n / 10), language().decimal, n % 10)
}

/// A number with one digit after the decimal sign.
#[must_use]
pub fn one_decimal(n: f64) -> String {
    tenths((n * 10.0).round() as u64)
}

/// A share in per cent: `12%`, `12 %`.
#[must_use]
pub fn percent(n: u64) -> String {
    // Of these languages English alone writes no space.
    let space = if language().code == "en" { "" } else { " " };
    format!("{n}{space}%")
}

/// A function for each noun that is counted, under the key of the same name.
macro_rules! counts {
    ($($noun:ident)*) => {$(
        #[doc = concat!("So many ", stringify!($noun), ".")]
        #[must_use]
        pub fn $noun(n: usize) -> String {
            t!(count.$noun, count = n as u64, number = grouped(n as u64))
        }
    )*};
}

counts! {
    answers chats earlier_messages exchanges files folders images lines messages minutes models older_messages prompts questions
    records seconds tokens tools values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_part_of_a_decimal_number_is_grouped_and_no_other_text() {
        for (text, expected) in [
            ("50960.33", Some("50,960.33")),
            ("-7006652", Some("-7,006,652")),
            ("12", Some("12")),
            ("0.12345", Some("0.12345")),
            ("1e9", None),
            ("1.2.3", None),
            ("", None),
            ("99999999999999999999999", None),
            ("12 apples", None),
        ] {
            assert_eq!(grouped_decimal(text).as_deref(), expected, "{text}");
        }
    }
}
