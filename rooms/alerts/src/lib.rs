//! Alerts for answers that end unseen: tab title, icon dot, notification, sound; and the wake lock.
//!
//! [`Alerts`] is the store; notification and sound stand behind the trait [`AlertDevice`]. `view` has the settings and the
//! notifications of the browser.

mod settings;
mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use settings::{AlertSettings, AlertSettingsStoreFields};
pub use store::{AlertDevice, Alerts};
#[cfg(target_arch = "wasm32")]
pub use view::{AlertsSection, NOTIFY, SOUND, WAKE_LOCK};

/// Gives the page the store, over the notifications and the sound of the browser. The icon and the screen follow it.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    use leptos::prelude::*;
    use sash_browser_kit::{favicon::use_icon_dot, page, wake_lock::use_wake_lock};

    let alerts = Alerts::new(kernel, std::rc::Rc::new(view::BrowserAlerts));
    provide_context(alerts);
    page::on_seen(move || alerts.record_seen());
    use_icon_dot(Signal::derive(move || alerts.has_unseen()));
    use_wake_lock(Signal::derive(move || {
        alerts.settings.current.wake_lock().get() && kernel.answers().is_any_busy()
    }));
}
