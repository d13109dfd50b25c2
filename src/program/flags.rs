//! Flags and environment variables.

use super::version::long_version;
use clap::builder::FalseyValueParser;
use clap::{Parser, Subcommand};
use sash_server::engine_flags::EngineFlags;
use std::path::PathBuf;

/// The end of the help: what to start with, and where more is to be found for who has this program alone.
const AFTER_HELP: &str = concat!(
    "Examples:\n",
    "  sash                                      The page is at http://127.0.0.1:7274; Ctrl+C stops it\n",
    "  sash --demo                               Look around without Ollama\n",
    "  sash --open                               Open the page too\n",
    "  sash --listen 0.0.0.0:7274 --token auto   For a phone or another machine of your network\n",
    "\n",
    "Documentation, source, what is new: ",
    env!("CARGO_PKG_REPOSITORY"),
    "\n",
    "Licence: ",
    env!("CARGO_PKG_LICENSE"),
    ".\n",
    "Licences of what is built in: in the folder licences beside the program, or in /usr/share/doc/sash.",
);

/// A chat page for Ollama that shows exactly what the model sees.
#[derive(Clone, Debug, Parser)]
#[command(after_help = AFTER_HELP)]
#[command(name = "sash", version, about, long_about = None)]
#[command(long_version = long_version())]
pub struct Flags {
    /// Where Sash listens. Anything but this machine needs --token
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "SASH_LISTEN",
        default_value = "127.0.0.1:7274"
    )]
    pub listen: String,
    /// The engines.
    #[command(flatten)]
    pub engines: EngineFlags,
    /// Answer with the built-in demo; no Ollama is needed
    #[arg(global = true, long, env = "SASH_DEMO", value_parser = FalseyValueParser::new())]
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
    /// Believe this proxy, an IP address or a network such as 10.0.0.0/8, when it says in Forwarded or
    /// X-Forwarded-For who asks; may be repeated
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "SASH_TRUST_PROXY",
        value_delimiter = ','
    )]
    pub trust_proxy: Vec<String>,
    /// Require this token, or one made at each start: "auto"
    #[arg(long, value_name = "TOKEN", env = "SASH_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Answer MCP clients too, at /mcp: other programs may ask the models through Sash. Their chats are kept in memory
    #[arg(long, env = "SASH_MCP", value_parser = FalseyValueParser::new())]
    pub mcp: bool,
    /// Keep a backup of the chats in this folder; a browser gets its key with the address that Sash prints. For one
    /// person: not with --trust-proxy
    #[arg(long, value_name = "FOLDER", env = "SASH_BACKUP")]
    pub backup: Option<PathBuf>,
    /// Never have a model read a prompt before it is sent
    #[arg(long, env = "SASH_NO_READ_AHEAD", value_parser = FalseyValueParser::new())]
    pub no_read_ahead: bool,
    /// What is logged: error, warn, info, debug, trace, or a filter such as sash=debug
    #[arg(
        global = true,
        long,
        value_name = "FILTER",
        env = "SASH_LOG",
        default_value = "warn,sash=info"
    )]
    pub log: String,
    /// How long Ollama may take to its first token, loading included
    #[arg(global = true, long, value_name = "SECONDS", env = "SASH_FIRST_BYTE", default_value_t = 300,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub first_byte: u64,
    /// How long Ollama may be silent in the middle of an answer
    #[arg(global = true, long, value_name = "SECONDS", env = "SASH_SILENCE", default_value_t = 120,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub silence: u64,
    /// How long an answer goes on when its page is gone, so that a reload does not lose it; 0 switches that off
    #[arg(
        long,
        value_name = "SECONDS",
        env = "SASH_LINGER",
        default_value_t = 600,
        value_parser = clap::value_parser!(u64).range(..=MAX_LINGER_SECONDS)
    )]
    pub linger: u64,
    /// How many answers are written at once
    #[arg(global = true, long, value_name = "NUMBER", env = "SASH_GENERATIONS", default_value_t = 4,
          value_parser = clap::value_parser!(u16).range(1..))]
    pub generations: u16,
    /// How many messages one request may hold, the prompt included; more are refused, never trimmed
    #[arg(global = true, long, value_name = "NUMBER", env = "SASH_MAX_MESSAGES", default_value_t = 1000,
          value_parser = messages)]
    pub max_messages: usize,
    /// How large one request may be, images included; larger ones are refused
    #[arg(global = true, long, value_name = "BYTES", env = "SASH_MAX_BODY", default_value_t = 25_165_824,
          value_parser = bytes)]
    pub max_body: usize,
    /// What to do instead of serving the page.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What Sash does instead of serving the page.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Speak MCP over standard input and output, for clients that start Sash themselves; no port is bound
    Mcp,
}

/// A week: an answer is a matter of minutes.
const MAX_LINGER_SECONDS: u64 = 7 * 24 * 60 * 60;
/// A smaller limit would refuse the page's own calls.
const MIN_BODY_BYTES: usize = 1024;

fn messages(text: &str) -> Result<usize, String> {
    match text.trim().parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("it must be a whole number of messages, at least 1".to_owned()),
    }
}

fn bytes(text: &str) -> Result<usize, String> {
    match text.trim().parse() {
        Ok(number) if number >= MIN_BODY_BYTES => Ok(number),
        _ => Err(format!(
            "it must be a whole number of bytes, at least {MIN_BODY_BYTES}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(flag: &str, value: &str) -> String {
        let args = ["sash".to_owned(), format!("{flag}={value}")];
        let error = Flags::try_parse_from(args).unwrap_err().to_string();
        assert!(error.contains(flag), "{error}");
        error
    }

    #[test]
    fn limits_that_make_no_sense_are_refused_in_a_sentence() {
        for nonsense in ["0", "-1", "", "ten", "1.5", "1e3", "99999999999999999999"] {
            let error = refused("--max-messages", nonsense);
            assert!(
                error.contains("a whole number of messages, at least 1"),
                "{error}"
            );
        }
        for nonsense in ["0", "1023", "2M", "2 MiB", "-5", "all"] {
            let error = refused("--max-body", nonsense);
            assert!(
                error.contains("a whole number of bytes, at least 1024"),
                "{error}"
            );
        }
        for nonsense in ["-1", "", "ten", "604801"] {
            refused("--linger", nonsense);
        }
    }
}
