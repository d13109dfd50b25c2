//! A child process, as the server sees it.

use super::watch::over_limit;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::Stdio;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// The variable without which Windows finds none of its libraries; no other system has it.
const WINDOWS_FOLDER: &str = "SystemRoot";
/// `CREATE_NO_WINDOW`: without it Windows opens a console for each child of a server that has none, as a service.
#[cfg(windows)]
const NO_WINDOW: u32 = 0x0800_0000;

/// A child process to run.
#[derive(Clone, Copy, Debug)]
pub struct ChildProcess<'a> {
    /// The program to run.
    pub program: Option<&'a Path>,
    /// The private flag and what follows it.
    pub arguments: &'a [&'a str],
    /// The most bytes of memory.
    pub memory_bytes: usize,
    /// The most bytes of output that are read.
    pub output_bytes: usize,
}

/// Why a child process has no result.
#[derive(Debug)]
pub enum ChildError {
    /// It could not be started.
    NotStarted(io::Error),
    /// It had more memory than it may.
    OutOfMemory,
    /// It ended before its result: a limit of the system ended it, or it failed.
    Failed,
}

impl fmt::Display for ChildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(error) => write!(f, "the process could not be started: {error}"),
            Self::OutOfMemory => f.write_str("the process took more memory than it may"),
            Self::Failed => f.write_str("the process failed"),
        }
    }
}

impl ChildProcess<'_> {
    /// Runs the process with this input and returns its output. Dropping the future kills the process.
    ///
    /// # Errors
    /// [`ChildError`]
    pub async fn run(&self, input: Vec<u8>) -> Result<Vec<u8>, ChildError> {
        let (mut process, mut stdin, stdout) = self.spawn().map_err(ChildError::NotStarted)?;
        let write = async {
            let length = input.len() as u64;
            stdin.write_all(&length.to_le_bytes()).await?;
            stdin.write_all(&input).await?;
            drop(input);
            // Closed when the process has ended: before, that would tell it that the server is gone.
            io::Result::Ok(stdin)
        };
        let read = async {
            let mut output = Vec::new();
            let mut stdout = stdout.take(self.output_bytes as u64);
            stdout.read_to_end(&mut output).await?;
            io::Result::Ok(output)
        };
        let id = process.id();
        let exchange = async {
            let (stdin, output) = tokio::try_join!(write, read)?;
            let status = process.wait().await?;
            drop(stdin);
            io::Result::Ok((status, output))
        };
        let exchanged = tokio::select! {
            () = over_limit(id, self.memory_bytes) => return Err(ChildError::OutOfMemory),
            exchanged = exchange => exchanged,
        };
        match exchanged {
            Ok((status, output)) if status.success() => Ok(output),
            Ok(_) | Err(_) => Err(ChildError::Failed),
        }
    }

    /// Starts the process with pipes for its input and its output. It has no environment: that of the server holds its
    /// token. Dropping the process kills it.
    fn spawn(&self) -> io::Result<(Child, ChildStdin, ChildStdout)> {
        let mut command = Command::new(self.program.ok_or(io::ErrorKind::NotFound)?);
        #[cfg(windows)]
        command.creation_flags(NO_WINDOW);
        let mut process = command
            .args(self.arguments)
            .env_clear()
            .envs(std::env::var_os(WINDOWS_FOLDER).map(|folder| (WINDOWS_FOLDER, folder)))
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
}
