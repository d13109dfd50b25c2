//! `sash:meta`: which program wrote this log, and in which form.

use super::form::Form;
use super::{Key, KeyValue, Kinds};
use sash_chat::Id;
use serde::{Deserialize, Serialize};

/// The record. Plain JSON without a checksum, so that any later version can read it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    app: String,
    schema: u32,
    min_reader: u32,
    install: Id,
    /// Set while records of older forms are being rewritten.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    upgrading: bool,
}

/// Why a log cannot be opened. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// A later version of Sash wrote it.
    Newer,
    /// Another program wrote it.
    Foreign,
}

/// Reads `sash:meta`; `None` where it is missing or damaged.
///
/// # Errors
/// [`OpenError`] when this version may not write the log.
pub fn read<S: KeyValue>(store: &S, form: &Form) -> Result<Option<Meta>, OpenError> {
    let meta = kept(store);
    match &meta {
        Some(meta) if meta.app != "sash" => Err(OpenError::Foreign),
        Some(meta) if meta.min_reader > form.version => Err(OpenError::Newer),
        _ => Ok(meta),
    }
}

/// Reads `sash:meta`, writes it where there is none, and upgrades a log of an older form to `form`. `install`
/// is the id of a new log.
///
/// # Errors
/// [`OpenError`] when this version may not write the log.
pub fn open_or_create<S: KeyValue>(
    store: &mut S,
    form: &Form,
    kinds: Kinds,
    install: Id,
) -> Result<(), OpenError> {
    let mut meta = match read(store, form)? {
        Some(meta) if meta.schema >= form.version && !meta.upgrading => return Ok(()),
        Some(meta) => Meta {
            upgrading: true,
            ..meta
        },
        // Without `sash:meta` the records state their versions themselves.
        None => Meta {
            app: "sash".into(),
            schema: 0,
            min_reader: 0,
            install,
            upgrading: false,
        },
    };
    // Raise the version before anything else: a Sash that does not know the new form must not write beside
    // it.
    (meta.schema, meta.min_reader) = (form.version, form.version);
    // If there is no room for this, the first message reports the same error.
    let written = keep(store, &meta);
    if meta.upgrading && written && form.upgrade(store, kinds) {
        meta.upgrading = false;
        keep(store, &meta);
    }
    Ok(())
}

fn kept<S: KeyValue>(store: &S) -> Option<Meta> {
    serde_json::from_str(&store.get(&Key::Meta.to_string())?).ok()
}

fn keep<S: KeyValue>(store: &mut S, meta: &Meta) -> bool {
    let text = serde_json::to_string(meta).unwrap_or_default();
    store.set(&Key::Meta.to_string(), &text).is_ok()
}

/// The id of the log in a store; `None` if nothing of it is stored.
pub fn install<S: KeyValue>(store: &S) -> Option<Id> {
    Some(kept(store)?.install)
}

/// Gives the log in a store another id. Returns whether it was written.
pub fn replace_install<S: KeyValue>(store: &mut S, install: Id) -> bool {
    kept(store).is_some_and(|meta| keep(store, &Meta { install, ..meta }))
}
