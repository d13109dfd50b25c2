//! The directory where the program keeps its own state.

use std::path::{Path, PathBuf};

use crate::System;

/// The directory of the program: what systemd made for the service, or else the user's own; `None` where the environment
/// names neither.
#[must_use]
pub fn state_directory() -> Option<PathBuf> {
    state_directory_on(System::HERE, environment_path)
}

/// The same on a system, with the directories that the environment names there.
fn state_directory_on(system: System, named: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let home = || named("HOME");
    let own = || match system {
        System::Windows => named("LOCALAPPDATA").map(|path| path.join("Sash")),
        System::MacOs => home().map(|home| home.join("Library/Application Support/Sash")),
        System::Linux => {
            let state = named("XDG_STATE_HOME");
            let state = state.or_else(|| home().map(|home| home.join(".local/state")));
            state.map(|path| path.join("sash"))
        }
    };
    named("STATE_DIRECTORY").or_else(own)
}

/// The variables of the environment by which a person chooses [`state_directory`], the system's own first.
#[must_use]
pub fn state_variables(system: System) -> &'static str {
    match system {
        System::Windows => "LOCALAPPDATA or STATE_DIRECTORY",
        System::MacOs => "HOME or STATE_DIRECTORY",
        System::Linux => "HOME or XDG_STATE_HOME (StateDirectory= of a service)",
    }
}

/// Whether a directory, whose path has no link in it, is private because it is in the folder of the user. On Windows a new one
/// has the permissions of the one that it is in; elsewhere it has its own.
#[must_use]
pub fn inherits_privacy(directory: &Path) -> bool {
    let profile = environment_path("USERPROFILE").and_then(|path| path.canonicalize().ok());
    is_private(System::HERE, directory, profile.as_deref())
}

fn is_private(system: System, directory: &Path, profile: Option<&Path>) -> bool {
    let is_in_profile = || profile.is_some_and(|profile| directory.starts_with(profile));
    system != System::Windows || is_in_profile()
}

/// The directory that a variable of the environment names; of several the first, as systemd separates them by colons.
#[must_use]
pub fn environment_path(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name)?;
    let first = std::env::split_paths(&value).next()?;
    first.is_absolute().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_its_own_place_for_the_state_and_a_service_names_another() {
        const HOME: (&str, &str) = ("HOME", "/home/me");
        let state = |system, named: &[(&str, &str)]| {
            let found = state_directory_on(system, |name| {
                let value = named.iter().find(|(variable, _)| *variable == name);
                value.map(|(_, value)| PathBuf::from(value))
            });
            found.map(|path| path.display().to_string().replace('\\', "/"))
        };
        for (system, named, expected) in [
            (System::Linux, vec![HOME], "/home/me/.local/state/sash"),
            (
                System::Linux,
                vec![HOME, ("XDG_STATE_HOME", "/s")],
                "/s/sash",
            ),
            (
                System::MacOs,
                vec![HOME, ("XDG_STATE_HOME", "/s")],
                "/home/me/Library/Application Support/Sash",
            ),
            (
                System::Windows,
                vec![HOME, ("LOCALAPPDATA", "/C/Users/me/AppData/Local")],
                "/C/Users/me/AppData/Local/Sash",
            ),
        ] {
            assert_eq!(state(system, &named).unwrap(), expected);
            let service = [&named[..], &[("STATE_DIRECTORY", "/var/lib/sash")]].concat();
            assert_eq!(state(system, &service).unwrap(), "/var/lib/sash");
        }
        assert_eq!(state(System::Windows, &[HOME]), None);
        for system in System::ALL {
            assert_eq!(state(system, &[]), None);
            // What the sentence names is what counts.
            let first = state_variables(system).split(' ').next().unwrap();
            assert!(state(system, &[(first, "/there")]).is_some(), "{system:?}");
        }
    }

    #[test]
    fn on_windows_a_directory_outside_of_the_users_folder_may_be_read_by_others() {
        let profile = Some(Path::new("/C/Users/me"));
        for (directory, expected) in [
            ("/C/Users/me/Documents/chats", true),
            ("/C/Users/mean", false),
            ("/D/chats", false),
        ] {
            let directory = Path::new(directory);
            assert_eq!(is_private(System::Windows, directory, profile), expected);
            assert!(!is_private(System::Windows, directory, None));
            assert!(is_private(System::Linux, directory, None));
        }
    }
}
