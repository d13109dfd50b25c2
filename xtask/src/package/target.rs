//! What is packed for: a system and a processor.

use std::env::consts::{ARCH, OS};

use crate::Result;

/// The targets of a release.
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
            "unknown-linux-musl" => Some(System::Linux),
            "apple-darwin" => Some(System::MacOs),
            "pc-windows-msvc" | "pc-windows-gnu" => Some(System::Windows),
            _ => None,
        };
        match system {
            Some(system) if ["x86_64", "aarch64"].contains(&processor) => Ok(Self {
                triple: triple.to_owned(),
                system,
                processor: processor.to_owned(),
            }),
            _ => Err(format!(
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

    /// Whether a Debian package is made for it.
    pub fn has_package(&self) -> bool {
        self.system == System::Linux
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
    fn what_needs_the_libc_of_its_builder_is_not_packed() {
        for triple in ["x86_64-unknown-linux-gnu", "i686-unknown-linux-musl", ""] {
            let why = Target::parse(triple).unwrap_err();
            assert!(why.contains(triple) && why.contains(RELEASED[0]), "{why}");
        }
    }

    #[test]
    fn windows_alone_gives_programs_an_ending() {
        let program = |triple| Target::parse(triple).unwrap().program("sash");
        assert_eq!(program("x86_64-pc-windows-msvc"), "sash.exe");
        assert_eq!(program("aarch64-apple-darwin"), "sash");
    }
}
