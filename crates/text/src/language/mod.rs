//! Languages of texts, and the words that name no subject.

mod detect;
mod stop;

pub use detect::detect_language;
pub use stop::is_stop_word;

/// A language whose stop words are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
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
pub const LANGUAGES: [Language; 4] = [
    Language::English,
    Language::German,
    Language::French,
    Language::Spanish,
];
