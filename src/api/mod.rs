//! The server functions, one file each: what the page can ask of the server. All are POST with a JSON
//! body under `/api/v1`. Each does nothing but hand its argument to `server`, where the work is done.
//!
//! Beside them stands [`Prompt`], which makes their request of a window: the one place where what is chosen
//! becomes what is sent.
//!
//! The only place that knows `server_fn`, beside the fault that crosses it.
#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

mod body;
mod client;
mod highlight;
mod models;
mod prompt;
mod pull;
mod render;
mod response;
mod state;

pub use body::{body, curl, laid_out};
pub use client::{Answer, Call, Fetch, PageClient, has_token, set_fetch, set_token};
pub use highlight::{Highlight, highlight};
pub use models::{Models, models};
pub use prompt::Prompt;
pub use pull::{Pull, pull};
pub use render::{Render, render};
pub use response::{Response, response};
pub use state::{State, state};
