//! The size of the page's text. `boot.js` applies the choice before the first paint.

use codee::string::FromToStringCodec;
use leptos::prelude::*;
use leptos_use_storage::use_local_storage;
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

impl fmt::Display for TextSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for TextSize {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let mut sizes = Self::ALL.into_iter();
        sizes.find(|size| size.as_str() == name).ok_or(())
    }
}

/// The size of the page's text: the stored one, and what is chosen.
#[derive(Clone, Copy)]
pub struct ChosenTextSize {
    /// The size.
    pub size: Signal<TextSize>,
    /// Chooses and stores a size.
    pub choose: WriteSignal<TextSize>,
}

impl ChosenTextSize {
    /// Provides the stored size as a context.
    #[must_use]
    pub fn provide() -> Self {
        // The raw name, because `boot.js` reads it; if it cannot be stored, the person has to choose again.
        let (size, choose, _) = use_local_storage::<_, FromToStringCodec>("sash:text-size");
        let chosen = Self { size, choose };
        provide_context(chosen);
        chosen
    }

    /// The value of the root element's `data-text-size`, from which the styles take the size.
    #[must_use]
    pub fn attribute(self) -> Option<&'static str> {
        let size = self.size.get();
        (size != TextSize::Normal).then(|| size.as_str())
    }
}
