//! Tests of what is added to a prompt, over the stores of the chat.

mod adding;
mod house;
mod pastes;
