//! `cargo xtask dist`: builds a single file that contains everything.

use std::fs;
use std::path::Path;

use crate::{Result, bench, exec, place, server};

/// Copies the release server to `target/dist` and verifies that it runs in an empty folder.
pub fn dist() -> Result {
    let built = server::release()?.sash;
    let folder = place::scratch().join("dist");
    let program = folder.join(place::program("sash"));
    fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(&built, &program))
        .map_err(|e| format!("{} cannot be written: {e}", program.display()))?;
    let bytes = fs::metadata(&program).map_err(|e| e.to_string())?.len();

    check(&program)?;
    println!(
        "{} ({:.1} MB), which serves its page from an empty folder.",
        program.display(),
        bytes as f64 / 1e6
    );
    Ok(())
}

/// Verifies that a release runs in an empty folder, and serves its page.
pub fn check(program: &Path) -> Result {
    let empty = place::scratch().join("dist-check");
    fs::remove_dir_all(&empty).ok(); // The folder may not exist.
    fs::create_dir_all(&empty).map_err(|e| format!("{} cannot be made: {e}", empty.display()))?;
    exec::output(exec::command(program).arg("--version").current_dir(&empty))?;
    let server = bench::probe::Server::start(program, &empty)?;
    let page = server.get("/")?;
    if !page.contains("id=\"shell\"") && !page.contains("id=shell") {
        return Err("the program runs, but does not serve its page".into());
    }
    // Without compression, which the program holds most of them in.
    for name in bench::loaded(&page) {
        let file = server.get(&format!("/{name}"))?;
        if name.ends_with(".wasm") && !file.starts_with("\0asm") {
            return Err(format!("/{name} is no WebAssembly"));
        }
    }
    drop(server);
    fs::remove_dir_all(&empty).ok(); // A leftover folder is harmless.
    Ok(())
}
