//! Languages of texts, and the words that name no subject.

mod detect;
mod stop;

pub use detect::detect_language;
pub use stop::is_stop_word;

/// A language whose stop words are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextLanguage {
    /// Also of texts that show no language: code, names, other languages.
    #[default]
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
}

/// The languages, the likeliest first: of equals the first is taken.
pub const LANGUAGES: [TextLanguage; 4] = [
    TextLanguage::English,
    TextLanguage::German,
    TextLanguage::French,
    TextLanguage::Spanish,
];
