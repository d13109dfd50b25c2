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

/// Error: the text is not an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoId;

impl fmt::Display for NoId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not 16 hexadecimal digits")
    }
}

impl std::error::Error for NoId {}

impl FromStr for Id {
    type Err = NoId;

    fn from_str(text: &str) -> Result<Self, NoId> {
        let hex = text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if !hex {
            return Err(NoId);
        }
        u64::from_str_radix(text, 16).map(Id).map_err(|_| NoId)
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
            assert_eq!(wrong.parse::<Id>(), Err(NoId), "{wrong}");
        }
    }
}
