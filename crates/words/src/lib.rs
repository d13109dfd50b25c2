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
