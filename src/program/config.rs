//! Builds the settings from flags and environment variables.

use super::flags::Flags;
use super::room_limits::RoomLimits;
use backup::BackupPlaces;
use sash_door::guard::{Proxies, Token, is_host};
use sash_server::config::{ConfigError, PORT, ServerConfig};
use sash_server::engine_flags::engines;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// The settings of the program.
#[derive(Clone, Debug)]
pub struct ProgramConfig {
    /// Those of the server of the chat.
    pub server: ServerConfig,
    /// Whether MCP clients are answered at `/mcp`.
    pub mcp: bool,
    /// Where the backup is kept.
    pub backup: Option<BackupPlaces>,
    /// Whether models read prompts before they are sent.
    pub reads_ahead: bool,
    /// The limits of rooms.
    pub rooms: RoomLimits,
}

impl Default for ProgramConfig {
    /// The settings of `sash` without flags.
    fn default() -> Self {
        Self {
            server: ServerConfig::default(),
            mcp: false,
            backup: None,
            reads_ahead: true,
            rooms: RoomLimits::default(),
        }
    }
}

impl ProgramConfig {
    /// Builds the settings. `ollama_host` is the environment's `OLLAMA_HOST`, used if neither `--ollama` nor
    /// `SASH_OLLAMA` is given.
    ///
    /// # Errors
    /// [`ConfigError`] for an invalid address, for a weak token, and for a listen address that others can
    /// reach without a token.
    pub fn new(flags: &Flags, ollama_host: Option<&str>) -> Result<Self, ConfigError> {
        let defaults = Self::default();
        let listen = listen_address(&flags.listen)?;
        let token = flags.token.as_deref().map(Token::from_flag).transpose();
        let token = token.map_err(|reason| ConfigError(format!("--token: {reason}.")))?;
        if !listen.ip().is_loopback() && token.is_none() {
            return Err(ConfigError(format!(
                "Others can reach {listen}, so Sash will not listen there without a token. Add --token auto, or listen on 127.0.0.1."
            )));
        }
        if flags.backup.is_some()
            && flags
                .trust_proxy
                .iter()
                .any(|proxy| !proxy.trim().is_empty())
        {
            return Err(ConfigError(
                "--backup: a backup holds the chats of one person, and --trust-proxy is for a Sash that serves several. Leave one of them out.".to_owned(),
            ));
        }
        let mut limits = defaults.server.limits;
        limits.set_generations(usize::from(flags.generations));
        limits.messages = flags.max_messages;
        limits.prompt_bytes = flags.max_body;
        limits.body_bytes = limits.body_bytes.min(flags.max_body);
        limits.patience.first_byte = Duration::from_secs(flags.first_byte);
        limits.patience.silence = Duration::from_secs(flags.silence);
        let mut rooms = defaults.rooms;
        rooms.linger.linger = Duration::from_secs(flags.linger);
        let (engine, more_engines) = engines(&flags.engines, ollama_host)?;
        let allow_registry =
            [defaults.server.allow_registry, named(&flags.allow_registry)].concat();
        Ok(Self {
            server: ServerConfig {
                listen,
                engine,
                more_engines,
                demo: flags.demo,
                allow_host: allowed_hosts(&flags.allow_host)?,
                allow_registry,
                trust_proxy: trusted_proxies(&flags.trust_proxy)?,
                token,
                limits,
            },
            mcp: flags.mcp,
            backup: flags.backup.clone().map(BackupPlaces::new),
            reads_ahead: !flags.no_read_ahead,
            rooms,
        })
    }
}

fn allowed_hosts(list: &[String]) -> Result<Vec<String>, ConfigError> {
    let hosts = named(list);
    if let Some(wrong) = hosts.iter().find(|host| !is_host(host)) {
        return Err(ConfigError(format!(
            "--allow-host: “{wrong}” is no name that a browser sends. Leave out https:// and what follows the name and the port, as in chat.example.org or box.lan:{PORT}."
        )));
    }
    Ok(hosts)
}

fn trusted_proxies(list: &[String]) -> Result<Proxies, ConfigError> {
    let networks = named(list).into_iter().map(|text| text.parse());
    let networks = networks.collect::<Result<_, String>>();
    let networks = networks.map_err(|reason| ConfigError(format!("--trust-proxy: {reason}.")))?;
    Ok(Proxies::new(networks))
}

fn named(list: &[String]) -> Vec<String> {
    let trimmed = list.iter().map(|entry| entry.trim().to_owned());
    trimmed.filter(|entry| !entry.is_empty()).collect()
}

/// `IP:PORT`, an IP alone, or `localhost` with or without a port.
fn listen_address(text: &str) -> Result<SocketAddr, ConfigError> {
    let text = text.trim();
    let host = text
        .strip_prefix("localhost")
        .filter(|rest| rest.is_empty() || rest.starts_with(':'));
    let numeric = match host {
        Some(rest) => format!("127.0.0.1{rest}"),
        None => text.to_owned(),
    };
    let bare = numeric.trim_start_matches('[').trim_end_matches(']');
    let address = numeric.parse::<SocketAddr>().ok();
    let alone = || {
        bare.parse::<IpAddr>()
            .ok()
            .map(|ip| SocketAddr::new(ip, PORT))
    };
    address.or_else(alone).ok_or_else(|| {
        ConfigError(format!(
            "“{text}” is not an address to listen on. Write it like 127.0.0.1:{PORT}."
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use sash_server::limits::Limits;

    fn settings(flags: &[&str], ollama_host: Option<&str>) -> Result<ProgramConfig, ConfigError> {
        let flags = [&["sash"], flags].concat();
        ProgramConfig::new(&Flags::try_parse_from(flags).unwrap(), ollama_host)
    }

    #[test]
    fn a_flag_comes_before_the_environment_and_that_before_the_default() {
        let base = |flags: &[&str], env| {
            settings(flags, env)
                .unwrap()
                .server
                .engine
                .address
                .base()
                .to_owned()
        };
        assert_eq!(base(&[], None), "http://127.0.0.1:11434");
        assert_eq!(base(&[], Some("box.lan:1")), "http://box.lan:1");
        assert_eq!(
            base(&["--ollama", "flag.lan:2"], Some("box.lan:1")),
            "http://flag.lan:2"
        );
    }

    #[test]
    fn an_address_with_a_password_is_refused_without_repeating_it() {
        let error = settings(&[], Some("http://me:secret@box.lan")).unwrap_err();
        assert!(error.0.contains("OLLAMA_HOST"), "{error}");
        assert!(!error.0.contains("secret"), "{error}");
    }

    #[test]
    fn listen_addresses_are_numbers_or_localhost() {
        for (text, expected) in [
            ("127.0.0.1:7274", "127.0.0.1:7274"),
            ("127.0.0.1", "127.0.0.1:7274"),
            ("localhost", "127.0.0.1:7274"),
            ("localhost:80", "127.0.0.1:80"),
            ("[::1]:9", "[::1]:9"),
            ("::1", "[::1]:7274"),
            ("[::1]", "[::1]:7274"),
        ] {
            assert_eq!(listen_address(text).unwrap().to_string(), expected);
        }
        for text in [
            "",
            "example.com:80",
            "localhostile",
            "127.0.0.1:x",
            "127.1:80",
        ] {
            assert!(listen_address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn others_can_only_reach_sash_with_a_token() {
        for listen in ["0.0.0.0:7274", "[::]:7274", "192.168.1.2:7274"] {
            let error = settings(&["--listen", listen], None).unwrap_err();
            assert!(error.0.contains("--token auto"), "{error}");
            assert!(settings(&["--listen", listen, "--token", "auto"], None).is_ok());
        }
        assert!(settings(&["--listen", "[::1]:7274"], None).is_ok());
        assert!(settings(&["--token", "short"], None).is_err());
    }

    #[test]
    fn a_sash_for_several_people_keeps_no_backup() {
        let backup = |more: &[&str]| settings(&[&["--backup", "folder"], more].concat(), None);
        let places = backup(&[]).unwrap().backup.unwrap();
        assert_eq!(places.directory.to_str(), Some("folder"));
        let error = backup(&["--trust-proxy", "127.0.0.1"]).unwrap_err();
        assert!(error.0.contains("--trust-proxy"), "{error}");
    }

    #[test]
    fn trusted_proxies_are_addresses_and_networks() {
        let trusts = |flags: &[&str], address: &str| {
            let proxies = settings(flags, None).unwrap().server.trust_proxy;
            proxies.trusts(address.parse().unwrap())
        };
        assert!(!trusts(&[], "127.0.0.1"), "nobody by default");
        let flags = [
            "--trust-proxy",
            "10.0.0.0/8, ::1,",
            "--trust-proxy",
            "192.0.2.1",
        ];
        for address in ["10.1.2.3", "::1", "192.0.2.1"] {
            assert!(trusts(&flags, address), "{address}");
        }
        assert!(!trusts(&flags, "192.0.2.2"));
        let error = settings(&["--trust-proxy", "proxy.example"], None).unwrap_err();
        assert!(
            error
                .0
                .contains("--trust-proxy: “proxy.example” is neither"),
            "{error}"
        );
    }

    #[test]
    fn limits_of_connections_follow_the_number_of_answers() {
        let limits = |answers: &str| {
            settings(&["--generations", answers], None)
                .unwrap()
                .server
                .limits
        };
        for (answers, each, all) in [
            ("1", 16, 256),
            ("4", 16, 256),
            ("40", 160, 640),
            ("65535", 262_140, 1_048_560),
        ] {
            let limits = limits(answers);
            assert_eq!(
                (limits.connections.each, limits.connections.at_once),
                (each, all),
                "{answers}"
            );
        }
    }

    #[test]
    fn registries_are_added_to_the_known_ones() {
        let flags = [
            "--allow-registry",
            "a.example,b.example",
            "--allow-host",
            "chat.example",
        ];
        let settings = settings(&flags, None).unwrap();
        assert_eq!(
            settings.server.allow_registry,
            ["hf.co", "huggingface.co", "a.example", "b.example"]
        );
        assert_eq!(settings.server.allow_host, ["chat.example"]);
    }

    /// Sash started, and refused the name that it was given.
    #[test]
    fn names_that_no_browser_sends_are_refused() {
        let hosts = |list: &str| {
            let read = settings(&["--allow-host", list], None).ok()?;
            Some(read.server.allow_host)
        };
        for list in [
            "https://chat.example",
            "chat.example/",
            "chat.example,box.lan:7274/sash",
            ":7274",
            "box.lan:",
            "box.lan:99999",
            "::1",
            "me@box.lan",
            "*.example",
        ] {
            assert_eq!(hosts(list), None, "{list}");
        }
        let right = ["chat.example", "box.lan:7274", "[::1]", "192.0.2.7:80"];
        // An empty list in the environment names nothing.
        assert_eq!(hosts(&right.join(", ")).unwrap(), right);
        assert_eq!(hosts(""), Some(Vec::new()));
    }

    #[test]
    fn limits_of_requests_are_what_the_flags_say() {
        let limits = |flags: &[&str]| settings(flags, None).unwrap().server.limits;
        let usual = limits(&[]);
        assert_eq!((usual.messages, usual.prompt_bytes), (1000, 24 << 20));
        assert_eq!(usual.prompt_bytes, Limits::default().prompt_bytes);
        assert_eq!(usual.messages, Limits::default().messages);
        let small = limits(&["--max-messages", "1", "--max-body", "1024"]);
        assert_eq!((small.messages, small.prompt_bytes), (1, 1024));
        // The limit of a call without a prompt may not exceed that of a prompt.
        assert_eq!((small.body_bytes, usual.body_bytes), (1024, 2 << 20));
    }
}
