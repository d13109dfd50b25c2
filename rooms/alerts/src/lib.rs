//! Alerts for answers that end unseen: tab title, icon dot, notification, sound; and the wake lock.
//!
//! [`AnswerNotices`] is the store; notification and sound stand behind the trait [`Alerts`]. `view` has the components and the
//! notifications of the browser.

mod settings;
mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use settings::{NoticeSettings, NoticeSettingsStoreFields};
pub use store::{Alerts, AnswerNotices};
#[cfg(target_arch = "wasm32")]
pub use view::{NOTIFY, NoticesSection, PageTitle, SOUND, WAKE_LOCK};

/// Gives the page the store, over the notifications and the sound of the browser. The icon and the screen follow it.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    use leptos::prelude::*;
    use sash_browser_kit::{favicon::use_icon_dot, page, wake_lock::use_wake_lock};

    // `PageTitle` writes into it.
    leptos_meta::provide_meta_context();
    let notices = AnswerNotices::new(kernel, std::rc::Rc::new(view::BrowserAlerts));
    provide_context(notices);
    page::on_seen(move || notices.record_seen());
    use_icon_dot(Signal::derive(move || notices.has_unseen()));
    use_wake_lock(Signal::derive(move || {
        notices.settings.current.wake_lock().get() && kernel.answers().is_any_busy()
    }));
}
