//! A fault as the answer to a request.

use super::Fault;
use crate::ReadByHand;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use sash_chat::json::{Fields, FromJson, read_by_hand};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// A fault as the body of an HTTP answer: `{"error":{"code":"…","message":"…"}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultBody {
    /// The fault.
    pub error: Fault,
}

impl FromJson for FaultBody {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            error: value.item("error")?,
        })
    }
}

read_by_hand!(FaultBody);

impl From<Fault> for FaultBody {
    fn from(error: Fault) -> Self {
        Self { error }
    }
}

impl fmt::Display for FaultBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for FaultBody {}

/// What Leptos itself finds wrong with a call. A body that is no fault of ours (a proxy's HTML page,
/// for one) becomes an unexpected reply.
impl FromServerFnError for FaultBody {
    type Encoder = ReadByHand;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        use ServerFnErrorErr as E;
        match error {
            E::Args(reason) | E::MissingArg(reason) => Fault::InvalidRequest { reason },
            E::Request(_) => Fault::ConnectionLost {},
            E::Response(reason) | E::Deserialization(reason) => Fault::UnexpectedReply {
                status: 0,
                content_type: "unknown".to_owned(),
                excerpt: reason.chars().take(200).collect(),
            },
            _ => Fault::Internal {},
        }
        .into()
    }
}
