//! The browser's half, built by Trunk. It is built again only when an input changed.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::{Result, compress, exec, names, place, tools};

/// How the client is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// For a clone, into `dist/`: neither shrunk nor compressed.
    Development,
    /// For a program that is handed on, into `dist-release/`: shrunk by wasm-opt and compressed.
    Release,
}

/// The inputs of the client, [`SERVER_ONLY`] left out.
const INPUTS: [&str; 13] = [
    "src",
    "crates",
    "kernel",
    "rooms",
    "style",
    "public",
    "index.html",
    "Trunk.toml",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    ".cargo/config.toml",
    "xtask/src/names.rs",
];

/// What is below the inputs and no part of the client.
const SERVER_ONLY: [&str; 7] = [
    "src/program",
    "kernel/server/src",
    "crates/child",
    "crates/door",
    "crates/ollama-double",
    "rooms/linger",
    "rooms/mcp",
];

/// What is below [`SERVER_ONLY`] and part of the client all the same.
const CALLS: [&str; 2] = ["kernel/server/src/api", "kernel/server/src/lib.rs"];

impl Build {
    /// Trunk's output folder.
    pub fn folder(self) -> PathBuf {
        match self {
            Self::Development => place::root().join("dist"),
            Self::Release => place::root().join("dist-release"),
        }
    }

    fn stamp(self) -> PathBuf {
        place::scratch().join(match self {
            Self::Development => "client.stamp",
            Self::Release => "client-release.stamp",
        })
    }
}

/// Builds the client unless it is up to date.
pub fn build(build: Build) -> Result {
    let wanted = inputs()?;
    let stamp = build.stamp();
    let told = || outputs(build).map(|outputs| format!("{wanted:016x} {outputs:016x}"));
    if let (Ok(old), Ok(now)) = (fs::read_to_string(&stamp), told())
        && old == now
    {
        return Ok(());
    }
    tools::client_tools()?;
    println!("Building the page (about two minutes the first time)…");
    let since = Instant::now();
    let mut trunk = exec::command(place::tools().join("bin").join(place::program("trunk")));
    trunk
        // Hide Trunk's warnings, such as the one that its minifier cannot parse the newest
        // JavaScript syntax and leaves that file unminified; errors and cargo's output remain.
        .args(["--log=error", "build", "--locked", "--dist"])
        .arg(build.folder())
        // Everything needed is installed, so Trunk must not access the network.
        .env("TRUNK_OFFLINE", "true")
        .env("TRUNK_SKIP_VERSION_CHECK", "true")
        // Trunk reads the variable as a boolean flag of its own and rejects the common value
        // "1".
        .env_remove("NO_COLOR");
    if build == Build::Release {
        trunk.arg("--release");
    }
    exec::run(&mut trunk)?;
    names::folder(&build.folder())?;
    if build == Build::Release {
        compress::folder(&build.folder())?;
    }
    println!("The page is built ({}).", exec::seconds(since));
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
    let is_below = |file: &Path, paths: &[&str]| {
        let mut paths = paths.iter().map(|path| root.join(path));
        paths.any(|path| file.starts_with(path))
    };
    all.retain(|file| is_below(file, &CALLS) || !is_below(file, &SERVER_ONLY));
    let mut hasher = DefaultHasher::new();
    hasher.write(tools::TRUNK.as_bytes());
    hasher.write(&fs::read(place::end2end().join("package-lock.json")).unwrap_or_default());
    hash(all, true, &mut hasher)?;
    Ok(hasher.finish())
}

/// A hash of the names and sizes of the files, because `trunk serve` may replace or remove the build.
fn outputs(build: Build) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    hash(compress::files(&build.folder())?, false, &mut hasher)?;
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
