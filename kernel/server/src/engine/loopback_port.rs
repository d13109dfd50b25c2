//! Engines on a loopback address, and whether they run on this machine.

use crate::listeners::{ListeningSocket, SystemFiles, lsof, windows};
use sash_door::System;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long it is believed of the same sockets: a process may take another name. On macOS and Windows no socket is told from
/// another.
const LIFETIME: Duration = Duration::from_secs(5);
/// How long the system may take to tell it.
const LOOK_TIME: Duration = Duration::from_secs(2);

/// The port of an engine on a loopback address.
#[derive(Clone, Debug)]
pub struct LoopbackPort {
    addresses: Vec<SocketAddr>,
    files: SystemFiles,
    found: Arc<Mutex<Option<Found>>>,
}

/// What was found to listen there.
#[derive(Debug)]
struct Found {
    sockets: Vec<ListeningSocket>,
    is_engine: bool,
    at: Instant,
}

impl LoopbackPort {
    /// The port at these addresses, any of which may be dialled.
    #[must_use]
    pub fn new(addresses: Vec<SocketAddr>) -> Self {
        Self {
            addresses,
            files: SystemFiles::default(),
            found: Arc::default(),
        }
    }

    /// Whether all that listens there now is an engine of this machine. The processes are looked through again when
    /// another socket listens, and after [`LIFETIME`].
    pub async fn is_engine(&self) -> bool {
        let port = self.clone();
        let found = tokio::task::spawn_blocking(move || port.find());
        match tokio::time::timeout(LOOK_TIME, found).await {
            Ok(Ok(is_engine)) => is_engine,
            _ => {
                tracing::warn!("what listens at an engine's port could not be looked up");
                false
            }
        }
    }

    fn find(&self) -> bool {
        let sockets = self.files.listening_at(&self.addresses);
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let known = found.as_ref();
        let known = known.filter(|it| it.sockets == sockets && it.at.elapsed() < LIFETIME);
        if let Some(known) = known {
            return known.is_engine;
        }
        let is_engine = match System::HERE {
            System::Linux => self.files.are_engines(&sockets),
            System::MacOs => lsof::are_engines(&self.addresses),
            System::Windows => windows::are_engines(&self.addresses),
        };
        let at = Instant::now();
        *found = Some(Found {
            sockets,
            is_engine,
            at,
        });
        is_engine
    }
}
