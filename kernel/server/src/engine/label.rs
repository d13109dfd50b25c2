//! The name of an engine in its faults.

use super::html::{html_title, is_html};
use sash_wire::Fault;

/// How the faults of an engine name it: an Ollama by its address, as `ollama serve` prints it; any other engine by its
/// name in the configuration, so that no address reaches the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineLabel {
    /// An Ollama at this address.
    Ollama(String),
    /// An engine that speaks the OpenAI chat API, with this name.
    OpenAi(String),
}

impl EngineLabel {
    /// The address of an Ollama; empty for another engine, whose address the page is not told.
    #[must_use]
    pub fn address(&self) -> &str {
        match self {
            Self::Ollama(address) => address,
            Self::OpenAi(_) => "",
        }
    }

    /// Nothing answers at its address.
    #[must_use]
    pub fn unreachable(&self) -> Fault {
        match self {
            Self::Ollama(address) => Fault::OllamaUnreachable {
                address: address.clone(),
            },
            Self::OpenAi(engine) => Fault::EngineUnreachable {
                engine: engine.clone(),
            },
        }
    }

    /// The connection broke during an answer.
    #[must_use]
    pub fn lost(&self) -> Fault {
        match self {
            Self::Ollama(_) => Fault::OllamaLost,
            Self::OpenAi(engine) => Fault::EngineLost {
                engine: engine.clone(),
            },
        }
    }

    /// No byte came in time.
    #[must_use]
    pub fn silent(&self, seconds: u64) -> Fault {
        match self {
            Self::Ollama(_) => Fault::OllamaSilent { seconds },
            Self::OpenAi(engine) => Fault::EngineSilent {
                engine: engine.clone(),
                seconds,
            },
        }
    }

    /// A reply that is compressed, although every request asks for one that is not.
    #[must_use]
    pub fn compressed(&self, status: u16, encoding: &str) -> Fault {
        let words = format!("Content-Encoding: {encoding}");
        self.unexpected(status, &format!("in {encoding}"), &words)
    }

    /// A reply that does not come from such an engine, with its first 200 characters as text; for an HTML page with its
    /// title, because markup does not help a person.
    #[must_use]
    pub fn unexpected(&self, status: u16, content_type: &str, text: &str) -> Fault {
        let kind = match content_type.split(';').next().map(str::trim) {
            Some(kind) if !kind.is_empty() => kind.chars().take(100).collect(),
            _ => "no content type".to_owned(),
        };
        let excerpt = match is_html(&kind, text) {
            true => html_title(text).unwrap_or_default(),
            false => {
                let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
                plain.take(200).collect::<String>().trim().to_owned()
            }
        };
        match self {
            Self::Ollama(_) => Fault::UnexpectedReply {
                status,
                content_type: kind,
                excerpt,
            },
            Self::OpenAi(engine) => Fault::EngineUnexpected {
                engine: engine.clone(),
                status,
                excerpt,
            },
        }
    }
}
