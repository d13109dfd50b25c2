//! What happens to the page as a whole. The listeners live as long as the owner they are made in.

use crate::browser::keys::is_text_field;
use crate::browser::window_event::use_window_event;
use leptos::ev;
use leptos::prelude::*;
use std::rc::Rc;
use std::time::Duration;

/// Calls back when the page may be about to go: the last chance to write. Not `beforeunload`, which
/// does not come on phones.
pub fn on_leaving(callback: impl Fn() + 'static) {
    let callback = Rc::new(callback);
    let hidden = Rc::clone(&callback);
    use_window_event(ev::pagehide, move |_| callback());
    use_window_event(ev::visibilitychange, move |_| {
        if document().hidden() {
            hidden();
        }
    });
}

/// Calls back when the person comes back to the page.
pub fn on_return(callback: impl Fn() + 'static) {
    use_window_event(ev::focus, move |_| callback());
}

/// Calls back at Ctrl+Z or Cmd+Z, unless it is a text field's; tells the browser if something was undone.
pub fn on_undo(undo: impl Fn() -> bool + 'static) {
    use_window_event(ev::keydown, move |event| {
        let key = event.key().eq_ignore_ascii_case("z")
            && (event.ctrl_key() || event.meta_key())
            && !event.shift_key()
            && !event.alt_key();
        if key && !event.default_prevented() && !is_text_field(event.target()) && undo() {
            event.prevent_default();
        }
    });
}

/// Calls back at Ctrl+K or Cmd+K.
pub fn on_search_key(search: impl Fn() + 'static) {
    use_window_event(ev::keydown, move |event| {
        // With Caps Lock on, the key is "K".
        let key = event.key().eq_ignore_ascii_case("k") && (event.ctrl_key() || event.meta_key());
        if key && !event.shift_key() && !event.alt_key() {
            event.prevent_default();
            search();
        }
    });
}

/// Begins anew once another tab has deleted everything; `there`: while it is still at it. Nothing of what was deleted may
/// stay on the screen either.
pub fn follow_deletion(there: bool) {
    /// How long another tab may take to delete everything.
    const DELETION_TIMEOUT: Duration = Duration::from_secs(10);
    let begin_anew = || {
        crate::browser::storage::forget_tab();
        super::reload();
    };
    match there {
        // Should the tab that deletes be closed before it is done, the next start finishes it.
        true => set_timeout(begin_anew, DELETION_TIMEOUT),
        false => begin_anew(),
    }
}
