//! The colours of code. What grammars compile is large (100 MB for TypeScript alone), is not given back to the
//! system, and a regex cannot be stopped. So each block is coloured by a process of its own, this program run
//! once more: when it ends, or when nobody waits for it, everything it took is free again.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `child` | the process: code from its input, runs to its output |
//! | `grammars` | which grammar reads which language |
//! | `scopes` | the hundreds of names that grammars have for things, to the classes of the wire |
//! | `colour` | code to runs, line by line |
//! | `runs` | the runs as they are put together and written |
//! | `powershell` | the one language that has no grammar for our regex engine |

mod child;
mod colour;
mod grammars;
mod powershell;
mod runs;
mod scopes;
#[cfg(test)]
mod tests;

pub use child::child;

use crate::server::limits::Highlighting;
use crate::server::stop::Stop;
use sash_markdown::named;
use sash_wire::Fault;
use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How much longer than its own limit a process may run before it is killed.
const CHILD_GRACE: Duration = Duration::from_millis(500);

/// Colours code, a few blocks at a time.
#[derive(Debug)]
pub struct Highlighter {
    limits: Highlighting,
    turns: Arc<Semaphore>,
}

impl Highlighter {
    /// One that has not done anything yet.
    #[must_use]
    pub fn new(limits: Highlighting) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(limits.at_once)),
            limits,
        }
    }

    /// The runs of a block, as [`Highlighted::runs`](sash_wire::Highlighted::runs) has them. Dropping the future
    /// ends the process.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] when others take too long, [`Fault::ServerStopping`].
    pub async fn runs(&self, language: &str, code: &str, mut stop: Stop) -> Result<String, Fault> {
        if code.is_empty() || code.len() > self.limits.bytes || named(language).is_none() {
            return Ok(String::new());
        }
        let _turn = self.turn().await?;
        let asked = tokio::time::timeout(self.limits.time + CHILD_GRACE, self.ask(language, code));
        tokio::select! {
            biased;
            () = stop.wait() => Err(Fault::ServerStopping),
            asked = asked => Ok(match asked {
                Ok(Ok(runs)) => runs,
                Ok(Err(error)) => {
                    tracing::warn!(%error, "a block of code was not coloured");
                    String::new()
                }
                Err(_) => {
                    tracing::info!("a block of code took too long to colour");
                    String::new()
                }
            }),
        }
    }

    /// Waits for a turn, not for long.
    async fn turn(&self) -> Result<OwnedSemaphorePermit, Fault> {
        let turn = Arc::clone(&self.turns).acquire_owned();
        let turn = tokio::time::timeout(self.limits.wait, turn).await;
        let limit = self.limits.at_once;
        turn.ok()
            .and_then(Result::ok)
            .ok_or(Fault::TooManyAnswers { limit })
    }

    /// Has a process colour a block.
    async fn ask(&self, language: &str, code: &str) -> io::Result<String> {
        let program = self.limits.program.as_deref();
        let mut process = Command::new(program.ok_or(io::ErrorKind::NotFound)?)
            .arg(child::FLAG)
            .arg(self.limits.time.as_millis().to_string())
            .arg(self.limits.line.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (Some(mut input), Some(mut output)) = (input, output) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        // It reads everything before it writes anything.
        input.write_all(language.as_bytes()).await?;
        input.write_all(b"\n").await?;
        input.write_all(code.as_bytes()).await?;
        drop(input);
        let mut runs = String::new();
        output.read_to_string(&mut runs).await?;
        match process.wait().await?.success() {
            true => Ok(runs),
            false => Err(io::Error::other("the process that colours failed")),
        }
    }
}
