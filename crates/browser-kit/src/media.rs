//! Media queries of CSS.

use leptos::prelude::window;

/// Whether a media query of CSS holds now.
pub(crate) fn matches_media(query: &str) -> bool {
    let query = window().match_media(query);
    query.is_ok_and(|query| query.is_some_and(|query| query.matches()))
}
