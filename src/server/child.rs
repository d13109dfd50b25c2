//! Work that is done by a child process: this program, started by itself with a private flag. Whatever a child costs
//! ends with it, and it is killed when nobody waits for it.

use sash_wire::Fault;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How much longer than its own time limit a process may run before it is killed.
pub const GRACE: Duration = Duration::from_millis(500);

/// The turns of processes of one kind, a few at a time.
#[derive(Debug)]
pub struct ChildTurns {
    turns: Arc<Semaphore>,
    at_once: usize,
    wait: Duration,
}

impl ChildTurns {
    /// So many turns at once, for each of which a request waits so long.
    #[must_use]
    pub fn new(at_once: usize, wait: Duration) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(at_once)),
            at_once,
            wait,
        }
    }

    /// Waits for a turn, up to the limit.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] if no turn is free in time.
    pub async fn acquire(&self) -> Result<OwnedSemaphorePermit, Fault> {
        let turn = Arc::clone(&self.turns).acquire_owned();
        let turn = tokio::time::timeout(self.wait, turn).await;
        let limit = self.at_once;
        turn.ok()
            .and_then(Result::ok)
            .ok_or(Fault::TooManyAnswers { limit })
    }
}

/// Starts `program` with pipes for its input and its output. Dropping the process kills it.
///
/// # Errors
/// If the program is unknown or cannot be started.
pub fn spawn(
    program: Option<&Path>,
    arguments: &[&str],
) -> io::Result<(Child, ChildStdin, ChildStdout)> {
    let mut process = Command::new(program.ok_or(io::ErrorKind::NotFound)?)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    match (process.stdin.take(), process.stdout.take()) {
        (Some(input), Some(output)) => Ok((process, input, output)),
        _ => Err(io::ErrorKind::BrokenPipe.into()),
    }
}

/// Limits the address space, in bytes, and the processor time, in seconds, of this process; what exceeds them ends it.
///
/// # Errors
/// If the system refuses the limits.
#[cfg(unix)]
pub fn limit_resources(seconds: u64, memory: u64) -> io::Result<()> {
    use rlimit::Resource;
    Resource::AS.set(memory, memory)?;
    Resource::CPU.set(seconds, seconds + 1)
}

/// Elsewhere the time limit of the parent is the only one.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn limit_resources(_seconds: u64, _memory: u64) -> io::Result<()> {
    Ok(())
}
