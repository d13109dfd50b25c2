//! Why the server did not start.

use backup::BackupError;
use sash_door::System;
use sash_server::config::ConfigError;
use std::fmt;
use std::io;
use std::net::SocketAddr;

/// Why the server did not start.
#[derive(Debug)]
pub enum StartError {
    /// A setting is invalid.
    Config(ConfigError),
    /// Another program has the port.
    PortTaken(SocketAddr),
    /// A Sash has the port, and answers at this address.
    AlreadyRunning(SocketAddr),
    /// Listening on the address fails for another reason.
    Listen(SocketAddr, io::Error),
    /// The HTTP client for an engine cannot be set up.
    Client(reqwest::Error),
    /// The runtime or the signal handlers cannot be set up.
    System(io::Error),
    /// The backup cannot be kept where it is to be.
    Backup(BackupError),
    /// The client of `sash mcp` does not speak the protocol.
    Mcp(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::PortTaken(address) => write!(
                f,
                "Port {} is taken: another program listens on {address}. Stop it, or choose another address with --listen. (Chats are kept by address: another port has other chats.)",
                address.port()
            ),
            Self::Listen(address, error) => {
                write!(f, "Sash cannot listen on {address}: {error}.")?;
                f.write_str(listen_hint(error.kind(), address.port(), System::HERE))
            }
            Self::AlreadyRunning(address) => write!(
                f,
                "Sash is running already, at http://{address}. Open that in a browser. For a second Sash choose another address with --listen. (Chats are kept by address: another port has other chats.)"
            ),
            Self::Client(_) => f.write_str("The HTTP client could not be set up."),
            Self::System(error) => write!(f, "The system refused something Sash needs: {error}."),
            Self::Backup(BackupError(sentence)) => f.write_str(sentence),
            Self::Mcp(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for StartError {}

impl StartError {
    /// 98 (Linux' "address already in use") for a taken port, 2 for a setting, otherwise 1.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::PortTaken(_) | Self::AlreadyRunning(_) => 98,
            Self::Config(_) | Self::Backup(_) => 2,
            _ => 1,
        }
    }
}

/// What a person can do where the system refuses an address.
fn listen_hint(kind: io::ErrorKind, port: u16, system: System) -> &'static str {
    match (kind, system) {
        (io::ErrorKind::PermissionDenied, System::Windows) => {
            " Windows keeps ranges of ports for Hyper-V, WSL and Docker, and this port may be in one (`netsh interface ipv4 show excludedportrange protocol=tcp` lists them). Choose another one with --listen."
        }
        (io::ErrorKind::PermissionDenied, System::Linux | System::MacOs)
            if (1..1024).contains(&port) =>
        {
            " Ports below 1024 are the administrator's. Choose a higher one with --listen."
        }
        (io::ErrorKind::AddrNotAvailable, _) => {
            " This machine does not have that address. Choose one of its own with --listen."
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    #[test]
    fn a_refused_port_is_explained_as_each_system_means_it() {
        let hint = |port, system| listen_hint(ErrorKind::PermissionDenied, port, system);
        assert!(hint(7274, System::Windows).contains("excludedportrange"));
        for system in [System::Linux, System::MacOs] {
            for port in [1, 80, 1023] {
                assert!(hint(port, system).contains("below 1024"), "{system:?}");
            }
            // Another rule of the system refuses these, such as SELinux.
            for port in [1024, 7274] {
                assert_eq!(hint(port, system), "", "{system:?}");
            }
        }
        for system in System::ALL {
            let hint = |kind| listen_hint(kind, 7274, system);
            assert!(hint(ErrorKind::AddrNotAvailable).contains("--listen"));
            assert_eq!(hint(ErrorKind::Other), "");
        }
    }
}
