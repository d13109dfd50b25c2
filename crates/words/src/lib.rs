//! The page's texts: each stands once, in a file of `locales/en`, under a key that is checked when it is compiled.
//!
//! A file is a namespace and belongs to a room of the page or to a crate (`sidebar`, `composer`, `wire`). [`t!`] gives a
//! text; what it says of a number or a name is an argument:
//!
//! ```
//! use sash_words::t;
//!
//! assert_eq!(t!(count.messages, count = 2, number = "2"), "2 messages");
//! ```
//!
//! Stores and the crates without a view make sentences too, so there is no context to ask: [`locale`] is one function,
//! and a text is a string. It is the same for as long as a page lives; another language is another load of the page.

pub mod count;
mod language;

/// Made of `locales` by the build script.
#[allow(dead_code, missing_docs, unused_imports, clippy::all)]
mod keys {
    include!(concat!(env!("OUT_DIR"), "/i18n.rs"));
}

pub use keys::i18n::Locale;
pub use language::{LANGUAGES, Language, language, locale, set_language};
pub use leptos_i18n;

/// A text of the catalogue: `t!(namespace.key)` is a `&'static str`, `t!(namespace.key, name = value)` a `String`.
#[macro_export]
macro_rules! t {
    ($($arguments:tt)*) => {{
        use $crate::leptos_i18n;
        leptos_i18n::td_string!($crate::locale(), $($arguments)*)
    }};
}

#[cfg(test)]
mod tests {
    use crate::count::{grouped, messages, tenths};

    #[test]
    fn a_text_is_a_string_and_a_count_takes_its_form() {
        // A process speaks one language, so they follow each other in one test.
        for (code, close, one, two, number, fraction) in [
            (
                "en",
                "Close",
                "1 message",
                "2 messages",
                "1,234,567",
                "1,234.5",
            ),
            (
                "he",
                "סגירה",
                "הודעה אחת",
                "שתי הודעות",
                "1,234,567",
                "1,234.5",
            ),
            (
                "de",
                "Schließen",
                "1 Nachricht",
                "2 Nachrichten",
                "1.234.567",
                "1.234,5",
            ),
        ] {
            crate::set_language(code);
            assert_eq!(crate::language().code, code);
            let plain: &'static str = t!(common.close);
            assert_eq!(plain, close);
            assert_eq!([messages(1), messages(2)], [one, two]);
            assert_eq!([grouped(1_234_567), tenths(12_345)], [number, fraction]);
        }
        crate::set_language("tlh");
        assert_eq!(
            crate::language().code,
            "de",
            "an unknown language changes nothing"
        );
    }
}
