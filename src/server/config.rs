//! Flags, environment variables, and what they come to.

use crate::server::guard::Token;
use crate::server::limits::Limits;
use crate::server::ollama::Address;
use clap::Parser;
use clap::builder::FalseyValueParser;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

/// S-A-S-H on a telephone.
const PORT: u16 = 7274;

/// A chat page for Ollama that shows exactly what the model sees.
#[derive(Clone, Debug, Parser)]
#[command(name = "sash", version, about, long_about = None)]
pub struct Args {
    /// Where Sash listens. Anything but this machine needs --token
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "SASH_LISTEN",
        default_value = "127.0.0.1:7274"
    )]
    pub listen: String,
    /// Where Ollama is, written as in OLLAMA_HOST [default: $OLLAMA_HOST, or 127.0.0.1:11434]
    // Its value may hold a password, so `--help` does not show it.
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "SASH_OLLAMA",
        hide_env_values = true
    )]
    pub ollama: Option<String>,
    /// Answer with the built-in demo; no Ollama is needed
    #[arg(long, env = "SASH_DEMO", value_parser = FalseyValueParser::new())]
    pub demo: bool,
    /// Open the page in the browser
    #[arg(long, env = "SASH_OPEN", value_parser = FalseyValueParser::new())]
    pub open: bool,
    /// Answer under this name too, port included (for a proxy in front); may be repeated
    #[arg(
        long,
        value_name = "HOST",
        env = "SASH_ALLOW_HOST",
        value_delimiter = ','
    )]
    pub allow_host: Vec<String>,
    /// Pull models from this registry too, beside Ollama's own, hf.co and huggingface.co; may be repeated
    #[arg(
        long,
        value_name = "HOST",
        env = "SASH_ALLOW_REGISTRY",
        value_delimiter = ','
    )]
    pub allow_registry: Vec<String>,
    /// Require this token, or one made at each start: "auto"
    #[arg(long, value_name = "TOKEN", env = "SASH_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// What is logged: error, warn, info, debug, trace, or a filter such as sash=debug
    #[arg(
        long,
        value_name = "FILTER",
        env = "SASH_LOG",
        default_value = "warn,sash=info"
    )]
    pub log: String,
    /// How long Ollama may take to its first token, loading included
    #[arg(long, value_name = "SECONDS", env = "SASH_FIRST_BYTE", default_value_t = 300,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub first_byte: u64,
    /// How long Ollama may be silent in the middle of an answer
    #[arg(long, value_name = "SECONDS", env = "SASH_SILENCE", default_value_t = 120,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub silence: u64,
    /// How many answers are written at once
    #[arg(long, value_name = "NUMBER", env = "SASH_GENERATIONS", default_value_t = 4,
          value_parser = clap::value_parser!(u16).range(1..))]
    pub generations: u16,
}

/// What the server is started with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where Ollama is.
    pub ollama: Address,
    /// Always the demo.
    pub demo: bool,
    /// Further names to answer under.
    pub allow_host: Vec<String>,
    /// Registries beside Ollama's own.
    pub allow_registry: Vec<String>,
    /// What every request must carry.
    pub token: Option<Token>,
    /// How much of everything.
    pub limits: Limits,
}

impl Default for Settings {
    /// As `sash` without flags: this machine only, and Ollama where it usually is.
    fn default() -> Self {
        let ollama = SocketAddr::from((Ipv4Addr::LOCALHOST, 11434));
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)),
            ollama: Address::local(ollama),
            demo: false,
            allow_host: Vec::new(),
            allow_registry: vec!["hf.co".to_owned(), "huggingface.co".to_owned()],
            token: None,
            limits: Limits::default(),
        }
    }
}

/// A setting that cannot be used, in a sentence for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(pub String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

impl Settings {
    /// What these flags come to. `ollama_host` is the environment's `OLLAMA_HOST`, which counts when
    /// neither `--ollama` nor `SASH_OLLAMA` is given.
    ///
    /// # Errors
    /// [`ConfigError`] for an address that cannot be used, for a weak token, and for a listen address
    /// that others can reach without a token.
    pub fn new(args: &Args, ollama_host: Option<&str>) -> Result<Self, ConfigError> {
        let defaults = Self::default();
        let listen = listen_address(&args.listen)?;
        let token = args.token.as_deref().map(Token::from_flag).transpose();
        let token = token.map_err(|reason| ConfigError(format!("--token: {reason}.")))?;
        if !listen.ip().is_loopback() && token.is_none() {
            return Err(ConfigError(format!(
                "Others can reach {listen}, so Sash will not listen there without a token. Add --token auto, or listen on 127.0.0.1."
            )));
        }
        let mut limits = defaults.limits;
        limits.generations = usize::from(args.generations);
        limits.patience.first_byte = Duration::from_secs(args.first_byte);
        limits.patience.silence = Duration::from_secs(args.silence);
        let allow_registry = [defaults.allow_registry, named(&args.allow_registry)].concat();
        Ok(Self {
            listen,
            ollama: ollama_address(args.ollama.as_deref(), ollama_host)?,
            demo: args.demo,
            allow_host: named(&args.allow_host),
            allow_registry,
            token,
            limits,
        })
    }
}

fn named(list: &[String]) -> Vec<String> {
    let trimmed = list.iter().map(|entry| entry.trim().to_owned());
    trimmed.filter(|entry| !entry.is_empty()).collect()
}

fn ollama_address(given: Option<&str>, ollama_host: Option<&str>) -> Result<Address, ConfigError> {
    let (name, value) = match (given, ollama_host) {
        (Some(value), _) => ("--ollama", value),
        (None, Some(value)) => ("OLLAMA_HOST", value),
        (None, None) => ("OLLAMA_HOST", ""),
    };
    // The value is not repeated: it may hold a password.
    Address::parse(value).map_err(|reason| {
        ConfigError(format!(
            "The address of Ollama in {name} cannot be used: {reason}."
        ))
    })
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

    fn settings(args: &[&str], ollama_host: Option<&str>) -> Result<Settings, ConfigError> {
        let args = [&["sash"], args].concat();
        Settings::new(&Args::try_parse_from(args).unwrap(), ollama_host)
    }

    #[test]
    fn a_flag_comes_before_the_environment_and_that_before_the_default() {
        let base = |args: &[&str], env| settings(args, env).unwrap().ollama.base().to_owned();
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
    fn registries_are_added_to_the_known_ones() {
        let args = [
            "--allow-registry",
            "a.example,b.example",
            "--allow-host",
            "chat.example",
        ];
        let settings = settings(&args, None).unwrap();
        assert_eq!(
            settings.allow_registry,
            ["hf.co", "huggingface.co", "a.example", "b.example"]
        );
        assert_eq!(settings.allow_host, ["chat.example"]);
    }
}
