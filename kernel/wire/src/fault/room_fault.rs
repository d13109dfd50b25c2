//! A fault of a room as the kernel sees it.

use serde_json::{Map, Value};

/// A fault of a room on its way through the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomFault {
    pub(super) code: String,
    /// The sentence for the person.
    pub(super) message: String,
    /// The HTTP status. It does not come over the wire.
    pub(super) status: u16,
    pub(super) fields: Map<String, Value>,
}
