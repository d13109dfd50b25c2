//! Opens the page in a browser (`--open`).

use sash_door::System;
use std::io;
use std::process::{Command, Stdio};

/// Opens a page; a failure is logged, and does not stop the server. Some commands end only when the browser does.
pub async fn open(page: String) {
    let opened =
        tokio::task::spawn_blocking(move || run_first(open::commands(page), System::HERE)).await;
    if let Ok(Err(reason)) = opened {
        tracing::info!("the page could not be opened in a browser: {reason}");
    }
}

/// Runs these commands until one opens the page, by the rule of `open::that`, which would leave `SASH_TOKEN` in the
/// environment.
///
/// # Errors
/// Why none opens it, as a clause: the reason of the first one that the system has.
fn run_first(commands: Vec<Command>, system: System) -> Result<(), String> {
    let mut reason = None;
    for mut command in commands {
        let status = command
            // What a browser starts inherits its environment.
            .env_remove("SASH_TOKEN")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let name = command.get_program().display();
        match status {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => {
                let failed = format!("{name} failed ({status})");
                // Elsewhere a command may fail that has opened the page, as Windows' Explorer does.
                if system != System::Linux {
                    return Err(failed);
                }
                reason = reason.or(Some(failed));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => reason = reason.or(Some(format!("{name} cannot be started ({error})"))),
        }
    }
    Err(reason.unwrap_or_else(|| "this system has no command for that".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn absent() -> Command {
        Command::new("a-browser-that-is-not-installed")
    }

    /// A command that every system with Rust has, and that fails for such a flag.
    fn present(flag: &str) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command.arg(flag);
        command
    }

    #[test]
    fn the_first_command_that_is_there_opens_the_page() {
        for system in System::ALL {
            let commands = vec![absent(), present("--version")];
            assert_eq!(run_first(commands, system), Ok(()));
            let both = vec![present("--version"), present("--no-such-flag")];
            assert_eq!(run_first(both, system), Ok(()), "the second one is not run");
        }
    }

    /// Under WSL and on a Linux without a desktop the first command is there and opens nothing.
    #[test]
    fn a_command_that_fails_gives_way_to_the_next_one_where_failing_means_that_nothing_opened() {
        let first_fails = || vec![present("--no-such-flag"), present("--version")];
        assert_eq!(run_first(first_fails(), System::Linux), Ok(()));
        for system in [System::MacOs, System::Windows] {
            let failed = run_first(first_fails(), system).unwrap_err();
            assert!(failed.contains("failed"), "{failed}");
        }
    }

    #[test]
    fn a_page_that_cannot_be_opened_is_said_with_the_reason() {
        for system in System::ALL {
            let commands = vec![present("--no-such-flag"), absent()];
            let failed = run_first(commands, system).unwrap_err();
            assert!(
                failed.contains("cargo") && failed.contains("failed"),
                "{failed}"
            );
            let none = run_first(vec![absent()], system).unwrap_err();
            assert_eq!(none, "this system has no command for that");
        }
    }
}
