//! The page: one folder for each room, one file for each component, the [`session`] they share, and
//! [`dom`], which makes elements. Nothing outside names anything in here but [`mount`].

mod app;
mod call;
pub mod code;
mod compare;
mod composer;
mod dom;
pub mod formula;
mod header;
mod library;
pub mod markdown;
mod ollama;
mod panel;
mod parts;
mod session;
mod sidebar;
mod transcript;

/// Puts the page into the document.
pub fn mount() {
    crate::browser::token::take();
    leptos::mount::mount_to_body(app::App);
}
