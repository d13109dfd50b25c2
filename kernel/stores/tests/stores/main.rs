//! Tests of the kernel's stores without a browser and without a room, one module per store. They are one program, so that
//! it is linked once.

mod answers;
mod attachments;
mod chats;
mod closing;
mod drafts;
mod engine;
mod engines;
mod fields;
mod hooks;
mod linger;
mod linger_tabs;
mod notices;
mod pace;
mod parts;
mod refreshes;
mod remote_answers;
mod settings;
mod steering;
mod storage;
mod tabs;
mod temporary;
