//! The languages whose words are known.

/// A language with stop words and a stemmer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TermLanguage {
    /// Also of texts that show no language: code, names, other languages.
    #[default]
    English,
    German,
    French,
    Spanish,
}

/// The languages, the likeliest first: of equals the first is taken.
pub(crate) const LANGUAGES: [TermLanguage; 4] = [
    TermLanguage::English,
    TermLanguage::German,
    TermLanguage::French,
    TermLanguage::Spanish,
];
