//! The id by which a page finds its running answer at the server again.

use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

/// A random 128-bit id, written as 32 hexadecimal digits. Who has it can read the answer and stop it, so it must not be
/// guessed: an [`Id`](crate::Id) is shorter and stands in exports and addresses.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, SerializeDisplay, DeserializeFromStr,
)]
pub struct AnswerId(pub u128);

impl fmt::Display for AnswerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for AnswerId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let hex = text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let id = u128::from_str_radix(text, 16).ok().filter(|_| hex);
        id.map(AnswerId).ok_or("not 32 hexadecimal digits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_answers_have_one_spelling() {
        for value in [0, 1, u128::MAX] {
            let text = AnswerId(value).to_string();
            assert_eq!((text.len(), text.parse()), (32, Ok(AnswerId(value))));
        }
        for wrong in [
            "",
            "1",
            "0000000000000001",
            "0000000000000000000000000000000G",
            "000000000000000000000000000000FF",
            "+0000000000000000000000000000001",
            "000000000000000000000000000000001",
            "éééééééééééééééé",
        ] {
            assert!(wrong.parse::<AnswerId>().is_err(), "{wrong}");
        }
    }
}
