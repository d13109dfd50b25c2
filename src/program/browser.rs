//! Opens the page in a browser (`--open`).

use std::io;
use std::process::{Command, Stdio};

/// Opens a page; a failure is logged, and does not stop the server. Some commands end only when the browser does.
pub async fn open(page: String) {
    let opened = tokio::task::spawn_blocking(move || run_first(open::commands(page))).await;
    if let Ok(Err(reason)) = opened {
        tracing::info!("the page could not be opened in a browser: {reason}");
    }
}

/// Runs the first of these commands that the system has.
///
/// # Errors
/// Why it does not open the page, as a clause.
fn run_first(commands: Vec<Command>) -> Result<(), String> {
    for mut command in commands {
        let status = command
            // What a browser starts inherits its environment.
            .env_remove("SASH_TOKEN")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let name = command.get_program().display();
        return match status {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => Err(format!("{name} cannot be started ({error})")),
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{name} failed ({status})")),
        };
    }
    Err("this system has no command for that".to_owned())
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
        assert_eq!(run_first(vec![absent(), present("--version")]), Ok(()));
        let both = vec![present("--version"), present("--no-such-flag")];
        assert_eq!(run_first(both), Ok(()), "the second one is not run");
    }

    #[test]
    fn a_page_that_cannot_be_opened_is_said_with_the_reason() {
        let failed = run_first(vec![present("--no-such-flag")]).unwrap_err();
        assert!(
            failed.contains("cargo") && failed.contains("failed"),
            "{failed}"
        );
        let none = run_first(vec![absent()]).unwrap_err();
        assert_eq!(none, "this system has no command for that");
    }
}
