//! The calls about the backup.

mod get;
mod get_image;
mod list;
mod news;
mod prompts;
mod purge;
mod put;
mod put_image;

pub use get::{BackupGet, backup_get};
pub use get_image::{BackupGetImage, backup_get_image};
pub use list::{BackupList, backup_list};
pub use news::{BackupNews, backup_news};
pub use prompts::{BackupPrompts, backup_prompts};
pub use purge::{BackupPurge, backup_purge};
pub use put::{BackupPut, backup_put};
pub use put_image::{BackupPutImage, backup_put_image};
