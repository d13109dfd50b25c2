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
mod backup_get;
mod backup_get_image;
mod backup_list;
mod backup_news;
mod backup_prompts;
mod backup_purge;
mod backup_put;
mod backup_put_image;
mod body;
mod calculate;
mod client;
mod count;
mod delete;
mod embed;
mod error;
mod exchange;
mod extract;
mod frames;
mod highlight;
mod installed;
mod kept;
mod load;
mod models;
mod pull;
mod read;
mod render;
mod response;
mod resume;
mod show;
mod state;
mod stop;
mod unload;

pub use addresses::{Addresses, addresses};
pub use answer_client::{AnswerClient, is_kept};
pub use answer_now::{AnswerNow, answer_now};
pub use backup_get::{BackupGet, backup_get};
pub use backup_get_image::{BackupGetImage, backup_get_image};
pub use backup_list::{BackupList, backup_list};
pub use backup_news::{BackupNews, backup_news};
pub use backup_prompts::{BackupPrompts, backup_prompts};
pub use backup_purge::{BackupPurge, backup_purge};
pub use backup_put::{BackupPut, backup_put};
pub use backup_put_image::{BackupPutImage, backup_put_image};
pub use body::{body, curl, pretty_body};
pub use calculate::{Calculate, calculate};
pub use client::{TokenClient, has_token, set_token};
pub use count::{Count, count};
pub use delete::{Delete, delete};
pub use embed::{Embed, embed};
pub use error::ApiError;
pub use exchange::{Exchange, exchange};
pub use extract::{Extract, extract};
pub use frames::frames;
pub use highlight::{Highlight, highlight};
pub use installed::{Installed, installed};
pub use kept::{Kept, kept};
pub use load::{Load, load};
pub use models::{Models, models};
pub use pull::{Pull, pull};
pub use read::{Read, read};
pub use render::{Render, render};
pub use response::{Response, response};
pub use resume::{Resume, resume};
pub use show::{Show, show};
pub use state::{State, state};
pub use stop::{Stop, stop};
pub use unload::{Unload, unload};
