//! Readers of the exports of other chat programs: ChatGPT, Claude, Hollama, LibreChat, LM Studio and Open WebUI.
//!
//! A file may be gigabytes long and says whatever its writer wants. It is read in pieces, one chat in memory at a time, and
//! nothing is written: [`ListReader`] divides a list of chats into its items, [`read_item`] makes an [`ExportedChat`] of one,
//! a tree of messages whatever the form of the file is, and [`Assets`] finds the files that messages point to. [`archive`]
//! reads ZIP files by ranges; [`json`] finds values in a text without parsing it.

pub mod archive;
mod assets;
mod chat;
mod chatgpt;
mod chatgpt_canvas;
mod chatgpt_content;
mod chatgpt_mark;
mod chatgpt_marks;
mod claude;
mod hash;
mod hollama;
pub mod json;
mod librechat;
mod librechat_text;
mod links;
mod list_reader;
mod lmstudio;
mod openwebui;
mod openwebui_added;
mod openwebui_details;
mod openwebui_former;
mod openwebui_output;
mod prose;
mod read;
mod times;

pub use assets::{Asset, Assets, ImageKey, MessageForm};
pub use chat::{
    ExportedChat, ExportedMessage, ExportedOutcome, ExportedRole, Notes, ReaderVersion,
};
pub use hash::hash;
pub use list_reader::{ListItem, ListReader};
pub use read::{NoChat, ReadChat, read_item};
