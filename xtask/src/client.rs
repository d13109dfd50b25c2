//! The browser's half: Trunk's release build, compressed. It is rebuilt only when an input changed.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;
use std::time::Instant;

use crate::{Result, compress, exec, names, place, tools};

/// The inputs of the client. `src` contains `src/server`, which is not part of the client: see
/// [`inputs`].
const INPUTS: [&str; 12] = [
    "src",
    "crates",
    "style",
    "public",
    "index.html",
    "Trunk.toml",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    ".cargo/config.toml",
    "xtask/src/names.rs",
    "xtask/styles",
];

/// Builds the client into `dist/` unless it is up to date.
pub fn build() -> Result {
    let wanted = inputs()?;
    let stamp = place::scratch().join("client.stamp");
    let told = || outputs().map(|outputs| format!("{wanted:016x} {outputs:016x}"));
    if let (Ok(old), Ok(now)) = (fs::read_to_string(&stamp), told())
        && old == now
    {
        return Ok(());
    }
    tools::client_tools()?;
    println!("Building the client, a minute or two the first time…");
    let since = Instant::now();
    exec::run(
        exec::command(place::tools().join("bin").join(place::program("trunk")))
            // Hide Trunk's warnings, such as the one that its minifier cannot parse the newest
            // JavaScript syntax and leaves that file unminified; errors and cargo's output remain.
            .args(["--log=error", "build", "--release", "--locked"])
            // Everything needed is installed, so Trunk must not access the network.
            .env("TRUNK_OFFLINE", "true")
            .env("TRUNK_SKIP_VERSION_CHECK", "true")
            // Trunk reads the variable as a boolean flag of its own and rejects the common value
            // "1".
            .env_remove("NO_COLOR"),
    )?;
    names::folder(&place::dist())?;
    compress::folder(&place::dist())?;
    println!("The client is built ({}).", exec::seconds(since));
    fs::write(&stamp, told()?).map_err(|e| format!("{} cannot be written: {e}", stamp.display()))
}

/// A hash of all inputs of the client, including the versions of the tools.
fn inputs() -> Result<u64> {
    let root = place::root();
    let mut all = Vec::new();
    for name in INPUTS {
        let path = root.join(name);
        match path.is_dir() {
            true => all.extend(compress::files(&path)?),
            false => all.push(path),
        }
    }
    all.retain(|file| {
        ["src/server", "crates/ollama-double"]
            .iter()
            .all(|folder| !file.starts_with(root.join(folder)))
    });
    let mut hasher = DefaultHasher::new();
    hasher.write(tools::TRUNK.as_bytes());
    hasher.write(&fs::read(place::end2end().join("package-lock.json")).unwrap_or_default());
    hash(all, true, &mut hasher)?;
    Ok(hasher.finish())
}

/// A hash of the names and sizes in `dist/`, because `trunk serve` may replace or remove the build.
fn outputs() -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    hash(compress::files(&place::dist())?, false, &mut hasher)?;
    Ok(hasher.finish())
}

fn hash(files: Vec<PathBuf>, contents: bool, hasher: &mut DefaultHasher) -> Result {
    for file in files {
        let unreadable = |e: std::io::Error| format!("{} is not readable: {e}", file.display());
        hasher.write(file.as_os_str().as_encoded_bytes());
        if contents {
            hasher.write(&fs::read(&file).map_err(unreadable)?);
        } else {
            hasher.write_u64(fs::metadata(&file).map_err(unreadable)?.len());
        }
    }
    Ok(())
}
