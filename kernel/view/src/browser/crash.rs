//! The screen after a panic of the program: plain, and shown by `boot.js`, which still works.

use sash_browser_kit::console::LogError;
use web_sys::{CustomEvent, CustomEventInit};

/// Shows the screen. `why` is the panic message.
pub fn show(why: &str) {
    super::showing::on_panic();
    let init = CustomEventInit::new();
    init.set_detail(&why.into());
    let event = CustomEvent::new_with_event_init_dict("sash:crash", &init);
    if let (Some(window), Ok(event)) = (web_sys::window(), event) {
        window.dispatch_event(&event).log_error();
    }
}
