//! The list over the page in memory.

mod chat_list;
mod house;
