//! Two small mains: the browser's and the server's.

#[cfg(target_arch = "wasm32")]
fn main() {
    console_error_panic_hook::set_once();
    sash::ui::mount();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    sash::server::main()
}
