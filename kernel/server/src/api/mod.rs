//! The server functions, one file each: everything the page can ask of the server. All are POST
//! requests with a JSON body under `/api/v1`. Each only passes its argument to `server`, which does
//! the work.
//!
//! Only this folder uses `server_fn`: [`ApiError`] adapts the fault to Leptos, [`TokenClient`] is
//! the client.
#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

mod addresses;
mod answer_client;
mod answer_now;
mod backup;
mod body;
mod calculate;
mod client;
mod count;
mod embed;
mod error;
mod exchange;
mod extract;
mod frames;
mod highlight;
mod installed;
mod kept;
mod manage;
mod models;
mod read;
mod render;
mod response;
mod resume;
mod state;
mod stop;

pub use addresses::{Addresses, addresses};
pub use answer_client::{AnswerClient, is_kept};
pub use answer_now::{AnswerNow, answer_now};
pub use backup::{
    BackupGet, BackupGetImage, BackupList, BackupNews, BackupPrompts, BackupPurge, BackupPut,
    BackupPutImage, backup_get, backup_get_image, backup_list, backup_news, backup_prompts,
    backup_purge, backup_put, backup_put_image,
};
pub use body::{body, curl, pretty_body};
pub use calculate::{Calculate, calculate};
pub use client::{TokenClient, has_token, set_token};
pub use count::{Count, count};
pub use embed::{Embed, embed};
pub use error::ApiError;
pub use exchange::{Exchange, exchange};
pub use extract::{Extract, extract};
pub use frames::frames;
pub use highlight::{Highlight, highlight};
pub use installed::{Installed, installed};
pub use kept::{Kept, kept};
pub use manage::{Delete, Load, Pull, Show, Unload, delete, load, pull, show, unload};
pub use models::{Models, models};
pub use read::{Read, read};
pub use render::{Render, render};
pub use response::{Response, response};
pub use resume::{Resume, resume};
pub use state::{State, state};
pub use stop::{Stop, stop};
