//! Checks the commands of the documents: each command in a ```` ```sh ```` block is run.
//!
//! Each kind of command has a rule, and a command without a rule fails, so that no unchecked command
//! gets into a document. Blocks in other languages (```` ```console ````, ```` ```nginx ````) are
//! only text.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::context;
use super::tally::Tally;
use crate::bench::probe;
use crate::{Result, exec, place, server};

/// The documents with commands, in the order in which they are run: the Sash that the README starts answers the
/// requests of the others, until one starts its own.
const DOCUMENTS: [&str; 6] = [
    "README.md",
    "docs/guide.md",
    "docs/api.md",
    "docs/mcp.md",
    "docs/troubleshooting.md",
    "docs/configuration.md",
];

/// Sash's default address, which the examples use.
const ADDRESS: &str = "127.0.0.1:7274";

/// What the check does with a command.
#[derive(Debug, PartialEq, Eq)]
enum Rule {
    /// Starts Sash and waits until it answers `/health`; it runs until the next start or the end.
    Start,
    /// Sends a request to the started Sash; it must succeed and print something.
    Ask,
    /// Must succeed.
    Run,
    /// The command needs an environment that a clone does not have.
    Skip(&'static str),
}

fn rule(command: &str) -> Option<Rule> {
    let words: Vec<&str> = command.split_whitespace().collect();
    Some(match words.as_slice() {
        ["git", "clone", ..] => Rule::Skip("it fetches what is already here"),
        ["cd", ..] => Rule::Skip("it enters the folder we are in"),
        ["cargo", "xtask", "test", ..] => Rule::Skip("it is what runs now"),
        [first, ..] if first.starts_with("sash=") => {
            Rule::Skip("the native tests run it against a release on this machine")
        }
        ["cargo", "xtask", "run", ..] => Rule::Start,
        ["cargo", "xtask", "bench" | "dist" | "setup", ..] => Rule::Run,
        [program, ..] if *program == "sash" || program.ends_with("target/dist/sash") => {
            match words.last() {
                Some(&"--help" | &"--version") => Rule::Run,
                _ => Rule::Start,
            }
        }
        ["curl", ..] => Rule::Ask,
        _ => return None,
    })
}

/// Whether a command builds the release or runs it.
fn needs_release(command: &str) -> bool {
    ["cargo xtask bench", "cargo xtask dist", "./target/dist/"]
        .iter()
        .any(|start| command.starts_with(start))
}

/// Runs the commands of the documents in order.
pub fn check() -> Result<Tally> {
    let mut all = Vec::new();
    for document in DOCUMENTS {
        let text = std::fs::read_to_string(place::root().join(document))
            .map_err(|e| format!("{document}: {e}"))?;
        all.extend(commands(&text));
    }
    let mut tally = Tally::default();
    let mut running = None;
    let address = address()?;
    let sash = context::building(server::development)?.sash;
    for command in all {
        println!("$ {command}");
        if needs_release(&command) && !context::is_exhaustive() {
            println!("left out: it needs the release build, which is part of `--all`");
            continue;
        }
        let outcome = match rule(&command) {
            None => Err("the test has no rule for this command".to_owned()),
            Some(Rule::Skip(why)) => {
                println!("left out: {why}");
                continue;
            }
            Some(Rule::Start) => {
                drop(running.take()); // The previous server still holds the port.
                start(&with_built(&command, &sash), &address).map(|server| running = Some(server))
            }
            Some(Rule::Ask) if place::on_path(&["curl"]).is_none() => {
                println!("skipped: there is no curl here");
                tally += Tally::SKIPPED;
                continue;
            }
            Some(Rule::Ask) => ask_shell(&command.replace(ADDRESS, &address)),
            Some(Rule::Run) => exec::run(&mut shell(&with_built(&command, &sash))),
        };
        tally += match outcome {
            Ok(()) => Tally::PASSED,
            Err(why) => {
                println!("FAILED: {why}");
                Tally::FAILED
            }
        };
    }
    Ok(tally)
}

/// The documents' address, or another one if that address is in use.
fn address() -> Result<String> {
    if std::net::TcpListener::bind(ADDRESS).is_ok() {
        return Ok(ADDRESS.to_owned());
    }
    let other = probe::free_address()?;
    println!("{ADDRESS} is taken, so the commands run on {other}");
    Ok(other)
}

/// The commands in the `sh` blocks; a line that ends in `\`, `&&` or `|` continues on the next line.
fn commands(document: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut inside, mut goes_on) = (false, false);
    for line in document.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            inside = !inside && language.trim() == "sh";
            continue;
        }
        let text = line.trim();
        if !inside || text.is_empty() || text.starts_with('#') {
            continue;
        }
        let part = text.trim_end_matches('\\').trim_end();
        match found.last_mut() {
            Some(last) if goes_on => *last = format!("{last} {part}"),
            _ => found.push(part.to_owned()),
        }
        goes_on = ["\\", "&&", "|"].iter().any(|end| text.ends_with(end));
    }
    found
}

/// The command with the program that was built here in the place of an installed `sash`.
fn with_built(command: &str, sash: &Path) -> String {
    match command.strip_prefix("sash") {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => {
            format!("'{}'{rest}", sash.display())
        }
        _ => command.to_owned(),
    }
}

fn shell(command: &str) -> Command {
    let mut shell = exec::command("sh");
    shell.args(["-c", command]);
    shell
}

/// A running Sash; dropping it stops the process.
struct RunningSash(Child);

impl Drop for RunningSash {
    fn drop(&mut self) {
        self.0.kill().ok(); // The process may have ended by itself.
        self.0.wait().ok();
    }
}

fn start(command: &str, address: &str) -> Result<RunningSash> {
    // A command-line flag overrides the variable, so a port in the command is replaced by ours.
    let port = address.rsplit(':').next().unwrap_or_default();
    let command = command.replace(":7274", &format!(":{port}"));
    // With `exec`, the shell becomes cargo, then xtask, then the server, so that the process we
    // kill is the one that listens.
    let child = shell(&format!("exec {command}"))
        .env("SASH_LISTEN", address)
        .stdout(Stdio::null())
        .spawn()
        .map_err(|e| format!("it cannot be started: {e}"))?;
    let mut running = RunningSash(child);
    // The first start builds Sash.
    let until = Instant::now() + Duration::from_secs(20 * 60);
    while Instant::now() < until {
        if probe::get(address, "/health").is_ok() {
            return Ok(running);
        }
        if let Ok(Some(status)) = running.0.try_wait() {
            return Err(format!(
                "it ended ({status}) instead of listening on {address}"
            ));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err(format!("nothing answers on {address}"))
}

fn ask_shell(command: &str) -> Result {
    let strict = format!("{command} --fail-with-body --silent --show-error --max-time 60");
    let answer = exec::output(&mut shell(&strict))?;
    let lines: Vec<&str> = answer.trim().lines().collect();
    match lines.as_slice() {
        [] => Err("the answer is empty".into()),
        [first, .., last] => {
            println!("{first}\n… {} lines …\n{last}", lines.len());
            Ok(())
        }
        [only] => {
            println!("{only}");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sh_blocks_hold_commands_and_lines_are_joined() {
        let document = "# Sash\n```sh\n# start it\ncargo xtask run -- --demo\n```\n```console\n$ no\n```\n\
                      - then\n  ```sh\n  curl -N http://127.0.0.1:7274/x \\\n    -d '{}'\n  ```\n";
        assert_eq!(
            commands(document),
            [
                "cargo xtask run -- --demo",
                "curl -N http://127.0.0.1:7274/x -d '{}'"
            ]
        );
    }

    #[test]
    fn steps_that_depend_on_each_other_are_one_command() {
        let document = "```sh\nsash=a |\n  cat &&\n./$sash/sash\n```\n";
        let command = "sash=a | cat && ./$sash/sash";
        assert_eq!(commands(document), [command]);
        assert!(matches!(rule(command), Some(Rule::Skip(_))));
    }

    #[test]
    fn an_installed_sash_is_the_one_that_was_built() {
        let built = |command| with_built(command, Path::new("/target/debug/sash"));
        assert_eq!(built("sash --demo"), "'/target/debug/sash' --demo");
        assert_eq!(built("sash"), "'/target/debug/sash'");
        for other in ["cargo xtask run", "sash=a && ./$sash/sash"] {
            assert_eq!(built(other), other);
        }
    }

    #[test]
    fn what_is_released_is_for_those_who_ask() {
        assert!(needs_release("./target/dist/sash --help"));
        assert!(needs_release("cargo xtask dist"));
        assert!(!needs_release("cargo xtask run -- --demo"));
    }

    #[test]
    fn a_command_without_a_rule_has_none() {
        assert_eq!(rule("rm -rf target"), None);
        assert_eq!(rule("cargo xtask run -- --demo"), Some(Rule::Start));
        assert_eq!(rule("./target/dist/sash --help"), Some(Rule::Run));
        assert_eq!(rule("./target/dist/sash --demo"), Some(Rule::Start));
        assert_eq!(rule("sash --demo"), Some(Rule::Start));
    }
}
