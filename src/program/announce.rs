//! Announces the start: prints the page's address, and opens it in a browser if requested.

use crate::server::addresses::own_address;
use crate::server::config::ServerConfig;
use crate::server::engine::{EngineConfig, EngineProtocol};
use crate::server::guard::{MCP_PATH, Token};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::{Command, Stdio};

/// The page's address for the person, with the token if one was generated, and with the key of the backup.
pub fn page(address: SocketAddr, settings: &ServerConfig, backup: Option<&str>) -> String {
    let host = if address.ip().is_unspecified() {
        SocketAddr::new(own_address().unwrap_or(address.ip()), address.port())
    } else {
        address
    };
    let made = settings.token.as_ref().filter(|token| token.is_made());
    let secrets = [made.map(Token::fragment), backup.map(str::to_owned)];
    let secrets: Vec<String> = secrets.into_iter().flatten().collect();
    match secrets.is_empty() {
        true => format!("http://{host}"),
        false => format!("http://{host}/#{}", secrets.join("&")),
    }
}

/// Prints where the page is. Standard output may be closed, which is no error.
pub fn announce(page: &str, settings: &ServerConfig) {
    if let Err(error) = write_announcement(&mut io::stdout().lock(), page, settings) {
        tracing::debug!("the address of the page cannot be printed: {error}");
    }
}

fn write_announcement(out: &mut impl Write, page: &str, settings: &ServerConfig) -> io::Result<()> {
    writeln!(out, "Sash is at {page}")?;
    if settings.demo {
        writeln!(out, "It answers with the built-in demo; no model is asked.")?;
    } else {
        for engine in settings.engines() {
            writeln!(
                out,
                "{}",
                engine_line(engine, settings.more_engines.is_empty())
            )?;
        }
    }
    if let Some(folder) = &settings.backup {
        let folder = folder.display();
        writeln!(
            out,
            "The backup is in {folder}. The address above holds its key."
        )?;
    }
    if settings.mcp {
        // The part with the token is for the page alone: clients send it as a header.
        let origin = page.split("/#").next().unwrap_or(page);
        writeln!(out, "MCP clients are answered at {origin}{MCP_PATH}")?;
    }
    if !settings.listen.ip().is_loopback() {
        writeln!(
            out,
            "Others in this network can reach it with the token. The connection is not encrypted."
        )?;
    }
    out.flush()
}

/// Where an engine is looked for; its name is said where it has one of its own.
fn engine_line(engine: &EngineConfig, is_only: bool) -> String {
    let (name, address) = (&engine.name, engine.address.base());
    match engine.protocol {
        EngineProtocol::Ollama if is_only => format!("It looks for Ollama at {address}"),
        EngineProtocol::Ollama => format!("It looks for Ollama “{name}” at {address}"),
        EngineProtocol::OpenAi(_) => format!("It looks for the engine “{name}” at {address}"),
    }
}

/// Opens the page in a browser; a failure does not stop the server.
pub fn open(page: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let quiet = command
        .arg(page)
        // What a browser starts inherits its environment.
        .env_remove("SASH_TOKEN")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = quiet {
        tracing::info!(%error, "the browser could not be opened");
    }
}
