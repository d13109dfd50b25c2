//! Which Sash runs, what is new in it, and that a page is older than the program.
//!
//! [`About`] is the store; `view` has the section of the settings and the line above the transcript.

mod call;
mod program;
mod store;

#[cfg(not(target_arch = "wasm32"))]
mod server;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use program::{PROGRAM, Program};
#[cfg(not(target_arch = "wasm32"))]
pub use server::saying;
pub use store::About;
#[cfg(target_arch = "wasm32")]
pub use view::{ABOUT, AboutSection, UpdatedLine};

/// Gives the page the store. While `is_working` says that another room does something that a reload would end, none is
/// offered.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel, is_working: impl Fn() -> bool + Send + Sync + 'static) {
    let about = About::new(kernel, view::own_page(), is_working);
    leptos::prelude::provide_context(about);
}

/// Adds the server function.
#[cfg(not(target_arch = "wasm32"))]
pub fn calls(calls: &mut sash_server::calls::Calls) {
    calls.add::<call::Changelog>(sash_server::calls::Rules::NONE);
}
