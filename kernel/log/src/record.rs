//! The format of a record: `<version>|<CRC-32 of the payload, 8 hex digits>|<payload, JSON>`. The version is
//! defined in [`FORM`](super::form::FORM) only; `public/export.js` reads it from `sash:meta`.

use crc::{CRC_32_ISO_HDLC, Crc, Table};
use serde::Serialize;
use std::hint::black_box;
use std::sync::LazyLock;

/// The table is computed at first use: as a constant it would add an incompressible kilobyte to the page.
static CHECKSUM: LazyLock<Crc<u32, Table<1>>> =
    LazyLock::new(|| Crc::<u32, Table<1>>::new(black_box(&CRC_32_ISO_HDLC)));

/// The checksum of a text: CRC-32, 8 hex digits.
#[must_use]
pub fn checksum(payload: &str) -> String {
    format!("{:08x}", CHECKSUM.checksum(payload.as_bytes()))
}

/// Why a record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// A later version of Sash wrote it: leave it alone.
    Newer,
    /// The form, the checksum or the payload is damaged.
    Damaged,
}

/// Serialises a value as the payload of a record.
pub(super) fn payload<T: Serialize>(value: &T) -> String {
    // Cannot fail: the data is our own, and its map keys are strings.
    serde_json::to_string(value).unwrap_or_default()
}

/// Builds a record of this version from a payload.
pub(super) fn encode(version: u32, payload: &str) -> String {
    format!("{version}|{}|{payload}", checksum(payload))
}

/// Whether a payload has this checksum.
#[must_use]
pub fn is_checksum(crc: &str, payload: &str) -> bool {
    crc == checksum(payload)
}

/// Splits a record into version, checksum and payload, without comparing the checksum.
pub(super) fn split(record: &str) -> Option<(u32, &str, &str)> {
    let (version, rest) = record.split_once('|')?;
    let (crc, payload) = rest.split_once('|')?;
    Some((version.parse().ok()?, crc, payload))
}

/// The version and the payload of a record whose checksum is right. The rest of a record newer than `newest`
/// is not examined: a later version may change it.
pub(super) fn split_checked(record: &str, newest: u32) -> Result<(u32, &str), RecordError> {
    let (version, rest) = record.split_once('|').ok_or(RecordError::Damaged)?;
    let version: u32 = version.parse().map_err(|_| RecordError::Damaged)?;
    if version > newest {
        return Err(RecordError::Newer);
    }
    let (crc, payload) = rest.split_once('|').ok_or(RecordError::Damaged)?;
    if version == 0 || !is_checksum(crc, payload) {
        return Err(RecordError::Damaged);
    }
    Ok((version, payload))
}
