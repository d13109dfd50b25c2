//! The release server embeds the built client, `dist-release/`, so the server is recompiled when that folder
//! changes.
//!
//! The embedding macro (rust-embed's) reports to cargo only the files it found, and a new build has
//! new file names. Development builds read `dist/` at run time, and the client itself does not
//! embed it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name, value| std::env::var(name).is_ok_and(|v| v == value);
    if is("PROFILE", "release") && !is("CARGO_CFG_TARGET_ARCH", "wasm32") {
        println!("cargo:rerun-if-changed=dist-release");
    }
}
