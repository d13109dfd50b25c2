//! Notifications of the system, and the short sound that may go with them. leptos-use asks for the permission as soon as
//! its hook is used; here it is asked at the switch in the settings.

use crate::console::LogError;
use leptos::prelude::window;
use std::cell::RefCell;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AudioContext, Notification, NotificationOptions, NotificationPermission};

/// The tones of the sound: hertz, and when each begins, in seconds.
const TONES: [(f32, f64); 2] = [(660.0, 0.0), (880.0, 0.12)];
/// How long each tone lasts, in seconds.
const TONE_SECONDS: f64 = 0.18;
/// How loud they are, of 1.
const VOLUME: f32 = 0.08;

thread_local! {
    /// One for the page: browsers limit how many there may be.
    static AUDIO: RefCell<Option<AudioContext>> = const { RefCell::new(None) };
}

/// Whether the browser gives this page notifications and the wake lock: it does over HTTPS and on this machine.
#[must_use]
pub fn is_secure() -> bool {
    window().is_secure_context()
}

/// Asks for the permission to notify, unless it is given or denied. Returns whether it is given.
pub async fn request_permission() -> bool {
    if !is_secure() || !has_notifications() {
        return false;
    }
    if Notification::permission() == NotificationPermission::Default
        && let Ok(asked) = Notification::request_permission()
    {
        // Whatever it says: the permission is read anew.
        JsFuture::from(asked).await.ok();
    }
    Notification::permission() == NotificationPermission::Granted
}

/// Whether the browser has notifications at all.
fn has_notifications() -> bool {
    js_sys::Reflect::has(&window(), &JsValue::from_str("Notification")).unwrap_or(false)
}

/// Shows a notification, if the permission is given. A click brings the page to the front and calls `on_click`.
pub fn notify(title: &str, body: &str, on_click: Box<dyn FnOnce()>) {
    if !has_notifications() || Notification::permission() != NotificationPermission::Granted {
        return;
    }
    let options = NotificationOptions::new();
    options.set_body(body);
    options.set_icon("/icon.svg");
    // A later one of the page takes the place of this one.
    options.set_tag("sash");
    let Ok(notification) = Notification::new_with_options(title, &options) else {
        // Browsers on phones have them from service workers alone.
        return;
    };
    let shown = notification.clone();
    let clicked = Closure::once_into_js(move || {
        window().focus().log_error();
        shown.close();
        on_click();
    });
    notification.set_onclick(Some(clicked.unchecked_ref()));
}

/// Plays the sound. Silent in a page that the person has not used yet.
pub fn play_sound() {
    AUDIO.with_borrow_mut(|audio| {
        if audio.is_none() {
            *audio = AudioContext::new().ok();
        }
        if let Some(audio) = audio {
            play(audio).log_error();
        }
    });
}

fn play(audio: &AudioContext) -> Result<(), JsValue> {
    // A page in the background may have been put to sleep.
    let _resumed = audio.resume()?;
    for (hertz, after) in TONES {
        let (tone, gain) = (audio.create_oscillator()?, audio.create_gain()?);
        let begin = audio.current_time() + after;
        tone.frequency().set_value(hertz);
        gain.gain().set_value_at_time(VOLUME, begin)?;
        // Without a fade the end of a tone clicks.
        gain.gain()
            .exponential_ramp_to_value_at_time(0.001, begin + TONE_SECONDS)?;
        tone.connect_with_audio_node(&gain)?
            .connect_with_audio_node(&audio.destination())?;
        tone.start_with_when(begin)?;
        tone.stop_with_when(begin + TONE_SECONDS)?;
    }
    Ok(())
}
