//! What is packed for: a system and a processor.

use std::env::consts::{ARCH, OS};

use crate::Result;

/// The targets of a release: those of the workflow's matrix and of `about.toml`.
pub const RELEASED: [&str; 5] = [
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-msvc",
];

/// A system and a processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    triple: String,
    system: System,
    processor: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    Linux,
    MacOs,
    Windows,
}

impl Target {
    /// The target of Rust's name for it.
    ///
    /// # Errors
    /// There are no archives for it. One that needs the libc of the machine that built it is no target: it would not start
    /// on an older system.
    pub fn parse(triple: &str) -> Result<Self> {
        let (processor, system) = triple.split_once('-').unwrap_or((triple, ""));
        let system = match system {
            "unknown-linux-musl" => System::Linux,
            "apple-darwin" => System::MacOs,
            _ => System::Windows,
        };
        match RELEASED.contains(&triple) {
            true => Ok(Self {
                triple: triple.to_owned(),
                system,
                processor: processor.to_owned(),
            }),
            false => Err(format!(
                "nothing is packed for {triple:?}; there are {}",
                RELEASED.join(", ")
            )),
        }
    }

    /// The target of this machine.
    pub fn of_this_machine() -> Result<Self> {
        Self::parse(&match OS {
            "linux" => format!("{ARCH}-unknown-linux-musl"),
            "macos" => format!("{ARCH}-apple-darwin"),
            "windows" => format!("{ARCH}-pc-windows-msvc"),
            other => format!("{ARCH}-{other}"),
        })
    }

    /// Rust's name of it.
    pub fn triple(&self) -> &str {
        &self.triple
    }

    /// The name of its archive, with the words of `uname -s` and `uname -m` there, so that one line of shell finds it.
    pub fn archive(&self) -> String {
        let (system, ending) = match self.system {
            System::Linux => ("Linux", "tar.gz"),
            System::MacOs => ("Darwin", "tar.gz"),
            System::Windows => ("Windows", "zip"),
        };
        let processor = match (self.system, self.processor.as_str()) {
            (System::MacOs, "aarch64") => "arm64",
            (_, other) => other,
        };
        format!("sash-{system}-{processor}.{ending}")
    }

    /// The file name of a program there.
    pub fn program(&self, name: &str) -> String {
        match self.system {
            System::Windows => format!("{name}.exe"),
            _ => name.to_owned(),
        }
    }

    /// The folders below `packaging/` whose files belong to its archive, each with its path there. A container is built in
    /// the folder of the program.
    pub fn packaging(&self) -> &'static [(&'static str, &'static str)] {
        match self.system {
            System::Linux => &[("systemd", "systemd/"), ("container", "")],
            System::MacOs => &[("launchd", "")],
            System::Windows => &[],
        }
    }

    /// The file name of the Debian package of a version, if one is made. It has the version as Cargo writes it: for a
    /// pre-release Debian writes `~`, for which GitHub puts a dot into the name of the file, but not into its checksum.
    pub fn debian_package(&self, version: &str) -> Option<String> {
        let processor = match self.processor.as_str() {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        };
        (self.system == System::Linux).then(|| format!("sash_{version}-1_{processor}.deb"))
    }

    /// Whether this machine starts its programs.
    pub fn runs_here(&self) -> bool {
        let here = match self.system {
            System::Linux => "linux",
            System::MacOs => "macos",
            System::Windows => "windows",
        };
        here == OS && self.processor == ARCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::read;
    use crate::place;

    #[test]
    fn an_archive_is_called_as_its_system_calls_itself() {
        let archives = RELEASED.map(|triple| Target::parse(triple).unwrap().archive());
        assert_eq!(
            archives,
            [
                "sash-Linux-x86_64.tar.gz",
                "sash-Linux-aarch64.tar.gz",
                "sash-Darwin-arm64.tar.gz",
                "sash-Darwin-x86_64.tar.gz",
                "sash-Windows-x86_64.zip",
            ]
        );
    }

    #[test]
    fn nothing_is_packed_for_a_target_that_is_not_released() {
        for triple in [
            "x86_64-unknown-linux-gnu",
            "i686-unknown-linux-musl",
            "aarch64-pc-windows-msvc",
            "",
        ] {
            let why = Target::parse(triple).unwrap_err();
            assert!(why.contains(triple) && why.contains(RELEASED[0]), "{why}");
        }
    }

    #[test]
    fn a_debian_package_is_called_as_the_documents_say_also_in_a_pre_release() {
        let packages =
            RELEASED.map(|triple| Target::parse(triple).unwrap().debian_package("0.2.0-rc.1"));
        let linux = ["amd64", "arm64"].map(|name| Some(format!("sash_0.2.0-rc.1-1_{name}.deb")));
        assert_eq!(packages[..2], linux);
        assert_eq!(packages[2..], [None, None, None]);
    }

    #[test]
    fn the_licences_of_all_targets_are_collected() {
        let about = read(&place::root().join("about.toml")).unwrap();
        let (_, targets) = about.split_once("\ntargets = [").unwrap();
        let (targets, _) = targets.split_once(']').unwrap();
        let targets: Vec<&str> = targets.split('"').skip(1).step_by(2).collect();
        let page = "wasm32-unknown-unknown";
        assert_eq!(targets, [&RELEASED[..], &[page]].concat());
    }

    #[test]
    fn windows_alone_gives_programs_an_ending() {
        let program = |triple| Target::parse(triple).unwrap().program("sash");
        assert_eq!(program("x86_64-pc-windows-msvc"), "sash.exe");
        assert_eq!(program("aarch64-apple-darwin"), "sash");
    }
}
