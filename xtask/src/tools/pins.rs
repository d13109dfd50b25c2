//! The versions of the tools, and the SHA-256 of their release archives: the one place to change
//! when a tool moves to another version.
//!
//! A checksum is the one that the tool's authors publish beside the archive. A platform without an
//! entry builds the tool from its sources.

use std::env::consts::{ARCH, OS};

/// A release of a tool on GitHub.
pub struct Release {
    /// The version.
    pub version: &'static str,
    /// The folder of the archives, below the host.
    pub folder: &'static str,
    /// The archives, a line for each platform: its system and its processor, as in [`std::env::consts`], the archive's name
    /// without `.tar.gz`, and its SHA-256.
    pub archives: &'static str,
    /// The programs that are taken out of an archive.
    pub programs: &'static [&'static str],
}

/// The archive for one platform.
pub struct Archive<'a> {
    /// The name without its ending.
    pub name: &'a str,
    /// The SHA-256 of the archive, in hexadecimal digits.
    pub sha256: &'a str,
}

impl Release {
    /// The archive for this machine, if one is pinned.
    pub fn archive(&self) -> Option<Archive<'static>> {
        self.archives.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            let is_here = words.next()? == OS && words.next()? == ARCH;
            let (name, sha256) = (words.next()?, words.next()?);
            is_here.then_some(Archive { name, sha256 })
        })
    }
}

/// Trunk. 0.22 needs a newer Rust than ours.
pub const TRUNK: Release = Release {
    version: "0.21.14",
    folder: "trunk-rs/trunk/releases/download/v0.21.14",
    programs: &["trunk"],
    archives: "\
        linux x86_64 trunk-x86_64-unknown-linux-gnu f2b4680cd239693a646a2795e4633c625328d7b2a044fbe749fa3a2fe9e7036b
        linux aarch64 trunk-aarch64-unknown-linux-gnu b1d8e60e454f7fc182d9a4d95d1506ffbae947d8ba90f8f6f02da93b60f980f9
        macos x86_64 trunk-x86_64-apple-darwin f1ba0e3bbe24e0ae219c6d22c33e24e2825c1608dd27c2556e323495110f1a95
        macos aarch64 trunk-aarch64-apple-darwin 764e299dd50d89442a4e96a236349f57961984b701e74d3dbdb39cd1c9f5101e",
};

/// wasm-bindgen's command-line tools. Their version must equal that of the crate in Cargo.lock.
pub const WASM_BINDGEN: Release = Release {
    version: "0.2.129",
    folder: "wasm-bindgen/wasm-bindgen/releases/download/0.2.129",
    programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
    archives: "\
        linux x86_64 wasm-bindgen-0.2.129-x86_64-unknown-linux-musl 82d12bb940e2d4e72e0d5605387fc1b8ca179044e012b620f0ce4e7440e8320e
        linux aarch64 wasm-bindgen-0.2.129-aarch64-unknown-linux-musl 2ed4351c35dd9440308bbb02767d47ea278efe851a52465300f3c94f5b6c2a87
        macos x86_64 wasm-bindgen-0.2.129-x86_64-apple-darwin 7e028879a68ec53dae14048b55cc5215f6df75b17a9c1426fac8fa086d3202fd
        macos aarch64 wasm-bindgen-0.2.129-aarch64-apple-darwin 81d4a23d56b3c3eb8187658329116d50e0b228a93b343825fb71f70179051cd1",
};

/// The version of cargo-about, which collects licences. Only a release needs it, so it is built.
pub const CARGO_ABOUT: &str = "0.9.3";

/// The version of cargo-deb, which makes the Debian package. It is built, for the same reason.
pub const CARGO_DEB: &str = "3.8.0";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wasm_bindgens_tools_are_pinned_at_the_version_of_the_crate() {
        let lock = std::fs::read_to_string(crate::place::root().join("Cargo.lock")).unwrap();
        assert_eq!(
            crate::tools::version_in(&lock, "wasm-bindgen").as_deref(),
            Some(WASM_BINDGEN.version),
            "pin the tools at the version of the crate, with the checksums of their archives"
        );
    }

    #[test]
    fn an_archive_is_of_its_version_and_has_a_whole_checksum() {
        for release in [&TRUNK, &WASM_BINDGEN] {
            assert!(release.folder.ends_with(release.version));
            for archive in release.archives.lines() {
                let words: Vec<&str> = archive.split_whitespace().collect();
                assert!(words[2].contains(words[1]), "{archive}");
                assert_eq!((words.len(), words[3].len()), (4, 64), "{archive}");
            }
        }
    }
}
