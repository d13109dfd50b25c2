//! Syntax highlighting. Compiled grammars are large (100 MB for TypeScript alone), their memory is not
//! returned to the system, and a regex cannot be stopped. So each block is highlighted by a child process,
//! another run of this program: when it exits, or is killed because no client waits, all of its memory is
//! free again.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `child` | the child process: reads code, writes runs |
//! | `grammars` | which grammar reads which language |
//! | `scopes` | maps the scopes of grammars to the classes of the wire |
//! | `grammar` | converts code to runs, line by line |
//! | `runs` | builds and encodes runs |
//! | `powershell` | the one language that has no grammar for our regex engine |

mod child;
mod grammar;
mod grammars;
mod limits;
mod powershell;
mod runs;
mod scopes;
#[cfg(test)]
mod tests;

pub use child::child;
pub use limits::Highlighting;

use sash_child::{ChildError, ChildProcess, GRACE};
use sash_door::stop::StopSignal;
use sash_markdown::named;
use sash_server::turns::Turns;
use sash_wire::Fault;

/// The most bytes of a run, which covers at least one byte of code: a letter, its length and a space.
const RUN_BYTES: usize = 8;

/// Highlights code, a few blocks at a time.
#[derive(Debug)]
pub struct CodeHighlighter {
    limits: Highlighting,
    turns: Turns,
}

impl CodeHighlighter {
    /// A highlighter; starts no process yet.
    #[must_use]
    pub fn new(limits: Highlighting) -> Self {
        Self {
            turns: Turns::new(limits.at_once, limits.wait),
            limits,
        }
    }

    /// The runs of a block, encoded as in [`Highlighted::runs`](crate::Highlighted::runs). Dropping the
    /// future kills the process.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] if no turn is free in time, [`Fault::ServerStopping`].
    pub async fn runs(
        &self,
        language: &str,
        code: &str,
        mut stop: StopSignal,
    ) -> Result<String, Fault> {
        if code.is_empty() || code.len() > self.limits.bytes || named(language).is_none() {
            return Ok(String::new());
        }
        let _turn = self.turns.acquire().await?;
        let asked = tokio::time::timeout(
            self.limits.time + GRACE,
            self.highlight_in_child(language, code),
        );
        tokio::select! {
            biased;
            () = stop.wait() => Err(Fault::ServerStopping),
            asked = asked => Ok(match asked {
                Ok(Ok(runs)) => runs,
                Ok(Err(error)) => {
                    tracing::warn!(%error, "a block of code was not highlighted");
                    String::new()
                }
                Err(_) => {
                    tracing::info!("a block of code took too long to highlight");
                    String::new()
                }
            }),
        }
    }

    /// Highlights a block in a child process.
    async fn highlight_in_child(&self, language: &str, code: &str) -> Result<String, ChildError> {
        let arguments = [
            child::FLAG,
            &self.limits.time.as_millis().to_string(),
            &self.limits.line.to_string(),
        ];
        let process = ChildProcess {
            program: self.limits.program.as_deref(),
            arguments: &arguments,
            memory_bytes: self.limits.memory_bytes,
            output_bytes: RUN_BYTES * self.limits.bytes,
        };
        let runs = process
            .run(format!("{language}\n{code}").into_bytes())
            .await?;
        String::from_utf8(runs).map_err(|_| ChildError::Failed)
    }
}
