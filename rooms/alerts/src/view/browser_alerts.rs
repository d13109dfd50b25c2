//! Calls the person back to a page that they do not see.

use crate::AlertDevice;
use sash_browser_kit::notification;

/// The notifications and the sound of this browser.
pub struct BrowserAlerts;

impl AlertDevice for BrowserAlerts {
    fn notify(&self, title: &str, body: &str, on_click: Box<dyn FnOnce()>) {
        notification::notify(title, body, on_click);
    }

    fn play_sound(&self) {
        notification::play_sound();
    }
}
