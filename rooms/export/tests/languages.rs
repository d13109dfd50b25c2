//! A shared page in another language. It is a program of its own, because the language is that of all.

use sash_chat::{Chat, Head, Id, Message, Role};
use sash_room_export::{Share, ShareScope, shared_page};

/// "1 message" stood in each language.
#[test]
fn a_page_of_one_message_counts_it_in_its_language() {
    let mut chat = Chat::new(Head::new(Id(1), 0));
    chat.insert(Message::new(Id(2), None, 1, Role::User, 0));
    sash_words::set_language("de");
    let share = Share {
        scope: ShareScope::Branch,
        quotes: false,
        systems: true,
    };
    let page = shared_page(&chat, share, 0, &|_| "gestern".to_owned(), &|_, _| None);
    assert!(page.start.contains("1 Nachricht, "), "{}", page.start);
}
