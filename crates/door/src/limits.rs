//! The limits of connections and of bodies.

use std::time::Duration;

/// The limits of connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Connections at once.
    pub at_once: usize,
    /// Connections at once from one address, if other machines can connect; also requests at once of one
    /// client behind a trusted proxy.
    pub each: usize,
    /// Time limit for a request's header.
    pub header_time: Duration,
    /// How long a client may stop reading.
    pub write_time: Duration,
    /// How long running streams may continue when the server stops.
    pub stop_time: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            at_once: 256,
            each: 16,
            header_time: Duration::from_secs(10),
            write_time: Duration::from_secs(60),
            stop_time: Duration::from_secs(4),
        }
    }
}

/// The limits on how slowly a body may arrive.
#[derive(Clone, Copy, Debug)]
pub struct BodyPace {
    /// Time limit for a request's body.
    pub time: Duration,
    /// After this time a body must have arrived at [`Self::rate`].
    pub grace: Duration,
    /// The lowest average rate of a body, in bytes per second.
    pub rate: usize,
}

impl Default for BodyPace {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(30),
            grace: Duration::from_secs(5),
            rate: 8 * 1024,
        }
    }
}
