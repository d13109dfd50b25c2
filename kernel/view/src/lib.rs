//! The views of the chat itself, and its edges of the browser. Read `kernel/README.md` first.
//!
//! | module | what |
//! | --- | --- |
//! | [`page`], [`places`] | the whole page, and its places, which rooms fill |
//! | [`header`], [`transcript`], [`composer`] | title and model; the messages and the window's edge; the prompt |
//! | [`panel`], [`system`] | what the model sees; the system prompt |
//! | [`settings`], [`library`] | the frames of the settings and of *All chats* |
//! | [`files`] | images and files as they are shown |
//! | [`parts`] | what several rooms use and what knows the stores: banners, toasts, announcements |
//! | [`commands`], [`address`] | what the commands of the chat do; the address and the open chat |
//! | [`browser`] | what stores, log and server functions need of the browser |
//! | [`stores`], [`follow_browser`] | the stores, from the context; what they hear of the browser |
//!
//! It names no room: what a room shows stands in a place, and the root of the page says which.
#![cfg(target_arch = "wasm32")]
#![recursion_limit = "256"]

pub mod address;
pub mod browser;
pub mod commands;
pub mod composer;
pub mod files;
pub mod follow_browser;
pub mod header;
pub mod library;
pub mod model_words;
pub mod page;
pub mod panel;
pub mod parts;
pub mod places;
pub mod receipt_facts;
pub mod settings;
pub mod stores;
pub mod system;
pub mod token_form;
pub mod transcript;
