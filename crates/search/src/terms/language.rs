//! The languages whose words are known.

/// A language with stop words and a stemmer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    /// Also of texts that show no language: code, names, other languages.
    #[default]
    English,
    German,
    French,
    Spanish,
}

/// The languages, the likeliest first: of equals the first is taken.
pub(crate) const LANGUAGES: [Language; 4] = [
    Language::English,
    Language::German,
    Language::French,
    Language::Spanish,
];
