//! The signals that stop the server.

use std::io;

/// SIGINT and SIGTERM. On Windows what its consoles and the end of a session send: Ctrl-C, Ctrl-Break, the console that is closed,
/// logging off and shutting down.
pub struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(windows)]
    ctrl_c: tokio::signal::windows::CtrlC,
    #[cfg(windows)]
    ctrl_break: tokio::signal::windows::CtrlBreak,
    #[cfg(windows)]
    close: tokio::signal::windows::CtrlClose,
    #[cfg(windows)]
    log_off: tokio::signal::windows::CtrlLogoff,
    #[cfg(windows)]
    shut_down: tokio::signal::windows::CtrlShutdown,
}

#[cfg(unix)]
impl Signals {
    /// Listens for them from now on.
    ///
    /// # Errors
    /// The system's.
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for one.
    pub async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(windows)]
impl Signals {
    /// Listens for them from now on.
    ///
    /// # Errors
    /// The system's.
    pub fn new() -> io::Result<Self> {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};
        Ok(Self {
            ctrl_c: ctrl_c()?,
            ctrl_break: ctrl_break()?,
            close: ctrl_close()?,
            log_off: ctrl_logoff()?,
            shut_down: ctrl_shutdown()?,
        })
    }

    /// Waits for one. After the last three Windows gives the program some five seconds.
    pub async fn wait(&mut self) {
        tokio::select! {
            _ = self.ctrl_c.recv() => {}
            _ = self.ctrl_break.recv() => {}
            _ = self.close.recv() => {}
            _ = self.log_off.recv() => {}
            _ = self.shut_down.recv() => {}
        }
    }
}
