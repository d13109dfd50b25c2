//! Ids of chats and messages: random, never reused, the same in every record.

use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

/// A random 64-bit id, written as 16 hexadecimal digits.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, SerializeDisplay, DeserializeFromStr,
)]
pub struct Id(pub u64);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Id {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let hex = text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let id = u64::from_str_radix(text, 16).ok().filter(|_| hex);
        id.map(Id).ok_or("not 16 hexadecimal digits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_one_spelling() {
        for value in [0, 1, u64::MAX] {
            assert_eq!(Id(value).to_string().parse(), Ok(Id(value)));
        }
        for wrong in [
            "",
            "1",
            "000000000000000G",
            "00000000000000FF",
            "+000000000000001",
            "00000000000000000",
        ] {
            assert!(wrong.parse::<Id>().is_err(), "{wrong}");
        }
    }
}
