//! The page's texts: each stands once, in a file of `locales/en` or of a room's `words`, under a key that is checked when it is compiled.
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
pub mod names;

pub use language::{LANGUAGES, Language, language, locale, set_language};
pub use leptos_i18n;
pub use names::{Argument, in_one_line};
pub use sash_catalogue::i18n::Locale;

/// A text of the catalogue: `t!(namespace.key)` is a `&'static str`, `t!(namespace.key, name = value)` a `String`. A value
/// that is a text is shown as a name within a sentence ([`names`]).
#[macro_export]
macro_rules! t {
    ($namespace:ident . $key:ident $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::plain_t!($namespace.$key $(, $name = $crate::Argument::shown($value))*)
    };
}

/// The same with values as they are, for what is stored, or copied into a file: nobody looks for a name in there that has
/// other characters than the person gave it.
#[macro_export]
macro_rules! plain_t {
    ($($arguments:tt)*) => {{
        use $crate::leptos_i18n;
        leptos_i18n::td_string!($crate::locale(), $($arguments)*)
    }};
}
