//! The words of the trash.

use sash_words::{count, t};

/// What is asked before the trash is emptied of so many chats and messages.
#[must_use]
pub fn purge_question(chats: usize, messages: usize) -> String {
    let what = chats_and_messages(chats, messages);
    t!(state.delete_for_good_question, what = &what)
}

/// The number of chats and messages.
#[must_use]
pub fn chats_and_messages(chats: usize, messages: usize) -> String {
    match (chats, messages) {
        (chats, 0) => count::chats(chats),
        (0, messages) => count::messages(messages),
        (chats, messages) => t!(
            state.chats_and_messages,
            chats = count::chats(chats),
            messages = count::messages(messages)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emptying_the_trash_says_that_quotes_stay() {
        for (chats, messages, what) in [
            (1, 0, "1 chat"),
            (0, 2, "2 messages"),
            (1, 1_000, "1 chat and 1,000 messages"),
        ] {
            assert_eq!(
                purge_question(chats, messages),
                format!(
                    "Delete {what} for good? This cannot be undone. Questions that quote it, and summaries, keep these words."
                )
            );
        }
    }
}
