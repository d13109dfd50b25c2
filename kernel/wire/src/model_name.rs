//! Ollama's grammar of model names: `[host/][namespace/]model[:tag]`. The page checks a name before
//! it asks the server, and the server before it asks Ollama.

use super::Fault;

/// The registry of a name without a host.
const DEFAULT_HOST: &str = "registry.ollama.ai";

/// A model name that is valid in Ollama's grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelName<'a> {
    /// The registry, if the name contains one. Pulling such a name makes Ollama contact that host.
    pub host: Option<&'a str>,
}

impl<'a> ModelName<'a> {
    /// Validates a name before it is sent to Ollama.
    ///
    /// # Errors
    /// [`Fault::InvalidModelName`] if it is not in the grammar: parts of 1 to 80 characters of
    /// `A-Z a-z 0-9 _ - .`, the first one a letter, a digit or `_`; no dot in a namespace.
    pub fn parse(name: &'a str) -> Result<Self, Fault> {
        read(name).ok_or_else(|| Fault::InvalidModelName {
            model: name.chars().take(200).collect(),
        })
    }

    /// The host, unless it is Ollama's own registry or on the list.
    #[must_use]
    pub fn foreign_host(&self, allowed: &[String]) -> Option<&'a str> {
        let known = |host: &str| {
            host.eq_ignore_ascii_case(DEFAULT_HOST)
                || allowed.iter().any(|a| a.eq_ignore_ascii_case(host))
        };
        self.host.filter(|host| !known(host))
    }
}

fn read(name: &str) -> Option<ModelName<'_>> {
    if name.contains("..") {
        return None;
    }
    let slash = name.rfind('/').map_or(0, |at| at + 1);
    let (path, tag) = match name[slash..].find(':') {
        Some(colon) => (&name[..slash + colon], Some(&name[slash + colon + 1..])),
        None => (name, None),
    };
    let mut parts: Vec<&str> = path.split('/').collect();
    let model = parts.pop()?;
    let namespace = parts.pop();
    let host = parts.pop();
    let fits = parts.is_empty()
        && is_part(model, true)
        && tag.is_none_or(|tag| is_part(tag, true))
        && namespace.is_none_or(|namespace| is_part(namespace, false))
        && host.is_none_or(is_host);
    fits.then_some(ModelName { host })
}

fn is_part(part: &str, dots: bool) -> bool {
    let first = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let next = |b: u8| first(b) || b == b'-' || (dots && b == b'.');
    (1..=80).contains(&part.len()) && first(part.as_bytes()[0]) && part.bytes().all(next)
}

fn is_host(host: &str) -> bool {
    let (name, port) = host
        .split_once(':')
        .map_or((host, None), |(n, p)| (n, Some(p)));
    let next = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    (1..=350).contains(&name.len())
        && name.as_bytes()[0].is_ascii_alphanumeric()
        && name.bytes().all(next)
        && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_grammar_are_taken() {
        let long = "a".repeat(80);
        for (name, host) in [
            ("llama3.2", None),
            ("llama3.2:3b-instruct_q4", None),
            ("_x", None),
            ("library/llama3.2:latest", None),
            ("gpt-oss:120b-cloud", None),
            (long.as_str(), None),
            (
                "registry.ollama.ai/library/llama3",
                Some("registry.ollama.ai"),
            ),
            ("hf.co/bartowski/Llama-3.2-3B-GGUF:Q4_K_M", Some("hf.co")),
            ("localhost:5000/me/mine:1", Some("localhost:5000")),
        ] {
            assert_eq!(ModelName::parse(name).unwrap().host, host, "{name}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let long = "a".repeat(81);
        for name in [
            "",
            " ",
            "bad name!",
            "llama3:",
            ":latest",
            "-x",
            ".x",
            "a/b/c/d",
            "a..b",
            "../etc",
            "http://evil/x/y",
            "user@host/x/y",
            "hf.co/model",
            "a/",
            "/a",
            "a:b:c",
            "é",
            "a\nb",
            "x?y",
            "x%2f",
            long.as_str(),
            "h:99999/n/m",
        ] {
            let refused = ModelName::parse(name).unwrap_err();
            assert_eq!(refused.status(), 400, "{name:?}");
        }
    }

    #[test]
    fn a_host_is_foreign_unless_listed() {
        let allowed = vec!["hf.co".to_owned()];
        let foreign = |name| {
            let name: ModelName<'_> = ModelName::parse(name).unwrap();
            name.foreign_host(&allowed).map(str::to_owned)
        };
        assert_eq!(foreign("llama3"), None);
        assert_eq!(foreign("HF.co/a/b"), None);
        assert_eq!(foreign("registry.ollama.ai/library/x"), None);
        assert_eq!(
            foreign("169.254.169.254/a/b"),
            Some("169.254.169.254".into())
        );
    }
}
