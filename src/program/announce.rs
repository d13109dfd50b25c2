//! Announces the start: prints the page's address.

use super::config::ProgramConfig;
use super::secret_place::SecretPlace;
use backup::BackupServer;
use phone::own_address;
use sash_door::guard::{MCP_PATH, Token};
use sash_server::engine::{EngineConfig, EngineProtocol};
use sash_words::in_one_line;
use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

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
        let host = printed_host(address, &settings.server.allow_host, own_address());
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
            if let Some(hint) = container_hint(settings, is_container()) {
                writeln!(out, "{hint}")?;
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

/// The host and port of the page's address. Where Sash listens on all addresses, a name with a port that it was given is
/// the one that a person opens: in a container its own address leads nowhere. A name without a port belongs to a proxy,
/// whose scheme is not known.
fn printed_host(address: SocketAddr, allow_host: &[String], own: Option<IpAddr>) -> String {
    if !address.ip().is_unspecified() {
        return address.to_string();
    }
    let has_port = |host: &&String| host.contains(':') && !host.ends_with(']');
    match allow_host.iter().find(has_port) {
        Some(host) => host.clone(),
        // Without a network other machines find nothing, and browsers refuse 0.0.0.0.
        None => {
            let own = own.unwrap_or(Ipv4Addr::LOCALHOST.into());
            SocketAddr::new(own, address.port()).to_string()
        }
    }
}

/// What to do where an engine is looked for inside the container. One that listens on loopback has the network of its
/// machine, or nobody could reach it.
fn container_hint(settings: &ProgramConfig, is_container: bool) -> Option<&'static str> {
    let listens_inside = settings.server.listen.ip().is_unspecified();
    let mut engines = settings.server.engines();
    let looks_inside = engines.any(|engine| engine.address.is_loopback());
    (is_container && listens_inside && looks_inside).then_some(
        "In this container 127.0.0.1 is the container itself. Set OLLAMA_HOST=host.docker.internal:11434 for the Ollama of its machine.",
    )
}

/// Whether this is a container of Docker or Podman, which leave these files in each.
fn is_container() -> bool {
    ["/.dockerenv", "/run/.containerenv"]
        .iter()
        .any(|file| Path::new(file).exists())
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

    fn host(listen: &str, allowed: &[&str], own: Option<&str>) -> String {
        let allowed: Vec<String> = allowed.iter().map(|host| (*host).to_owned()).collect();
        let own = own.map(|own| own.parse().unwrap());
        printed_host(listen.parse().unwrap(), &allowed, own)
    }

    #[test]
    fn the_printed_address_is_one_that_a_person_can_open() {
        let network = Some("192.0.2.7");
        assert_eq!(host("0.0.0.0:7274", &[], network), "192.0.2.7:7274");
        assert_eq!(
            host("[::]:7274", &[], Some("2001:db8::7")),
            "[2001:db8::7]:7274"
        );
        assert_eq!(
            host("127.0.0.1:7274", &["box.lan:80"], network),
            "127.0.0.1:7274"
        );
        assert_eq!(
            host("192.0.2.9:7274", &["box.lan:80"], network),
            "192.0.2.9:7274"
        );
    }

    /// The address of a container was printed, which its machine may not reach and no other machine does.
    #[test]
    fn in_a_container_the_published_name_is_printed() {
        let own = Some("172.17.0.2");
        let published = ["127.0.0.1:8080", "box.lan:8080"];
        assert_eq!(host("0.0.0.0:7274", &published, own), "127.0.0.1:8080");
        let proxied = ["chat.example.org", "[::1]", "box.lan:7274"];
        assert_eq!(host("0.0.0.0:7274", &proxied, own), "box.lan:7274");
        assert_eq!(host("0.0.0.0:7274", &proxied[..2], own), "172.17.0.2:7274");
    }

    /// http://0.0.0.0:7274 was printed, which Sash itself refuses.
    #[test]
    fn without_a_network_the_address_is_the_one_of_this_machine() {
        assert_eq!(host("0.0.0.0:7274", &[], None), "127.0.0.1:7274");
        assert_eq!(host("[::]:7274", &[], None), "127.0.0.1:7274");
    }

    #[test]
    fn who_looks_for_ollama_inside_a_container_is_told_where_it_is() {
        let mut settings = ProgramConfig::default();
        assert_eq!(
            container_hint(&settings, true),
            None,
            "the network of its machine"
        );
        settings.server.listen = "0.0.0.0:7274".parse().unwrap();
        assert_eq!(container_hint(&settings, false), None);
        assert!(container_hint(&settings, true).is_some_and(|hint| hint.contains("OLLAMA_HOST")));
        let address = sash_server::engine::Address::parse("host.docker.internal:11434");
        settings.server.engine.address = address.unwrap();
        assert_eq!(container_hint(&settings, true), None);
    }
}
