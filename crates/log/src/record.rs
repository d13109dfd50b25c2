//! One record: `<version>|<CRC-32 of the payload, 8 hex digits>|<payload, JSON>`. The version stands in
//! [`FORM`](super::form::FORM) and nowhere else; `public/export.js` takes it from `sash:meta`.

use crc::{CRC_32_ISO_HDLC, Crc, Table};
use serde::Serialize;
use std::hint::black_box;
use std::sync::LazyLock;

/// Its table is made when it is first needed: as a constant it would be a kilobyte that does not compress.
static CHECKSUM: LazyLock<Crc<u32, Table<1>>> =
    LazyLock::new(|| Crc::<u32, Table<1>>::new(black_box(&CRC_32_ISO_HDLC)));

fn checksum(payload: &str) -> String {
    format!("{:08x}", CHECKSUM.checksum(payload.as_bytes()))
}

/// Why a record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// Written by a later version of Sash: left alone.
    Newer,
    /// Damaged: the form, the checksum or the payload.
    Damaged,
}

/// A value as the payload of a record.
pub(super) fn payload<T: Serialize>(value: &T) -> String {
    // Plain data of ours: JSON keys are strings and nothing in it can fail to serialise.
    serde_json::to_string(value).unwrap_or_default()
}

/// A payload as a record of that version.
pub(super) fn encode(version: u32, payload: &str) -> String {
    format!("{version}|{}|{payload}", checksum(payload))
}

/// Whether a payload has that checksum.
pub(super) fn is_checksum(crc: &str, payload: &str) -> bool {
    crc == checksum(payload)
}

/// The version, the checksum and the payload that stand in a record. Whether they fit is not looked at.
pub(super) fn split(record: &str) -> Option<(u32, &str, &str)> {
    let (version, rest) = record.split_once('|')?;
    let (crc, payload) = rest.split_once('|')?;
    Some((version.parse().ok()?, crc, payload))
}

/// A record's version and its payload, once its checksum is found right. What is after the version of a record
/// later than `newest` is for a later Sash to say.
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
