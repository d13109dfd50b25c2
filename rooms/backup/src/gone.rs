//! What was deleted for good: each browser has a file of it beside its copy of a chat, which holds no words and only grows.
//!
//! ```text
//! {"id":"<message>","seal":"…"}
//! {"chat":true,"seal":"…"}
//! ```

use crate::BackupKey;
use crate::form::CopyId;
use sash_chat::Id;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What was deleted for good of a chat, by one browser or by several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gone {
    /// Whether the chat as a whole was.
    pub chat: bool,
    /// The messages.
    pub ids: BTreeSet<Id>,
}

impl Gone {
    /// Adds what another browser deleted.
    pub fn extend(&mut self, other: Self) {
        self.chat |= other.chat;
        self.ids.extend(other.ids);
    }
}

/// A line of a `.gone` file.
#[derive(Serialize, Deserialize)]
struct GoneLine<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<Id>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    chat: bool,
    seal: &'a str,
}

/// Reads a `.gone` file. A line without the right seal says nothing.
#[must_use]
pub fn parse_gone(text: &str, of: CopyId, key: &BackupKey) -> Gone {
    let mut gone = Gone::default();
    for line in text.lines() {
        let Ok(line) = serde_json::from_str::<GoneLine>(line) else {
            continue;
        };
        if key.is_seal(&signed_gone(of, line.id), line.seal) {
            match line.id {
                Some(id) => _ = gone.ids.insert(id),
                None => gone.chat = true,
            }
        }
    }
    gone
}

/// A line of a `.gone` file: a message was deleted for good, or the chat as a whole (`None`).
#[must_use]
pub fn gone_line(of: CopyId, message: Option<Id>, key: &BackupKey) -> String {
    let line = GoneLine {
        id: message,
        chat: message.is_none(),
        seal: &key.seal(&signed_gone(of, message)),
    };
    // Serialising texts cannot fail.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

fn signed_gone(of: CopyId, message: Option<Id>) -> String {
    let what = message.map_or_else(|| "chat".to_owned(), |id| id.to_string());
    format!("{of}/{what}")
}
