//! `sash:meta`: whose log this is, and of which form.

use super::{Key, Store};
use crate::chat::Id;
use crate::json::{Fields, FromJson, parse, read_by_hand};
use serde::Serialize;
use serde_json::Value;

/// The form of the log this version writes, and the oldest it reads.
const SCHEMA: u32 = 1;

/// The record. Plain JSON without a checksum, so that any later form can be told from it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    app: String,
    schema: u32,
    min_reader: u32,
    install: Id,
}

/// Why a log cannot be used. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// A later version of Sash wrote it.
    Newer,
    /// Another program did.
    Foreign,
}

/// Looks whose log this is, and begins one where there is none. `install` names a new one.
///
/// # Errors
/// [`OpenError`] when it is not one this version may write.
pub fn claim<S: Store>(store: &mut S, install: Id) -> Result<(), OpenError> {
    let key = Key::Meta.to_string();
    let meta = store.get(&key);
    let read = |meta: &str| Meta::from_json(&parse(meta.as_bytes()).ok()?);
    match meta.as_deref().and_then(read) {
        Some(meta) if meta.app != "sash" => Err(OpenError::Foreign),
        Some(meta) if meta.min_reader > SCHEMA => Err(OpenError::Newer),
        Some(_) => Ok(()),
        // Absent or damaged: the records speak for themselves.
        _ => {
            let meta = Meta {
                app: "sash".into(),
                schema: SCHEMA,
                min_reader: SCHEMA,
                install,
            };
            // A store without room for this one tells so again at the first message.
            let _ = store.set(&key, &serde_json::to_string(&meta).unwrap_or_default());
            Ok(())
        }
    }
}

impl FromJson for Meta {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            app: value.text("app")?,
            schema: value.number("schema")?,
            min_reader: value.number("minReader")?,
            install: value.item("install")?,
        })
    }
}

read_by_hand!(Meta);
