//! Hooks for what a page does beside the answers that it shows.

use std::sync::OnceLock;
use web_sys::Element;

/// A listener to blocks of code.
type BlockListener = dyn Fn(&Element) + Send + Sync;

/// What the page is asked, and what it is told of the answers that are being built: one that blocks the browser or ends
/// the program would do so at each start, so a page notes which one it was.
pub struct PageHooks {
    /// The name of the chat whose answers are shown where the current owner is: `data-chat` of their elements.
    pub chat: fn() -> String,
    /// Whether the answers of the chat with that name are folded behind a button.
    pub is_folded: fn(&str) -> bool,
    /// A long answer begins in this element.
    pub begins: fn(&Element),
    /// The answer in this element is being built from now on; `None`: no other is.
    pub builds: fn(Option<&Element>),
    /// All answers have been painted.
    pub are_shown: fn(),
    /// A block of code is finished and in the page: it may be coloured.
    pub code_is_finished: Option<Box<BlockListener>>,
}

static HOOKS: OnceLock<PageHooks> = OnceLock::new();

/// A page that does nothing.
static NONE: PageHooks = PageHooks {
    chat: String::new,
    is_folded: |_| false,
    begins: |_| (),
    builds: |_| (),
    are_shown: || (),
    code_is_finished: None,
};

/// Takes the hooks of the page, the first time.
pub(crate) fn set(hooks: PageHooks) {
    HOOKS.get_or_init(|| hooks);
}

/// The hooks of the page.
pub(crate) fn get() -> &'static PageHooks {
    HOOKS.get().unwrap_or(&NONE)
}
