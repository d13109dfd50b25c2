//! The program that listens on a port of this machine. A loopback address alone does not tell: it may be one end of an SSH
//! tunnel, of `kubectl port-forward`, or of a proxy.
//!
//! Linux tells it in `/proc`: `net/tcp` has the listening sockets with their users, and `PID/fd` the sockets that a process
//! holds, for the processes that this one may read. macOS tells it by `lsof`, Windows in its table of sockets.

pub mod lsof;
mod processes;
mod sockets;
pub mod windows;

use processes::Processes;
use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;

pub use sockets::ListeningSocket;

/// The programs that are taken for engines, by the names of their processes.
const ENGINES: [&str; 2] = ["ollama", "llama-server"];
/// The user under whom Ollama's installer runs it as a service.
const ENGINE_USER: &str = "ollama";

/// Where the system tells of sockets, processes and users.
#[derive(Clone, Debug)]
pub struct SystemFiles {
    /// The folder of the processes.
    pub proc: PathBuf,
    /// The list of users.
    pub passwd: PathBuf,
    /// The id of this process, which has the demo. Its children do not count: a script that starts a tunnel and then
    /// becomes Sash (`exec`) makes the tunnel a child of Sash.
    pub own: u32,
}

impl Default for SystemFiles {
    fn default() -> Self {
        Self {
            proc: "/proc".into(),
            passwd: "/etc/passwd".into(),
            own: std::process::id(),
        }
    }
}

impl SystemFiles {
    /// The sockets that may take a connection to one of these addresses.
    #[must_use]
    pub fn listening_at(&self, addresses: &[SocketAddr]) -> Vec<ListeningSocket> {
        let tables = ["net/tcp", "net/tcp6"].map(|name| fs::read_to_string(self.proc.join(name)));
        let tables = tables.iter().flatten();
        let sockets = tables.flat_map(|table| sockets::listening(table));
        sockets
            .filter(|(bound, _)| addresses.iter().any(|at| sockets::takes(*bound, *at)))
            .map(|(_, socket)| socket)
            .collect()
    }

    /// Whether each of these sockets is an engine's: a connection may reach any of them.
    #[must_use]
    pub fn are_engines(&self, sockets: &[ListeningSocket]) -> bool {
        !sockets.is_empty() && sockets.iter().all(|socket| self.is_engine(socket))
    }

    /// Whether a process that may be read holds the socket and is an engine, or this process. Where none may be read, the
    /// user decides: a service runs under a user of its own.
    fn is_engine(&self, socket: &ListeningSocket) -> bool {
        let processes = Processes(&self.proc);
        let mut is_held = false;
        for process in processes.holding(socket.inode) {
            is_held = true;
            if process == self.own || ENGINES.iter().any(|name| processes.has_name(process, name)) {
                return true;
            }
        }
        !is_held && self.user(ENGINE_USER) == Some(socket.user)
    }

    /// The id of a user.
    fn user(&self, name: &str) -> Option<u32> {
        let users = fs::read_to_string(&self.passwd).ok()?;
        users.lines().find_map(|line| {
            let mut fields = line.split(':');
            let is_it = fields.next() == Some(name);
            is_it.then(|| fields.nth(1)?.parse().ok()).flatten()
        })
    }
}
