//! The size of the page's text. `boot.js` applies the choice before the first paint.

use super::appearance;

const KEY: &str = "sash:text-size";

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
    /// All sizes, the smallest first.
    pub const ALL: [Self; 4] = [Self::Small, Self::Normal, Self::Large, Self::Larger];

    /// The name of the size.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Normal => "normal",
            Self::Large => "large",
            Self::Larger => "larger",
        }
    }
}

/// The stored size.
#[must_use]
pub fn stored() -> TextSize {
    let stored = appearance::stored(KEY);
    let mut sizes = TextSize::ALL.into_iter();
    sizes
        .find(|size| stored.as_deref() == Some(size.as_str()))
        .unwrap_or_default()
}

/// Applies a size and stores it.
pub fn apply(size: TextSize) {
    let chosen = Some(size.as_str()).filter(|_| size != TextSize::Normal);
    appearance::apply("data-text-size", KEY, chosen);
}
