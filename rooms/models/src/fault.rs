//! The faults of pulling and deleting models.

use sash_wire::RoomFaults;
use sash_words::t;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What can go wrong when a model is pulled or deleted, besides what can with any request to an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelFault {
    /// 400 `registry_refused`: a pull from a host that is not on the server's allowlist.
    RegistryRefused {
        /// The host in the name.
        host: String,
    },
    /// 404 `not_in_registry`: the registry has no model of the name that was to be pulled.
    NotInRegistry,
    /// 502 `pull_failed`: Ollama gave up a pull.
    PullFailed {
        /// The reason, in a few plain words.
        reason: String,
        /// Ollama's own message, if it says more.
        #[serde(skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
    },
    /// 502 `delete_failed`: Ollama refused to delete a model, or could not.
    DeleteFailed {
        /// Ollama's message, without its JSON.
        reason: String,
    },
}

impl RoomFaults for ModelFault {
    fn status(&self) -> u16 {
        match self {
            Self::RegistryRefused { .. } => 400,
            Self::NotInRegistry => 404,
            Self::PullFailed { .. } | Self::DeleteFailed { .. } => 502,
        }
    }
}

impl fmt::Display for ModelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            Self::RegistryRefused { host } => {
                t!(models.registry_not_allowed, host = host)
            }
            Self::NotInRegistry => t!(models.pull_unknown_name).to_owned(),
            Self::PullFailed { reason, .. } => t!(models.pull_refused, reason = reason),
            Self::DeleteFailed { reason } => {
                t!(models.delete_refused, reason = reason)
            }
        })
    }
}
