//! The screen that is shown when the program has panicked: plain, and made by `boot.js`, which still works.

use web_sys::{CustomEvent, CustomEventInit};

/// Shows it. `why` is what the panic said.
pub fn show(why: &str) {
    super::showing::keep();
    let init = CustomEventInit::new();
    init.set_detail(&why.into());
    let event = CustomEvent::new_with_event_init_dict("sash:crash", &init);
    if let (Some(window), Ok(event)) = (web_sys::window(), event) {
        // Nothing is left to be done about an error here; the console has the panic.
        let _ = window.dispatch_event(&event);
    }
}
