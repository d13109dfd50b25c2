//! The release server holds the built client, `dist/`, so it is compiled anew when that has changed.
//!
//! The macro that embeds it (rust-embed's) tells cargo only of the files it found, and a new build has new
//! names. Development builds read `dist/` while they run, and the client itself does not hold it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name, value| std::env::var(name).is_ok_and(|v| v == value);
    if is("PROFILE", "release") && !is("CARGO_CFG_TARGET_ARCH", "wasm32") {
        println!("cargo:rerun-if-changed=dist");
    }
}
