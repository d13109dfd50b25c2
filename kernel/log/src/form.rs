//! The form of records, and the migration from older ones.
//!
//! A record states its version. A record of an older form is read through the upgrades that lead to the
//! present one, so nothing needs rewriting before it can be read. Rewriting goes record by record, each in
//! one atomic write: a kill between two writes leaves records of both forms, and all are readable.

use super::record::{self, RecordError};
use super::{Key, KeyValue, Kinds};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One upgrade: converts the payload under a key. `None` for a payload that is not of the older form.
pub type Upgrade = fn(Key, Value) -> Option<Value>;

/// A form of records: its version, from 1, and one upgrade for each version before it, oldest first.
#[derive(Debug)]
pub struct Form {
    /// The version that is written, and the newest that can be read.
    pub version: u32,
    /// `upgrades[n]` converts version `n + 1` to `n + 2`.
    pub upgrades: &'static [Upgrade],
}

/// The form this Sash writes.
pub static FORM: Form = Form {
    version: 1,
    upgrades: &[],
};

impl Form {
    /// Wraps a payload in a record.
    pub fn write(&self, payload: &str) -> String {
        record::encode(self.version, payload)
    }

    /// The length of a record without its payload, in characters.
    pub fn overhead(&self) -> usize {
        self.write("").len()
    }

    /// Reads the payload of a record of this form or an older one.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn read<T: DeserializeOwned>(&self, key: Key, text: &str) -> Result<T, RecordError> {
        let (version, payload) = record::split_checked(text, self.version)?;
        if version == self.version {
            return parse(payload);
        }
        let upgraded = self.upgraded(key, version, parse(payload)?);
        // As text once more: every type of record would be compiled a second time to be read from a `Value`.
        parse(&upgraded.ok_or(RecordError::Damaged)?.to_string())
    }

    /// The payload of an older version, through the steps that lead to this one.
    fn upgraded(&self, key: Key, version: u32, payload: Value) -> Option<Value> {
        let mut steps = self
            .upgrades
            .iter()
            .skip(version.saturating_sub(1) as usize);
        steps.try_fold(payload, |payload, step| step(key, payload))
    }

    /// Rewrites the records of older forms. Returns whether none is left; a record that is unreadable or
    /// finds no room stays as it is.
    pub fn upgrade<S: KeyValue>(&self, store: &mut S, kinds: Kinds) -> bool {
        let mut none_left = true;
        for name in store.keys() {
            let Some(key) = Key::parse(&name, kinds).filter(|key| key.is_record()) else {
                continue;
            };
            let Some(text) = store.get(&name) else {
                continue;
            };
            let is_older = record::split_checked(&text, self.version)
                .is_ok_and(|(version, _)| version < self.version);
            if !is_older {
                continue;
            }
            if let Ok(value) = self.read::<Value>(key, &text) {
                none_left &= store.set(&name, &self.write(&value.to_string())).is_ok();
            }
        }
        none_left
    }
}

/// Encodes a value as a record.
#[must_use]
pub fn encode_record<T: Serialize>(value: &T) -> String {
    FORM.write(&record::payload(value))
}

/// Parses a record.
///
/// # Errors
/// [`RecordError`].
pub fn parse_record<T: DeserializeOwned>(record: &str) -> Result<T, RecordError> {
    let (_, payload) = record::split_checked(record, FORM.version)?;
    parse(payload)
}

/// A record of the form that is written, from checksum and payload, without comparing the two.
#[must_use]
pub fn join_record(crc: &str, payload: &str) -> String {
    format!("{}|{crc}|{payload}", FORM.version)
}

/// Checksum and payload of a record of the form that is written, without comparing the two; `None` for a record
/// of another form.
#[must_use]
pub fn split_record(record: &str) -> Option<(&str, &str)> {
    let (_, crc, payload) =
        record::split(record).filter(|(version, ..)| *version == FORM.version)?;
    Some((crc, payload))
}

fn parse<T: DeserializeOwned>(payload: &str) -> Result<T, RecordError> {
    serde_json::from_str(payload).map_err(|_| RecordError::Damaged)
}

/// Whether a record is undamaged, or written by a later version of Sash.
pub(super) fn is_whole(record: &str) -> bool {
    !matches!(
        record::split_checked(record, FORM.version),
        Err(RecordError::Damaged)
    )
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_survives_a_record(text in any::<String>()) {
            prop_assert_eq!(parse_record::<String>(&encode_record(&text)), Ok(text));
        }

        #[test]
        fn a_changed_character_is_noticed(text in "\\PC{1,40}", at in any::<prop::sample::Index>()) {
            let record = encode_record(&text);
            let mut chars: Vec<char> = record.chars().collect();
            let at = at.index(chars.len());
            chars[at] = if chars[at] == 'x' { 'y' } else { 'x' };
            let read = parse_record::<String>(&chars.into_iter().collect::<String>());
            prop_assert_eq!(read, Err(RecordError::Damaged));
        }
    }

    #[test]
    fn a_newer_record_is_told_from_a_damaged_one() {
        assert_eq!(parse_record::<String>("2|x"), Err(RecordError::Newer));
        for damaged in [
            "",
            "1",
            "1|",
            "0|00000000|1",
            "x|y|1",
            "1|00000000|1",
            "{\"a\":1}",
        ] {
            assert_eq!(
                parse_record::<String>(damaged),
                Err(RecordError::Damaged),
                "{damaged}"
            );
        }
    }
}
