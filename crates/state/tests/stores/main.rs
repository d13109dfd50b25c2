//! The page's stores without a browser: one module a store. One program for all of them, so that what they share is
//! compiled once, and is known to be used.

mod disk;
mod house;
mod locks;
mod machine;

mod answers;
mod chats;
mod drafts;
mod engine;
mod library;
mod mentions;
mod notices;
mod pulls;
mod remote_answers;
mod settings;
mod steering;
mod storage;
mod tabs;
mod what_if;
