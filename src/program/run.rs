//! Starts and stops the server.

use super::announce::{announce, open, page};
use super::router::router;
use crate::server::accept::serve;
use crate::server::app::App;
use crate::server::args::Command;
use crate::server::assets::{EmbeddedClient, Files};
use crate::server::backup::{Backup, BackupError};
use crate::server::config::{Args, ConfigError, ServerConfig};
use crate::server::guard::Guard;
use crate::server::mcp;
use crate::server::stop::StopSignal;
use crate::server::{calculate, child, extract, highlight};
use clap::Parser;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tracing_subscriber::EnvFilter;

/// A running server. Dropping it does not stop it.
#[derive(Debug)]
pub struct RunningServer {
    address: SocketAddr,
    backup: Option<Arc<Backup>>,
    stop: watch::Sender<bool>,
    served: JoinHandle<()>,
}

/// Why the server did not start.
#[derive(Debug)]
pub enum StartError {
    /// A setting is invalid.
    Config(ConfigError),
    /// The port is taken.
    PortTaken(SocketAddr),
    /// Listening on the address fails for another reason.
    Listen(SocketAddr, io::Error),
    /// The HTTP client for an engine cannot be set up.
    Client(reqwest::Error),
    /// The runtime or the signal handlers cannot be set up.
    System(io::Error),
    /// The folder of the backup cannot be used.
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
                "Port {} is taken: another program, perhaps another Sash, listens on {address}. Stop it, or choose another address with --listen. (Chats are kept by address: another port has another history.)",
                address.port()
            ),
            Self::Listen(address, error) => write!(f, "Sash cannot listen on {address}: {error}."),
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
            Self::PortTaken(_) => 98,
            Self::Config(_) | Self::Backup(_) => 2,
            _ => 1,
        }
    }
}

impl RunningServer {
    /// Starts a server.
    ///
    /// # Errors
    /// [`StartError`]
    pub async fn start(settings: &ServerConfig, files: Arc<dyn Files>) -> Result<Self, StartError> {
        let listener = TcpListener::bind(settings.listen).await.map_err(|error| {
            if error.kind() == io::ErrorKind::AddrInUse {
                StartError::PortTaken(settings.listen)
            } else {
                StartError::Listen(settings.listen, error)
            }
        })?;
        let address = listener.local_addr().map_err(StartError::System)?;
        let (stop, stopped) = StopSignal::new();
        let backup = settings.backup.as_deref().map(Backup::open).transpose();
        let backup = backup.map_err(StartError::Backup)?.map(Arc::new);
        if let Some(backup) = &backup {
            tokio::spawn(Arc::clone(backup).keep_lock(stopped.clone()));
        }
        let app = App::new(settings, stopped.clone()).map_err(StartError::Client)?;
        let app = app.at(address).with_backup(backup.clone());
        let limits = settings.limits.clone();
        let guard = Guard::new(address, &settings.allow_host, settings.token.clone())
            .with_proxies(settings.trust_proxy.clone(), limits.connections_each);
        let app = Arc::new(app);
        let answers = Arc::clone(&app.answers);
        let router = router(app, files, Arc::new(guard), settings.mcp);
        let proxies = settings.trust_proxy.clone();
        let served = tokio::spawn(async move {
            serve(listener, router, &limits, &proxies, stopped).await;
            answers.shutdown().await;
        });
        Ok(Self {
            address,
            backup,
            stop,
            served,
        })
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The part of an address that holds the key of the backup.
    #[must_use]
    pub fn backup_fragment(&self) -> Option<String> {
        self.backup.as_ref().map(|backup| backup.fragment())
    }

    /// Stops it: accepts no new connections, sends a last frame to each running answer, and cuts off the rest
    /// after [`crate::server::limits::Limits::stop_time`].
    pub async fn stop(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.served.await {
            tracing::error!("the server ended before it was stopped: {error}");
        }
    }
}

/// The program's main function: reads flags and environment, serves until a signal, and prints what is wrong.
#[must_use]
pub fn main() -> ExitCode {
    let child = highlight::child().or_else(extract::child);
    let child = child.or_else(calculate::child);
    if let Some(code) = child.or_else(child::report_limits) {
        return code;
    }
    let args = Args::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let result = runtime.map_err(StartError::System).and_then(|runtime| {
        let result = runtime.block_on(run(&args));
        // A thread may still wait for standard input, which nothing can interrupt.
        runtime.shutdown_background();
        result
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Not `eprintln!`, which panics where nobody reads it.
            writeln!(io::stderr(), "sash: {error}").ok();
            ExitCode::from(error.exit_code())
        }
    }
}

async fn run(args: &Args) -> Result<(), StartError> {
    start_log(args)?;
    let mut signals = Signals::new().map_err(StartError::System)?;
    match args.command {
        Some(Command::Mcp) => serve_stdio(args, &mut signals).await,
        None => serve_page(args, &mut signals).await,
    }
}

fn start_log(args: &Args) -> Result<(), StartError> {
    let filter = EnvFilter::try_new(&args.log)
        .map_err(|error| StartError::Config(ConfigError(format!("--log: {error}."))))?;
    // rmcp logs the messages of clients, and no prompt is ever logged.
    let filter = match "rmcp=off".parse() {
        Ok(silent) => filter.add_directive(silent),
        Err(_) => filter,
    };
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        // A log that cannot be written must not fail the request; the default would panic.
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal())
        .init();
    Ok(())
}

fn settings(args: &Args) -> Result<ServerConfig, StartError> {
    let ollama_host = std::env::var("OLLAMA_HOST").ok();
    let settings = ServerConfig::new(args, ollama_host.as_deref()).map_err(StartError::Config)?;
    for warning in settings.warnings() {
        tracing::warn!("{warning}");
    }
    Ok(settings)
}

/// Serves an MCP client over standard input and output. Nothing listens, so no flag for the listener matters.
async fn serve_stdio(args: &Args, signals: &mut Signals) -> Result<(), StartError> {
    let settings = settings(&Args {
        listen: ServerConfig::default().listen.to_string(),
        token: None,
        ..args.clone()
    })?;
    let (stop, stopped) = StopSignal::new();
    let app = App::new(&settings, stopped).map_err(StartError::Client)?;
    let client = mcp::stdio::serve(Arc::new(app), stop);
    tokio::select! {
        ended = client => ended.map_err(StartError::Mcp),
        () = signals.wait() => Ok(()),
    }
}

async fn serve_page(args: &Args, signals: &mut Signals) -> Result<(), StartError> {
    let settings = settings(args)?;
    let running = RunningServer::start(&settings, Arc::new(EmbeddedClient)).await?;
    let key = running.backup_fragment();
    let page = page(running.address(), &settings, key.as_deref());
    announce(&page, &settings);
    if args.open {
        open(&page);
    }
    let program = settings.limits.extraction.program;
    let limits = tokio::spawn(async move { child::say_limits(program.as_deref()).await });
    signals.wait().await;
    limits.abort();
    tracing::info!("stopping");
    running.stop().await;
    Ok(())
}

/// SIGINT and SIGTERM; elsewhere Ctrl-C.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    #[cfg(unix)]
    async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    async fn wait(&mut self) {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!("Ctrl-C cannot be heard: {error}");
            std::future::pending::<()>().await;
        }
    }
}
