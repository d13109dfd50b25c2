//! The shells in which the command is tried, each with the programs of a system that has it and no others.

use super::Folder;
use std::fmt;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A shell, and the programs beside it.
struct System {
    name: &'static str,
    shell: &'static str,
    programs: &'static [&'static str],
    /// Whether all of them but curl are busybox.
    is_busybox: bool,
    /// What `uname` is where it says another system than this one.
    uname: Option<&'static str>,
}

impl System {
    /// The program of this machine that is called so there.
    fn program(&self, name: &str) -> Option<PathBuf> {
        let own = match self.is_busybox && name != "curl" {
            true => "busybox",
            false => name,
        };
        let path = std::env::var_os("PATH")?;
        let found = std::env::split_paths(&path).map(|folder| folder.join(own));
        found.into_iter().find(|file| file.is_file())
    }

    /// What it needs and this machine does not have.
    fn missing(&self) -> Option<&'static str> {
        let mut needed = [self.shell]
            .into_iter()
            .chain(self.programs.iter().copied());
        needed.find(|name| self.program(name).is_none())
    }
}

const DEBIAN: System = System {
    name: "dash with the programs of GNU",
    shell: "dash",
    programs: &["curl", "cut", "gzip", "sha256sum", "tar", "uname"],
    is_busybox: false,
    uname: None,
};

const SYSTEMS: [System; 4] = [
    DEBIAN,
    System {
        name: "busybox",
        shell: "ash",
        is_busybox: true,
        ..DEBIAN
    },
    System {
        name: "bash with shasum too",
        shell: "bash",
        programs: &["curl", "cut", "gzip", "sha256sum", "shasum", "tar", "uname"],
        ..DEBIAN
    },
    System {
        name: "zsh with shasum alone, as on macOS",
        shell: "zsh",
        programs: &["curl", "cut", "gzip", "shasum", "tar"],
        uname: Some("#!/bin/sh\ncase $1 in -s) echo Darwin;; -m) echo arm64;; esac\n"),
        ..DEBIAN
    },
];

/// A shell that finds the programs of its system alone.
pub struct Machine {
    system: &'static System,
    programs: Folder,
}

impl Machine {
    fn new(system: &'static System) -> Self {
        let programs = Folder::new();
        for name in [system.shell].iter().chain(system.programs) {
            symlink(system.program(name).unwrap(), programs.0.join(name)).unwrap();
        }
        if let Some(script) = system.uname {
            let uname = programs.0.join("uname");
            fs::write(&uname, script).unwrap();
            fs::set_permissions(&uname, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self { system, programs }
    }

    /// Runs a command in a folder. Returns whether it succeeded, and what it said.
    pub fn run(&self, command: &str, folder: &Path) -> (bool, String) {
        let output = Command::new(self.programs.0.join(self.system.shell))
            .args(["-c", command])
            .current_dir(folder)
            .env("PATH", &self.programs.0)
            // No start-up file of the person who tests, no other language, no proxy.
            .env("HOME", &self.programs.0)
            .env("LC_ALL", "C")
            .env("NO_PROXY", "*")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        (output.status.success(), said)
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.system.name)
    }
}

/// The systems that can be tried here.
pub fn machines() -> impl Iterator<Item = Machine> {
    let here = SYSTEMS.iter().filter(|system| system.missing().is_none());
    here.map(Machine::new)
}

/// What is not tried here, with what is missing for it.
pub fn not_tried() -> Vec<String> {
    let sentence = |system: &System| {
        let missing = system.missing()?;
        Some(format!("{}: there is no {missing} here", system.name))
    };
    SYSTEMS.iter().filter_map(sentence).collect()
}
