//! Starts and stops the server.

use super::announce::Announcement;
use super::browser::open;
use super::child_limits::say_limits;
use super::config::ProgramConfig;
use super::embedded_client::EmbeddedClient;
use super::flags::{Command, Flags};
use super::log_writer::LogWriter;
use super::rooms::Rooms;
use super::second_start::running_sash;
use super::signals::Signals;
use super::start_error::StartError;
use crate::pages::PAGES;
use anstream::{AutoStream, ColorChoice};
use backup::BackupServer;
use clap::Parser;
use sash_door::accept::serve;
use sash_door::assets::Files;
use sash_door::guard::Guard;
use sash_door::stop::StopSignal;
use sash_server::app::App;
use sash_server::config::{ConfigError, ServerConfig};
use sash_server::one_time_codes::{OPENED_CODE_LIFETIME, OneTimeCodes};
use sash_server::router::router;
use sash_words::in_one_line;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tracing_subscriber::EnvFilter;

/// How long a second start waits for the command that opens the page, which may end only when the browser does.
const OPENING_TIME: Duration = Duration::from_secs(3);

/// A running server. Dropping it does not stop it.
#[derive(Debug)]
pub struct RunningServer {
    address: SocketAddr,
    codes: Option<Arc<OneTimeCodes>>,
    backup: Option<Arc<BackupServer>>,
    stop: watch::Sender<bool>,
    served: JoinHandle<()>,
}

impl RunningServer {
    /// Starts a server.
    ///
    /// # Errors
    /// [`StartError`]
    pub async fn start(
        settings: &ProgramConfig,
        files: Arc<dyn Files>,
    ) -> Result<Self, StartError> {
        let listener = bind(settings.server.listen).await?;
        let address = listener.local_addr().map_err(StartError::System)?;
        let (stop, stopped) = StopSignal::new();
        let rooms = Rooms::open(settings)?;
        let hooks = rooms.hooks(settings, Arc::clone(&files));
        let app = App::new(&settings.server, stopped.clone(), hooks);
        let app = Arc::new(app.map_err(StartError::Client)?);
        let limits = settings.server.limits.connections;
        let guard = Guard::new(
            address,
            &settings.server.allow_host,
            settings.server.token.clone(),
        )
        .with_proxies(settings.server.trust_proxy.clone(), limits.each);
        let routes = Rooms::routes(&app, settings);
        let calls = rooms.calls(app, settings, address);
        let router = router(calls, files, PAGES, Arc::new(guard), routes);
        let Rooms {
            answers,
            codes,
            backup,
            ..
        } = rooms;
        let proxies = settings.server.trust_proxy.clone();
        let served = tokio::spawn(async move {
            serve(listener, router, limits, &proxies, stopped).await;
            answers.shutdown().await;
        });
        Ok(Self {
            address,
            codes,
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

    /// The codes of addresses, if a page needs anything that they give.
    #[must_use]
    pub fn codes(&self) -> Option<Arc<OneTimeCodes>> {
        self.codes.clone()
    }

    /// The backup that it keeps.
    #[must_use]
    pub fn backup(&self) -> Option<&BackupServer> {
        self.backup.as_deref()
    }

    /// Stops it: accepts no new connections, sends a last frame to each running answer, and cuts off the rest
    /// after [`sash_door::limits::ConnectionLimits::stop_time`].
    pub async fn stop(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.served.await {
            tracing::error!("the server ended before it was stopped: {error}");
        }
    }
}

async fn bind(address: SocketAddr) -> Result<TcpListener, StartError> {
    match TcpListener::bind(address).await {
        Ok(listener) => Ok(listener),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            Err(match running_sash(address).await {
                Some(there) => StartError::AlreadyRunning(there),
                None => StartError::PortTaken(address),
            })
        }
        Err(error) => Err(StartError::Listen(address, error)),
    }
}

/// The program's main function: reads flags and environment, serves until a signal, and prints what is wrong.
#[must_use]
pub fn main() -> ExitCode {
    let child = highlight::child().or_else(attachments::child);
    let child = child.or_else(tools::child);
    if let Some(code) = child.or_else(sash_child::report_limits) {
        return code;
    }
    let flags = Flags::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let result = runtime.map_err(StartError::System).and_then(|runtime| {
        let result = runtime.block_on(run(&flags));
        // A thread may still wait for standard input, which nothing can interrupt.
        runtime.shutdown_background();
        result
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Not `eprintln!`, which panics where nobody reads it.
            writeln!(io::stderr(), "sash: {}", in_one_line(&error.to_string())).ok();
            ExitCode::from(error.exit_code())
        }
    }
}

async fn run(flags: &Flags) -> Result<(), StartError> {
    start_log(flags)?;
    let mut signals = Signals::new().map_err(StartError::System)?;
    match flags.command {
        Some(Command::Mcp) => serve_stdio(flags, &mut signals).await,
        None => serve_page(flags, &mut signals).await,
    }
}

fn start_log(flags: &Flags) -> Result<(), StartError> {
    let filter = EnvFilter::try_new(&flags.log)
        .map_err(|error| StartError::Config(ConfigError(format!("--log: {error}."))))?;
    // rmcp logs the messages of clients, and no prompt is ever logged.
    let filter = match "rmcp=off".parse() {
        Ok(silent) => filter.add_directive(silent),
        Err(_) => filter,
    };
    // As the help of the flags does: a terminal has them, unless NO_COLOR, CLICOLOR or TERM says otherwise.
    let has_colours = AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        // A console of Windows shows colours once it is told to, which this stream does.
        .with_writer(move || LogWriter::new(anstream::stderr(), has_colours))
        // A log that cannot be written must not fail the request; the default would panic.
        .log_internal_errors(false)
        .with_ansi(has_colours)
        .init();
    Ok(())
}

fn settings(flags: &Flags) -> Result<ProgramConfig, StartError> {
    let ollama_host = std::env::var("OLLAMA_HOST").ok();
    let settings = ProgramConfig::new(flags, ollama_host.as_deref()).map_err(StartError::Config)?;
    for warning in settings.server.warnings() {
        tracing::warn!("{warning}");
    }
    Ok(settings)
}

/// Serves an MCP client over standard input and output. Nothing listens, so no flag for the listener matters.
async fn serve_stdio(flags: &Flags, signals: &mut Signals) -> Result<(), StartError> {
    let settings = settings(&Flags {
        listen: ServerConfig::default().listen.to_string(),
        token: None,
        allow_host: Vec::new(),
        ..flags.clone()
    })?;
    // Nor does any page hand over a chat.
    let settings = ProgramConfig {
        backup: None,
        ..settings
    };
    let (stop, stopped) = StopSignal::new();
    let hooks = Rooms::open(&settings)?.hooks(&settings, Arc::new(EmbeddedClient));
    let app = App::new(&settings.server, stopped, hooks).map_err(StartError::Client)?;
    let client = mcp::stdio::serve(Arc::new(app), settings.rooms.mcp_chats, stop);
    tokio::select! {
        ended = client => ended.map_err(StartError::Mcp),
        () = signals.wait() => Ok(()),
    }
}

async fn serve_page(flags: &Flags, signals: &mut Signals) -> Result<(), StartError> {
    let settings = settings(flags)?;
    let running = RunningServer::start(&settings, Arc::new(EmbeddedClient)).await;
    if let (Err(StartError::AlreadyRunning(address)), true) = (&running, flags.open) {
        // Who starts Sash twice wants the page.
        let opening = open(format!("http://{address}"));
        timeout(OPENING_TIME, opening).await.ok();
    }
    let running = running?;
    let announcement = Announcement::new(running.address(), &settings, running.backup());
    let codes = running.codes();
    let mut printed = codes.as_ref().map(|codes| codes.printed());
    let code = printed
        .as_mut()
        .map(|printed| printed.borrow_and_update().clone());
    announcement.print(code.as_deref());
    if flags.open {
        // Other users of this machine see the command line of the browser.
        let code = codes
            .map(|codes| codes.issue(Some(OPENED_CODE_LIFETIME)))
            .transpose();
        let code = code.map_err(|error| StartError::System(io::Error::other(error)))?;
        tokio::spawn(open(announcement.page(code.as_deref())));
    }
    let program = settings.rooms.extraction.program.clone();
    let limits = tokio::spawn(async move { say_limits(program.as_deref()).await });
    loop {
        tokio::select! {
            () = signals.wait() => break,
            code = next_code(&mut printed) => announcement.print_next(&code),
        }
    }
    limits.abort();
    tracing::info!("stopping");
    running.stop().await;
    Ok(())
}

/// The code of the next address, once the one that was printed is used.
async fn next_code(printed: &mut Option<watch::Receiver<String>>) -> String {
    if let Some(printed) = printed
        && printed.changed().await.is_ok()
    {
        return printed.borrow_and_update().clone();
    }
    std::future::pending().await
}
