//! The engines of the configuration, from `--ollama`, `--openai`, `--openai-key-file` and `OLLAMA_HOST`.

use crate::config::ConfigError;
use crate::engine::{Address, ApiKey, EngineConfig, EngineProtocol, is_engine_name};
use clap::Args;
use std::path::Path;

/// The flags that name engines.
#[derive(Args, Clone, Debug)]
pub struct EngineFlags {
    /// Where Ollama is, written as in OLLAMA_HOST; may be repeated with a name for each: box=10.0.0.2
    /// [default without --openai: $OLLAMA_HOST, or 127.0.0.1:11434]
    // Its value may hold a password, so `--help` does not show it.
    #[arg(
        global = true,
        long,
        value_name = "[NAME=]ADDRESS",
        env = "SASH_OLLAMA",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub ollama: Vec<String>,
    /// An engine that speaks the OpenAI chat API (vLLM, llama-server, SGLang, LM Studio, a gateway):
    /// vllm=http://127.0.0.1:8000; may be repeated
    #[arg(
        global = true,
        long,
        value_name = "NAME=URL",
        env = "SASH_OPENAI",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub openai: Vec<String>,
    /// The file with the key of an engine of --openai; NAME= says of which, where there are several
    #[arg(
        global = true,
        long,
        value_name = "[NAME=]FILE",
        env = "SASH_OPENAI_KEY_FILE",
        value_delimiter = ','
    )]
    pub openai_key_file: Vec<String>,
}

/// The engines: the first one, and the others in the order of the flags, Ollamas first. `OLLAMA_HOST`, or else Ollama's
/// usual address, is used where no flag names an engine.
///
/// # Errors
/// [`ConfigError`] for an address, a name or a key file that cannot be used.
pub fn engines(
    flags: &EngineFlags,
    ollama_host: Option<&str>,
) -> Result<(EngineConfig, Vec<EngineConfig>), ConfigError> {
    let ollamas = flags.ollama.iter().map(|flag| ollama(flag));
    let openais = flags.openai.iter().map(|flag| openai(flag));
    let mut all = ollamas.chain(openais).collect::<Result<Vec<_>, _>>()?;
    if all.is_empty() {
        let address = ollama_address("OLLAMA_HOST", ollama_host.unwrap_or_default())?;
        all.push(EngineConfig::ollama(address));
    }
    for (at, engine) in all.iter().enumerate() {
        let is_taken = |other: &EngineConfig| other.name.eq_ignore_ascii_case(&engine.name);
        if all[..at].iter().any(is_taken) {
            return Err(ConfigError(format!(
                "Two engines have the name “{}”. Give each its own: --ollama name=address.",
                engine.name
            )));
        }
    }
    give_keys(&mut all, &flags.openai_key_file)?;
    let others = all.split_off(1);
    let first = all
        .pop()
        .ok_or_else(|| ConfigError("There is no engine.".to_owned()))?;
    Ok((first, others))
}

/// Splits `name=address`. An address has no `=`, so a flag without one is an address alone.
fn split_name<'a>(flag: &str, value: &'a str) -> Result<(Option<&'a str>, &'a str), ConfigError> {
    let Some((name, address)) = value.split_once('=') else {
        return Ok((None, value));
    };
    let name = name.trim();
    match is_engine_name(name) {
        true => Ok((Some(name), address)),
        // The name is not repeated: it may be the beginning of an address with a password.
        false => Err(ConfigError(format!(
            "The name of an engine in {flag} cannot be used: it may have letters, digits, - _ and . only, at most 40."
        ))),
    }
}

fn ollama(value: &str) -> Result<EngineConfig, ConfigError> {
    let (name, address) = split_name("--ollama", value)?;
    Ok(EngineConfig {
        name: name.unwrap_or(EngineConfig::DEFAULT_NAME).to_owned(),
        address: ollama_address("--ollama", address)?,
        protocol: EngineProtocol::Ollama,
    })
}

fn ollama_address(source: &str, value: &str) -> Result<Address, ConfigError> {
    // The value is not repeated, because it may contain a password.
    Address::parse(value).map_err(|reason| {
        ConfigError(format!(
            "The address of Ollama in {source} cannot be used: {reason}."
        ))
    })
}

/// Such an engine has no usual port, so its address is written with its scheme; `/v1` at its end, with which its API
/// begins, may be there or not.
fn openai(value: &str) -> Result<EngineConfig, ConfigError> {
    let refused = |reason: &str| {
        ConfigError(format!(
            "The engine in --openai cannot be used: {reason}. Write it like --openai vllm=http://127.0.0.1:8000."
        ))
    };
    let (name, address) = split_name("--openai", value)?;
    let name = name.ok_or_else(|| refused("it has no name"))?;
    let address = address.trim().trim_end_matches('/');
    let address = address.strip_suffix("/v1").unwrap_or(address);
    if !address.starts_with("http://") && !address.starts_with("https://") {
        return Err(refused(
            "its address begins neither with http:// nor with https://",
        ));
    }
    let parsed = Address::parse(address).map_err(|reason| refused(&reason.to_string()))?;
    if !parsed.warnings().is_empty() {
        return Err(refused("its port is not a number from 1 to 65535"));
    }
    Ok(EngineConfig {
        name: name.to_owned(),
        address: parsed,
        protocol: EngineProtocol::OpenAi(None),
    })
}

/// Reads the key files. A file without an engine's name is the key of the only engine that can have one: a key sent to
/// another engine would be given away.
fn give_keys(all: &mut [EngineConfig], flags: &[String]) -> Result<(), ConfigError> {
    for flag in flags {
        let mut takers: Vec<&mut EngineConfig> = all
            .iter_mut()
            .filter(|engine| matches!(engine.protocol, EngineProtocol::OpenAi(_)))
            .collect();
        let named = flag.split_once('=').and_then(|(name, file)| {
            let at = takers
                .iter()
                .position(|engine| engine.name == name.trim())?;
            Some((at, file))
        });
        let (at, file) = match named {
            Some(named) => named,
            None if takers.len() == 1 => (0, flag.as_str()),
            None => {
                return Err(ConfigError(
                    "--openai-key-file does not say whose key it is. Write it like --openai-key-file vllm=/path/to/file, with the name of an --openai."
                        .to_owned(),
                ));
            }
        };
        let key = ApiKey::read(Path::new(file.trim())).map_err(|reason| {
            ConfigError(format!(
                "The key file “{}” cannot be used: {reason}.",
                file.trim()
            ))
        })?;
        takers[at].protocol = EngineProtocol::OpenAi(Some(key));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    fn read(flags: &[&str], ollama_host: Option<&str>) -> Result<Vec<EngineConfig>, ConfigError> {
        let command = EngineFlags::augment_args(Command::new("sash"));
        let given = command.get_matches_from([&["sash"], flags].concat());
        let flags = EngineFlags::from_arg_matches(&given).unwrap();
        let (first, others) = engines(&flags, ollama_host)?;
        Ok(std::iter::once(first).chain(others).collect())
    }

    /// Each engine as `name address`.
    fn found(flags: &[&str], ollama_host: Option<&str>) -> Vec<String> {
        let all = read(flags, ollama_host).unwrap();
        let words = |engine: EngineConfig| format!("{} {}", engine.name, engine.address.base());
        all.into_iter().map(words).collect()
    }

    #[test]
    fn flags_name_engines_and_without_any_it_is_the_usual_ollama() {
        assert_eq!(found(&[], None), ["ollama http://127.0.0.1:11434"]);
        assert_eq!(found(&[], Some("box.lan")), ["ollama http://box.lan:11434"]);
        let flags = [
            "--openai",
            "vllm=http://10.0.0.1:8000/v1",
            "--ollama",
            "box.lan",
            "--ollama",
            "big=10.0.0.2",
        ];
        assert_eq!(
            found(&flags, Some("other.lan")),
            [
                "ollama http://box.lan:11434",
                "big http://10.0.0.2:11434",
                "vllm http://10.0.0.1:8000",
            ]
        );
        assert_eq!(
            found(
                &["--openai", "gw=https://gw.lan/team/v1/"],
                Some("other.lan")
            ),
            ["gw https://gw.lan:443/team"],
            "a flag comes before the environment"
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused_without_repeating_secrets() {
        for (flags, says) in [
            (
                &["--ollama", "a", "--ollama", "b"][..],
                "Two engines have the name “ollama”",
            ),
            (
                &["--ollama", "x=a", "--openai", "X=http://b"],
                "Two engines have the name “X”",
            ),
            (&["--openai", "http://box.lan:8000"], "no name"),
            (&["--openai", "x=box.lan:8000"], "neither with http://"),
            (&["--openai", "x=http://box.lan:port"], "port"),
            (&["--openai", "x=http://me:secret@box.lan"], "passwords"),
            (&["--ollama", "me secret=box.lan"], "The name of an engine"),
            (&["--ollama", "=box.lan"], "The name of an engine"),
            (&["--openai-key-file", "/secret"], "whose key"),
            (
                &[
                    "--openai",
                    "a=http://a",
                    "--openai",
                    "b=http://b",
                    "--openai-key-file",
                    "/no/file",
                ],
                "whose key",
            ),
            (
                &["--openai", "a=http://a", "--openai-key-file", "/no/file"],
                "cannot be read",
            ),
        ] {
            let error = read(flags, None).unwrap_err();
            assert!(error.0.contains(says), "{flags:?} {error}");
            assert!(!error.0.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_key_goes_to_its_engine_alone() {
        let file = std::env::temp_dir().join(format!("sash-flags-{}", std::process::id()));
        std::fs::write(&file, "sk-1\n").unwrap();
        let named = format!("b={}", file.display());
        let engines = ["--openai", "a=http://a", "--openai", "b=http://b"];
        let all = read(
            &[&engines[..], &["--openai-key-file", &named]].concat(),
            None,
        )
        .unwrap();
        assert_eq!(all[0].protocol, EngineProtocol::OpenAi(None));
        let key = ApiKey::new("sk-1").unwrap();
        assert_eq!(all[1].protocol, EngineProtocol::OpenAi(Some(key.clone())));
        let path = file.display().to_string();
        let only = read(
            &["--openai", "a=http://a", "--openai-key-file", &path],
            None,
        )
        .unwrap();
        assert_eq!(only[0].protocol, EngineProtocol::OpenAi(Some(key)));
        std::fs::remove_file(&file).unwrap();
    }
}
