//! A log in memory: a chat is written, an answer is interrupted, and the log opened next recovers what was
//! received.
//!
//! `cargo run -p sash-log --example memory`

use sash_chat::{Head, Id, Message, Role};
use sash_log::{KeyValue, Kinds, Log, MemoryStore, StoreError};

const CHAT: Id = Id(1);

fn main() -> Result<(), StoreError> {
    let Ok(mut log) = Log::open(MemoryStore::default(), Id(99), Kinds::default()) else {
        return Err(StoreError::Refused);
    };
    let mut question = Message::new(Id(2), None, 1, Role::User, 1000);
    "How do tides work?".clone_into(&mut question.content);
    log.save_head(&Head::new(CHAT, 1000))?;
    log.save_message(CHAT, &question)?;

    // The answer is written in pieces as it arrives; here the browser is killed after the second piece.
    let answer = Message::new(Id(3), Some(question.id), 2, Role::Assistant, 1001);
    log.begin_tail(CHAT, &answer, None)?;
    log.append_tail(CHAT, answer.id, 1, "The moon pulls ")?;
    log.append_tail(CHAT, answer.id, 2, "at the water")?;
    let store = log.store().clone();

    for key in store.keys() {
        println!("{key}\n    {}", store.get(&key).unwrap_or_default());
    }
    let Ok(mut log) = Log::open(store, Id(99), Kinds::default()) else {
        return Err(StoreError::Refused);
    };
    let chat = log.load(CHAT).ok_or(StoreError::Refused)?;
    println!("\n{}", chat.title());
    for message in chat.path() {
        println!(
            "{}: {} ({:?})",
            message.role.as_str(),
            message.content,
            message.outcome
        );
    }
    Ok(())
}
