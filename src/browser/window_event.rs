//! Listeners on the window.

use leptos::ev::EventDescriptor;
use leptos::prelude::window;
use leptos_use_event_listener::use_event_listener;

/// Listens on the window as long as the current owner lives.
pub fn use_window_event<E>(event: E, listener: impl FnMut(E::EventType) + 'static)
where
    E: EventDescriptor + 'static,
{
    // Calling the returned function would remove the listener before the owner ends.
    let _end = use_event_listener(window(), event, listener);
}
