//! The words about the trash.

use crate::browser::clock;
use sash_state::library::Deleted;

/// The title of something deleted, or its first words.
pub fn title_words(deleted: &Deleted) -> String {
    match deleted.title.as_str() {
        "" => "Without words".to_owned(),
        title => title.to_owned(),
    }
}

/// What it is, and when it was last written or deleted.
pub fn about_words(deleted: &Deleted) -> String {
    let date = clock::date(deleted.at);
    match (deleted.message, &deleted.in_chat) {
        (None, _) => format!("Chat, last written {date}"),
        (Some(_), Some(chat)) => format!("Message of “{chat}”, deleted {date}"),
        (Some(_), None) => format!("Message, deleted {date}"),
    }
}

/// How many chats and how many messages of other chats.
pub fn counts(all: &[Deleted]) -> (usize, usize) {
    let messages = all.iter().filter(|one| one.message.is_some()).count();
    (all.len() - messages, messages)
}
