//! Routes of text that the person has not sent yet.
//!
//! A draft leaves the machine with Enter, and nothing that was not sent reaches an engine that another person runs.
//! This rule decides for every request that goes out before Enter; the page asks it before it sends one, the server
//! before it passes one on.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// How an engine is reached, as far as the rule for unsent text needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineReach {
    /// An Ollama or a `llama-server` that was seen to run on the machine that runs Sash: text stays there.
    Local,
    /// An Ollama or a `llama-server` at a loopback address where it could not be seen what listens: it may be the end of
    /// a tunnel or of a proxy.
    Loopback,
    /// An Ollama or a `llama-server` at another address.
    Remote,
    /// Anything else, at whatever address: a gateway may pass text on to anyone.
    #[default]
    #[serde(other)]
    Unknown,
}

/// The mark of a request that carries a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftMark {
    /// The person made no choice for this engine.
    Unasked,
    /// The person switched it on for this engine.
    Allowed,
}

impl DraftMark {
    /// What the mark of a request must be.
    pub const MUST: &str = "it must be \"unasked\" or \"allowed\"";
}

/// A derived implementation would read `{"allowed":null}`, too.
impl<'de> Deserialize<'de> for DraftMark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)?.as_str() {
            Some("unasked") => Ok(Self::Unasked),
            Some("allowed") => Ok(Self::Allowed),
            _ => Err(D::Error::invalid_value(
                Unexpected::Other("mark"),
                &Self::MUST,
            )),
        }
    }
}

/// What may be sent to an engine before the person sends anything. Each value includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnsentScope {
    /// Nothing.
    Nothing,
    /// What was sent before: the messages of the window, the system prompt.
    Sent,
    /// The draft too.
    Draft,
}

/// The way of unsent text from the page to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsentRoute {
    /// How the engine is reached from Sash.
    pub reach: EngineReach,
    /// Whether the engine passes the model's requests on to a cloud.
    pub is_cloud: bool,
    /// Whether Sash was asked on the machine that runs it, as far as the server can tell.
    pub from_this_machine: bool,
    /// Whether the person switched it on for this engine.
    pub is_allowed: bool,
}

impl UnsentRoute {
    /// What may take this way. A model of a cloud never gets anything before Enter. Another engine gets the draft where
    /// the person switched that on, and by default only if no part of the way leaves this machine.
    #[must_use]
    pub fn scope(self) -> UnsentScope {
        match self {
            Self { is_cloud: true, .. } => UnsentScope::Nothing,
            Self {
                is_allowed: true, ..
            } => UnsentScope::Draft,
            Self {
                reach: EngineReach::Unknown,
                ..
            } => UnsentScope::Nothing,
            Self {
                reach: EngineReach::Local,
                from_this_machine: true,
                ..
            } => UnsentScope::Draft,
            _ => UnsentScope::Sent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UnsentScope::{Draft, Nothing, Sent};
    use super::*;

    #[test]
    fn the_rule_is_this_table() {
        use EngineReach::{Local, Loopback, Remote, Unknown};
        // Reach, from this machine, then the scope by default and where the person switched it on.
        for (reach, from_this_machine, by_default, allowed) in [
            (Local, true, Draft, Draft),
            (Local, false, Sent, Draft),
            (Loopback, true, Sent, Draft),
            (Loopback, false, Sent, Draft),
            (Remote, true, Sent, Draft),
            (Remote, false, Sent, Draft),
            (Unknown, true, Nothing, Draft),
            (Unknown, false, Nothing, Draft),
        ] {
            for (is_allowed, expected) in [(false, by_default), (true, allowed)] {
                let route = UnsentRoute {
                    reach,
                    is_cloud: false,
                    from_this_machine,
                    is_allowed,
                };
                assert_eq!(route.scope(), expected, "{route:?}");
                let cloud = UnsentRoute {
                    is_cloud: true,
                    ..route
                };
                assert_eq!(cloud.scope(), Nothing, "{cloud:?}");
            }
        }
    }

    #[test]
    fn what_this_version_does_not_know_is_the_strictest() {
        let reach: EngineReach = serde_json::from_str("\"satellite\"").unwrap();
        assert_eq!(reach, EngineReach::Unknown);
        for mark in [
            "\"always\"",
            "\"\"",
            "{}",
            "{\"allowed\":null}",
            "[]",
            "true",
            "0",
        ] {
            assert!(serde_json::from_str::<DraftMark>(mark).is_err(), "{mark}");
        }
    }
}
