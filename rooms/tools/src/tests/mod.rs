//! Tests of the tools over the stores of the chat.

mod house;
mod tools;
