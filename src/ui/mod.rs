//! The components: one folder for each room of the page, one file for each component, and the
//! [`session`] they share. Nothing outside names anything in here but [`mount`].

mod app;
mod composer;
mod header;
mod markdown;
mod ollama;
mod parts;
mod session;
mod sidebar;
mod transcript;

/// Puts the page into the document.
pub fn mount() {
    crate::browser::token::take();
    leptos::mount::mount_to_body(app::App);
}
