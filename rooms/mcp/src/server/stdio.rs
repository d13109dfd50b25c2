//! `sash mcp`: MCP over standard input and output, for clients that start Sash as a child process. No port is bound, and
//! nothing but the protocol is written to standard output.

use super::limits::ChatMemoryLimits;
use super::stdio_reader;
use super::stdio_transport::StdioTransport;
use super::tools::Tools;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use sash_door::stop::StopSignal;
use sash_server::app::App;
use std::sync::Arc;
use tokio::io::{Stdin, Stdout};
use tokio::sync::watch;

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
    let (on_broken, mut broken) = StopSignal::new();
    let transport = StdioTransport::new(
        tokio::io::stdin(),
        tokio::io::stdout(),
        &app.limits,
        stop,
        on_broken,
    );
    tokio::select! {
        ended = answer(Tools::new(app, limits), transport) => ended,
        () = broken.wait() => Ok(()),
        () = stdio_reader::gone() => Ok(()),
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
