//! The size of the page's text.

use crate::appearance::UnknownName;
use std::fmt;
use std::str::FromStr;

/// A size of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextSize {
    /// Nine tenths of the browser's size.
    Small,
    /// The browser's size.
    #[default]
    Normal,
    /// An eighth more.
    Large,
    /// A quarter more.
    Larger,
}

impl TextSize {
    /// The key of localStorage.
    pub const KEY: &str = "sash:text-size";
}

impl fmt::Display for TextSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Small => "small",
            Self::Normal => "normal",
            Self::Large => "large",
            Self::Larger => "larger",
        })
    }
}

impl FromStr for TextSize {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        match name {
            "small" => Ok(Self::Small),
            "normal" => Ok(Self::Normal),
            "large" => Ok(Self::Large),
            "larger" => Ok(Self::Larger),
            _ => Err(UnknownName),
        }
    }
}
