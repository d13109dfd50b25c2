//! The theme and the size of text.

use crate::appearance::StoredChoice;

/// A theme.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// The system's theme.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl StoredChoice for Theme {
    const KEY: &str = "sash:theme";
    const ALL: &[Self] = &[Self::System, Self::Light, Self::Dark];

    fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl Theme {
    /// The next theme in the cycle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}

/// A size of text.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
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

impl StoredChoice for TextSize {
    const KEY: &str = "sash:text-size";
    const ALL: &[Self] = &[Self::Small, Self::Normal, Self::Large, Self::Larger];

    fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Normal => "normal",
            Self::Large => "large",
            Self::Larger => "larger",
        }
    }
}
