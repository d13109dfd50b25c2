//! The faults that only one room has: the kernel knows their code and passes them on.

use super::json::{read, split};
use super::{Fault, RoomFault};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// The faults that one room has: an enum whose variants serde names by their codes, and whose `Display` is the sentence for
/// the person. No code of it is one of [`Fault`] or of another room.
pub trait RoomFaults: Serialize + DeserializeOwned + fmt::Display {
    /// The HTTP status.
    fn status(&self) -> u16;

    /// The fault of this room that a fault is, if it is one.
    #[must_use]
    fn of(fault: &Fault) -> Option<Self> {
        match fault {
            Fault::Room(fault) => read(&fault.code, &fault.fields, serde_json::from_value),
            _ => None,
        }
    }
}

/// The faults of who has none of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoFaults {}

impl RoomFaults for NoFaults {
    fn status(&self) -> u16 {
        match *self {}
    }
}

impl fmt::Display for NoFaults {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl<R: RoomFaults> From<R> for Fault {
    fn from(fault: R) -> Self {
        let (code, fields) = split(serde_json::to_value(&fault));
        Fault::Room(Box::new(RoomFault {
            code,
            message: fault.to_string(),
            status: fault.status(),
            fields,
        }))
    }
}

impl Fault {
    /// The same fault, with the status and the sentence of its room: what came over the wire, or was kept, has a sentence in
    /// the language of who wrote it.
    #[must_use]
    pub fn told_by<R: RoomFaults>(self) -> Self {
        R::of(&self).map_or(self, Fault::from)
    }
}

/// Reads a field with a fault that may be one of a room ([`Fault::told_by`]), for serde's `deserialize_with`.
///
/// # Errors
/// Those of the format.
pub fn read_room_fault<'de, R: RoomFaults, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Fault, D::Error> {
    let fault = <Fault as Deserialize>::deserialize(deserializer);
    fault.map(Fault::told_by::<R>)
}
