//! The language of the page. `boot.js` chooses it before the first paint, of what the person chose and of the languages of
//! the browser, and writes it into the root element; here it is read, and another one chosen.

use sash_browser_kit::page;
use sash_view::browser::storage::{keep_if_room, local};
use sash_words::LANGUAGES;

/// The key of localStorage under which the chosen language is; without it the browser's languages decide.
const KEY: &str = "sash:language";

/// The value of the choice that leaves it to the browser.
pub const OF_BROWSER: &str = "browser";

/// Speaks the language of the root element from now on.
pub fn load() {
    let tag = page::language();
    sash_words::set_language(tag.split('-').next().unwrap_or_default());
}

/// The code of the chosen language, or [`OF_BROWSER`].
#[must_use]
pub fn chosen() -> String {
    let stored = local().and_then(|storage| storage.get_item(KEY).ok()?);
    let known = stored.filter(|code| LANGUAGES.iter().any(|language| language.code == code));
    known.unwrap_or_else(|| OF_BROWSER.to_owned())
}

/// Chooses a language, and loads the page anew: its texts are strings, which stay as they were made.
pub fn choose(code: &str) {
    keep_if_room(local(), KEY, (code != OF_BROWSER).then_some(code));
    page::reload();
}
