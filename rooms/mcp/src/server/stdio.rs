//! `sash mcp`: MCP over standard input and output, for clients that start Sash as a child process. No port is bound, and
//! nothing but the protocol is written to standard output.

use super::memory::ChatMemoryLimits;
use super::stdio_transport::StdioTransport;
use super::tools::Tools;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use sash_server::app::App;
use std::sync::Arc;
use tokio::io::{Stdin, Stdout, stdin, stdout};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Serves one client until the input ends; then `stop` ends what is still answered. It returns at once when nobody reads
/// the output any more.
///
/// # Errors
/// A sentence, if the client does not begin as the protocol says.
pub async fn serve(
    app: Arc<App>,
    limits: ChatMemoryLimits,
    stop: watch::Sender<bool>,
) -> Result<(), String> {
    let broken = CancellationToken::new();
    let max_bytes = app.limits.body_bytes;
    let transport = StdioTransport::new(stdin(), stdout(), max_bytes, stop, broken.clone());
    tokio::select! {
        ended = answer(Tools::new(app, limits), transport) => ended,
        () = broken.cancelled() => Ok(()),
        () = reader_gone() => Ok(()),
    }
}

async fn answer(tools: Tools, transport: StdioTransport<Stdin, Stdout>) -> Result<(), String> {
    let running = match tools.serve(transport).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        // The error would repeat what the client sent.
        Err(_) => return Err("the MCP client did not begin with initialize.".to_owned()),
    };
    if let Err(error) = running.waiting().await {
        tracing::error!(%error, "the MCP service failed");
    }
    Ok(())
}

/// Waits until the reader of standard output has gone. A client that closes it, and keeps standard input open, reads no
/// answer any more; a server that only writes when an answer is complete would notice minutes later. Never ends where the
/// system does not tell, and for a file.
#[cfg(unix)]
async fn reader_gone() {
    use std::os::fd::AsFd;
    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;
    let watch = async || -> std::io::Result<()> {
        let output = std::io::stdout().as_fd().try_clone_to_owned()?;
        #[expect(
            deprecated,
            reason = "its successor is unsafe, for descriptors that are closed while they are watched; this one is a copy of its own"
        )]
        let output = AsyncFd::with_interest(output, Interest::WRITABLE)?;
        loop {
            let mut guard = output.ready(Interest::WRITABLE | Interest::ERROR).await?;
            if guard.ready().is_write_closed() || guard.ready().is_error() {
                return Ok(());
            }
            guard.clear_ready();
        }
    };
    if let Err(error) = watch().await {
        tracing::debug!(%error, "standard output cannot be watched");
        std::future::pending().await
    }
}

#[cfg(not(unix))]
async fn reader_gone() {
    std::future::pending().await
}
