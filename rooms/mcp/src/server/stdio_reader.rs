//! The reader of standard output. A client that closes it, and keeps standard input open, reads no answer any more; a
//! server that only writes when an answer is complete would notice minutes later.

/// Waits until the reader has gone. Never ends where the system does not tell, and for a file.
#[cfg(unix)]
pub async fn gone() {
    use std::os::fd::AsFd;
    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;
    let output = std::io::stdout().as_fd().try_clone_to_owned();
    #[expect(
        deprecated,
        reason = "its successor is unsafe, for descriptors that are closed while they are watched; this one is a copy of its own"
    )]
    let watched = output.and_then(|output| AsyncFd::with_interest(output, Interest::WRITABLE));
    let watched = match watched {
        Ok(watched) => watched,
        Err(error) => {
            tracing::debug!(%error, "standard output cannot be watched");
            return std::future::pending().await;
        }
    };
    loop {
        match watched.ready(Interest::WRITABLE | Interest::ERROR).await {
            Ok(guard) if guard.ready().is_write_closed() || guard.ready().is_error() => return,
            Ok(mut guard) => guard.clear_ready(),
            Err(error) => {
                tracing::debug!(%error, "standard output cannot be watched any more");
                return std::future::pending().await;
            }
        }
    }
}

/// Waits for ever: the system does not tell.
#[cfg(not(unix))]
pub async fn gone() {
    std::future::pending().await
}
