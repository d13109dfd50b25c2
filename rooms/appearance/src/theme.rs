//! The theme: light, dark, or the system's.

use crate::appearance::UnknownName;
use std::fmt;
use std::str::FromStr;

/// A theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The system's theme.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The key of localStorage.
    pub const KEY: &str = "sash:theme";

    /// The next theme in the cycle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        })
    }
}

impl FromStr for Theme {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        match name {
            "system" => Ok(Theme::System),
            "light" => Ok(Theme::Light),
            "dark" => Ok(Theme::Dark),
            _ => Err(UnknownName),
        }
    }
}
