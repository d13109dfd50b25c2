//! The switches of alerts, and those of this browser.

use crate::{AlertDevice, AlertSettingsStoreFields, Alerts};
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_browser_kit::notification::{self, is_secure};
use sash_view::settings::Setting;
use sash_words::t;

/// The switch of the notification.
pub const NOTIFY: Setting = Setting {
    id: "setting-notify",
    words: || t!(alerts.notify_when_ready),
};

/// The switch of the sound.
pub const SOUND: Setting = Setting {
    id: "setting-sound",
    words: || t!(alerts.play_sound),
};

/// The switch of the screen that stays on.
pub const WAKE_LOCK: Setting = Setting {
    id: "setting-wake-lock",
    words: || t!(alerts.keep_screen_on),
};

/// Notification, sound, and the screen that stays on; all of them are off by default.
#[component]
pub fn AlertsSection() -> impl IntoView {
    let settings = Alerts::expect().settings;
    let is_denied = RwSignal::new(false);
    let set_notify = move |on: bool| {
        is_denied.set(false);
        if !on {
            return settings.change(|settings| settings.notify = false);
        }
        spawn_local(async move {
            let is_allowed = notification::request_permission().await;
            settings.change(|settings| settings.notify = is_allowed);
            // The box shows what is stored, also where that did not change.
            settings.current.notify().notify();
            is_denied.set(!is_allowed);
        });
    };
    let set_sound = move |on: bool| {
        settings.change(|settings| settings.sound = on);
        if on {
            notification::play_sound();
        }
    };

    view! {
        <section aria-labelledby="settings-notices">
            <h3 id="settings-notices">{t!(alerts.notices)}</h3>
            <AlertSwitch
                setting=NOTIFY
                needs_security=true
                on=settings.current.notify()
                on_change=set_notify
            />
            <p role="status" class="hint-line">
                {move || is_denied.get().then_some(t!(alerts.blocked_by_browser))}
            </p>
            <AlertSwitch setting=SOUND on=settings.current.sound() on_change=set_sound />
            <AlertSwitch
                setting=WAKE_LOCK
                needs_security=true
                on=settings.current.wake_lock()
                on_change=move |on| settings.change(|settings| settings.wake_lock = on)
            />
            {(!is_secure())
                .then(|| {
                    view! {
                        <p id="notices-insecure" class="hint-line">
                            {t!(alerts.needs_https)}
                        </p>
                    }
                })}
        </section>
    }
}

/// A switch, which is off and disabled where the browser does not give the page what it needs.
#[component]
fn AlertSwitch(
    /// The setting.
    setting: Setting,
    /// Whether browsers give it only to pages over HTTPS or of this machine.
    #[prop(optional)]
    needs_security: bool,
    /// Whether it is on.
    #[prop(into)]
    on: Signal<bool>,
    /// Called with what the person chooses.
    on_change: impl Fn(bool) + 'static,
) -> impl IntoView {
    let is_missing = needs_security && !is_secure();

    view! {
        <label class="setting-switch">
            <input
                type="checkbox"
                id=setting.id
                disabled=is_missing
                aria-describedby=is_missing.then_some("notices-insecure")
                prop:checked=move || on.get() && !is_missing
                on:change=move |event| on_change(event_target_checked(&event))
            />
            <span>{(setting.words)()}</span>
        </label>
    }
}

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
