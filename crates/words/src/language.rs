//! The languages, and the one that is spoken.

use crate::Locale;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// Its texts.
    pub locale: Locale,
    /// Its code, as `lang` has it.
    pub code: &'static str,
    /// Its name in itself.
    pub name: &'static str,
    /// The direction in which it is written, as `dir` has it.
    pub direction: &'static str,
    /// What stands between groups of three digits.
    pub group: char,
    /// What stands before the fraction of a number.
    pub decimal: char,
}

/// All of them. The first one is spoken where nothing else was chosen, so by the server, too.
pub const LANGUAGES: [Language; 3] = [
    Language {
        locale: Locale::en,
        code: "en",
        name: "English",
        direction: "ltr",
        group: ',',
        decimal: '.',
    },
    Language {
        locale: Locale::de,
        code: "de",
        name: "Deutsch",
        direction: "ltr",
        group: '.',
        decimal: ',',
    },
    Language {
        locale: Locale::he,
        code: "he",
        name: "עברית",
        direction: "rtl",
        group: ',',
        decimal: '.',
    },
];

/// The place of the spoken language in the list.
static SPOKEN: AtomicUsize = AtomicUsize::new(0);

/// The language that is spoken.
#[must_use]
pub fn language() -> Language {
    let spoken = LANGUAGES.get(SPOKEN.load(Ordering::Relaxed));
    spoken.copied().unwrap_or(LANGUAGES[0])
}

/// The texts of the language that is spoken.
#[must_use]
pub fn locale() -> Locale {
    language().locale
}

/// Speaks the language of a code from now on; of an unknown one nothing changes. Texts are strings, which stay as they are:
/// this is called once, before the first one is made.
pub fn set_language(code: &str) {
    if let Some(place) = LANGUAGES.iter().position(|known| known.code == code) {
        SPOKEN.store(place, Ordering::Relaxed);
    }
}
