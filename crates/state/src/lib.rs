//! The stores of the rooms, above those of the chat itself (`sash_stores`), until each room has a crate of its own. Each holds
//! the `Kernel`, or what it uses of it; like its stores they have signals inside and methods outside, and use the browser only
//! through the edges of their room ([`RoomEdges`]).
//!
//! A store may use those above it in this list, never those below:
//!
//! | store | what it is for |
//! | --- | --- |
//! | [`Backup`] | hands each change of the log to the folder of the backup |
//! | [`BringBack`] | the choice of what comes back from that folder |
//!
//! [`Stores`] creates them under the owner of the page: they are gone with it.

mod backup;
mod backup_age;
mod bring_back;
mod room_edges;
mod stores;

pub use backup::{
    Backup, BackupCalls, BackupEdges, BackupEvent, BackupPhase, BackupSettings,
    BackupSettingsStoreFields, BackupState, ChosenFolder, Folders, forget_former_values,
    parse_backup_key, use_former_value,
};
pub use backup_age::{BackupAge, OldBackup};
pub use bring_back::{BringBack, FolderContents, can_come_back};
pub use room_edges::RoomEdges;
pub use stores::{AllStores, Stores};
