//! Calls the person back to a page that they do not see.

use sash_browser_kit::notification;
use sash_state::Alerts;

/// The notifications and the sound of this browser.
pub struct BrowserAlerts;

impl Alerts for BrowserAlerts {
    fn notify(&self, title: &str, body: &str, on_click: Box<dyn FnOnce()>) {
        notification::notify(title, body, on_click);
    }

    fn play_sound(&self) {
        notification::play_sound();
    }
}
