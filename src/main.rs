//! Two small mains: the browser's and the server's.

#[cfg(target_arch = "wasm32")]
fn main() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        sash_view::browser::crash::show(&panic.to_string());
    }));
    wasm_bindgen_futures::spawn_local(sash::start::start());
}

/// The allocator of a Unix system keeps most of what large requests took; this one gives it back.
#[cfg(all(unix, not(target_arch = "wasm32"), feature = "jemalloc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    sash::program::main()
}
