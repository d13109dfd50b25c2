//! Listeners on the window.

use leptos::ev::EventDescriptor;
use leptos::prelude::window;
use leptos_use_event_listener::use_event_listener;

/// Listens on the window for as long as the current owner lives.
pub fn use_window_event<E>(event: E, listener: impl FnMut(E::EventType) + 'static)
where
    E: EventDescriptor + 'static,
{
    // What is returned would end it before its owner does.
    let _end = use_event_listener(window(), event, listener);
}
