//! Announces the start: prints the page's address.

use super::config::ProgramConfig;
use super::secret_place::SecretPlace;
use backup::BackupServer;
use phone::own_address;
use sash_door::guard::{MCP_PATH, Token};
use sash_server::engine::{EngineConfig, EngineProtocol};
use sash_words::in_one_line;
use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;

/// What is said of a server that started.
pub struct Announcement<'a> {
    settings: &'a ProgramConfig,
    backup: Option<&'a BackupServer>,
    origin: String,
    place: SecretPlace,
}

impl<'a> Announcement<'a> {
    /// The announcement of a server that listens on this address.
    pub fn new(
        address: SocketAddr,
        settings: &'a ProgramConfig,
        backup: Option<&'a BackupServer>,
    ) -> Self {
        let host = if address.ip().is_unspecified() {
            SocketAddr::new(own_address().unwrap_or(address.ip()), address.port())
        } else {
            address
        };
        Self {
            settings,
            backup,
            origin: format!("http://{host}"),
            place: SecretPlace::find(address.port()),
        }
    }

    /// The page's address for the person. A code stands in its fragment, which appears in no log and in no Referer.
    pub fn page(&self, code: Option<&str>) -> String {
        match code {
            Some(code) => format!("{}/#c={code}", self.origin),
            None => self.origin.clone(),
        }
    }

    /// Says where the page is.
    pub fn print(&self, code: Option<&str>) {
        let mut text = Vec::new();
        let is_terminal = io::stdout().is_terminal();
        let written = self.write(&mut text, code, is_terminal).and_then(|()| {
            let mut out = io::stdout().lock();
            out.write_all(&text)?;
            out.flush()
        });
        record(written);
    }

    /// Says where another browser finds the page, after the former address was used.
    pub fn print_next(&self, code: &str) {
        let page = self.page(Some(code));
        record(match &self.place {
            SecretPlace::Output => writeln!(io::stdout(), "For another browser Sash is at {page}"),
            place => place.keep(&self.secrets(code)).map(|_| ()),
        });
    }

    /// What nobody else may read.
    fn secrets(&self, code: &str) -> String {
        let mut text = format!("Sash is at {}\n", self.page(Some(code)));
        text += "This address opens one page. After that, Sash gives a new address.\n";
        if let Some(token) = self.settings.server.token.as_ref().and_then(Token::made) {
            text += &format!("The token for other programs is {token}\n");
        }
        text
    }

    /// A person at a terminal is told what to do next, too; a journal is not.
    fn write(&self, out: &mut impl Write, code: Option<&str>, is_terminal: bool) -> io::Result<()> {
        let settings = self.settings;
        match code {
            Some(code) if self.place == SecretPlace::Output => {
                out.write_all(self.secrets(code).as_bytes())?;
            }
            Some(code) => {
                writeln!(out, "Sash is at {}", self.page(None))?;
                writeln!(out, "{}", self.place.sentence(&self.secrets(code)))?;
            }
            None => writeln!(out, "Sash is at {}", self.page(None))?,
        }
        if is_terminal {
            writeln!(
                out,
                "Open this address in a browser. Ctrl+C stops Sash; sash --help lists its options."
            )?;
        }
        if settings.server.demo {
            writeln!(out, "The built-in demo answers; no model is asked.")?;
        } else {
            for engine in settings.server.engines() {
                let line = engine_line(engine, settings.server.more_engines.is_empty());
                writeln!(out, "{}", in_one_line(&line))?;
            }
        }
        if let Some(backup) = self.backup {
            let [place, key] =
                [backup.place(), backup.key_file()].map(|path| path.display().to_string());
            let [place, key] = [in_one_line(&place), in_one_line(&key)];
            writeln!(out, "The backup is in {place}. Its key is in {key}.")?;
            if backup.is_of_others() {
                writeln!(
                    out,
                    "Another installation of Sash wrote what is in it. Browsers do not sync with that; Restore offers it."
                )?;
            }
        }
        if settings.mcp {
            writeln!(out, "MCP clients connect to {}{MCP_PATH}", self.origin)?;
        }
        if !settings.server.listen.ip().is_loopback() {
            writeln!(
                out,
                "Anyone on this network who has the token can use it. The connection is not encrypted."
            )?;
        }
        Ok(())
    }
}

/// Standard output may be closed, which is no error.
fn record(written: io::Result<()>) {
    if let Err(error) = written {
        tracing::debug!("the address of the page cannot be printed: {error}");
    }
}

/// Where an engine is looked for; its name is said where it has one of its own.
fn engine_line(engine: &EngineConfig, is_only: bool) -> String {
    let (name, address) = (&engine.name, engine.address.base());
    match engine.protocol {
        EngineProtocol::Ollama if is_only => format!("Looking for Ollama at {address}"),
        EngineProtocol::Ollama => format!("Looking for Ollama “{name}” at {address}"),
        EngineProtocol::OpenAi(_) => format!("Looking for the engine “{name}” at {address}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(is_terminal: bool) -> String {
        let settings = ProgramConfig::default();
        let address = settings.server.listen;
        let mut text = Vec::new();
        Announcement::new(address, &settings, None)
            .write(&mut text, None, is_terminal)
            .unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn who_starts_sash_in_a_terminal_reads_what_to_do_next_and_a_journal_does_not() {
        let plain =
            "Sash is at http://127.0.0.1:7274\nLooking for Ollama at http://127.0.0.1:11434\n";
        assert_eq!(said(false), plain);
        let mut lines = said(true);
        let next =
            "Open this address in a browser. Ctrl+C stops Sash; sash --help lists its options.\n";
        let at = lines.find(next).unwrap();
        lines.replace_range(at..at + next.len(), "");
        assert_eq!(lines, plain);
    }
}
