//! The server functions of the rooms, one file each: what the page can ask of the server besides those of the chat
//! ([`sash_server::api`]). All are POST requests with a JSON body under `/api/v1`. Each only passes its argument to
//! `server`, which does the work.
#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

mod backup;

pub use backup::{
    BackupGet, BackupGetImage, BackupList, BackupNews, BackupPrompts, BackupPurge, BackupPut,
    BackupPutImage, backup_get, backup_get_image, backup_list, backup_news, backup_prompts,
    backup_purge, backup_put, backup_put_image,
};
