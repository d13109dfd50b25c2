//! Two texts of one message.
//!
//! A message never changes once it is written, so mostly they are the same. An answer of which one place has the beginning and
//! another all is one message, too. Anything else has two texts, such as a message that was changed by hand.

use crate::key::sha256;
use sash_chat::{Id, ImageHash, Message, Outcome};

/// What another text of a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// Nothing that this one does not say.
    Nothing,
    /// All that this one says, and more.
    More,
    /// Something else.
    Otherwise,
}

/// Compares a text of a message with another one.
pub(crate) fn compare(this: &Message, other: &Message) -> Says {
    match (begins(other, this), begins(this, other)) {
        (true, _) => Says::Nothing,
        (false, true) => Says::More,
        (false, false) => Says::Otherwise,
    }
}

/// Whether a text is the beginning of another one, or all of it. One that has ended is no beginning of one that has not.
fn begins(part: &Message, whole: &Message) -> bool {
    let is_open = |message: &Message| message.outcome == Outcome::Interrupted;
    let images = |message: &Message| -> Vec<ImageHash> {
        message.images.iter().map(|image| image.hash).collect()
    };
    (is_open(part) || !is_open(whole))
        && whole.content.starts_with(&part.content)
        && whole.thinking.starts_with(&part.thinking)
        && images(whole) == images(part)
        && (part.tool_calls.is_none() || whole.tool_calls.is_some())
}

/// The id of a text of a message that stands beside another one. It is made of the text, so that it is the same one whoever
/// merges it, and however often.
pub(crate) fn beside_id(message: &Message) -> Id {
    // Place, time, end and receipt differ where one answer came to two pages.
    let words = Message {
        parent: None,
        seq: 0,
        created: 0,
        outcome: Outcome::Complete,
        receipt: None,
        ..message.clone()
    };
    // Serialising a struct cannot fail.
    let digest = sha256(&serde_json::to_string(&words).unwrap_or_default());
    digest[..16].parse().unwrap_or(message.id)
}
