//! The exact tokens of the next request, from engines that count without reading.

mod call;
mod store;

#[cfg(not(target_arch = "wasm32"))]
mod server;

#[cfg(test)]
mod tests;

pub use store::count_next_request;

/// Has the page follow its next request.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    count_next_request(kernel, sash_stores::edges::Call::new(call::count));
}

/// Adds the server function.
#[cfg(not(target_arch = "wasm32"))]
pub fn calls(calls: &mut sash_server::calls::Calls) {
    calls.add::<call::Count>(sash_server::calls::Rules::UNSENT_PROMPT);
}
