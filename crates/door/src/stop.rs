//! The stop signal of the server.

use tokio::sync::watch;

/// Becomes true once, when the server stops.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<bool>);

impl StopSignal {
    /// The sender and the receiver of the signal.
    #[must_use]
    pub fn new() -> (watch::Sender<bool>, Self) {
        let (sender, receiver) = watch::channel(false);
        (sender, Self(receiver))
    }

    /// Waits until the server stops. A dropped sender counts as a stop.
    pub async fn wait(&mut self) {
        if self.0.wait_for(|stop| *stop).await.is_err() {
            tracing::debug!("the switch that stops the server was dropped");
        }
    }
}
