//! The signals that stop the server.

use std::io;

/// SIGINT and SIGTERM; elsewhere Ctrl-C.
pub struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    /// Listens for them from now on.
    ///
    /// # Errors
    /// The system's.
    #[cfg(unix)]
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for one.
    #[cfg(unix)]
    pub async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Nothing is to be set up.
    ///
    /// # Errors
    /// None.
    #[cfg(not(unix))]
    pub fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for one.
    #[cfg(not(unix))]
    pub async fn wait(&mut self) {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!("Ctrl-C cannot be heard: {error}");
            std::future::pending::<()>().await;
        }
    }
}
