//! The server functions of the chat, one file each. All are POST requests with a JSON body under `/api/v1`. Each only
//! passes its argument to the server, which does the work.
//!
//! [`ApiError`] adapts the fault to Leptos, [`TokenClient`] is the client; those of rooms use them too.
#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

mod answer_now;
mod body;
mod client;
mod error;
mod exchange;
mod frames;
mod installed;
mod models;
mod render;
mod response;
mod resume;
mod state;
mod stop;

pub use answer_now::{AnswerNow, answer_now};
pub use body::{body, curl, pretty_body};
pub use client::{TokenClient, has_token, is_kept, set_token};
pub use error::ApiError;
pub use exchange::{Exchange, exchange};
pub use frames::frames;
pub use installed::{Installed, installed};
pub use models::{Models, models};
pub use render::{Render, render};
pub use response::{Response, response};
pub use resume::{Resume, resume};
pub use state::{State, state};
pub use stop::{Stop, stop};
