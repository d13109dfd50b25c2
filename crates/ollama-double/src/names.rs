//! Model names: `[host/][namespace/]model[:tag]`, parsed as Ollama does.

/// A full model name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The registry; `registry.ollama.ai` by default.
    pub host: String,
    /// The namespace; `library` by default.
    pub namespace: String,
    /// The model.
    pub model: String,
    /// The tag; `latest` by default.
    pub tag: String,
}

const HOST: &str = "registry.ollama.ai";
const NAMESPACE: &str = "library";

impl Name {
    /// Parses a name; `None` if it is invalid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (path, tag) = match text.rsplit_once(':') {
            Some((path, tag)) if !tag.contains('/') => (path, tag),
            _ => (text, "latest"),
        };
        let mut parts = path.rsplitn(3, '/');
        let model = parts.next()?;
        let namespace = parts.next().unwrap_or(NAMESPACE);
        let host = parts.next().unwrap_or(HOST);
        let valid = part(model, 80, "-_.")
            && part(tag, 80, "-_.")
            && part(namespace, 80, "-_")
            && part(host, 350, "-_.:");
        valid.then(|| Self {
            host: host.to_owned(),
            namespace: namespace.to_owned(),
            model: model.to_owned(),
            tag: tag.to_owned(),
        })
    }

    /// The name with every part: `registry.ollama.ai/library/tiny:latest`.
    #[must_use]
    pub fn full(&self) -> String {
        let Self {
            host,
            namespace,
            model,
            tag,
        } = self;
        format!("{host}/{namespace}/{model}:{tag}")
    }

    /// The name without the default host and namespace: `tiny:latest`.
    #[must_use]
    pub fn short(&self) -> String {
        let full = self.full();
        let full = full.strip_prefix("registry.ollama.ai/").unwrap_or(&full);
        full.strip_prefix("library/").unwrap_or(full).to_owned()
    }

    /// The key under which all spellings of the name are equal: names ignore case.
    #[must_use]
    pub fn key(&self) -> String {
        self.full().to_lowercase()
    }

    /// Whether the name has a registry of its own.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        !self.host.eq_ignore_ascii_case(HOST)
    }

    /// Whether the tag selects a cloud model.
    #[must_use]
    pub fn is_cloud(&self) -> bool {
        self.tag == "cloud" || self.tag.ends_with("-cloud")
    }
}

fn part(text: &str, most: usize, also: &str) -> bool {
    let first = text.chars().next();
    text.len() <= most
        && first.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || also.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_refuses() {
        let short = |text| Name::parse(text).map(|name| name.short());
        assert_eq!(short("tiny").as_deref(), Some("tiny:latest"));
        assert_eq!(short("ns/tiny:v1").as_deref(), Some("ns/tiny:v1"));
        assert_eq!(
            short("127.0.0.1:5055/ns/tiny").as_deref(),
            Some("127.0.0.1:5055/ns/tiny:latest")
        );
        for bad in ["", "bad name", "bad name!", "llama3:", "-x", "a.b/c", ".."] {
            assert_eq!(short(bad), None, "{bad}");
        }
    }
}
