//! The stores of the rooms, above those of the chat itself (`sash_stores`), until each room has a crate of its own. Each holds
//! the `Kernel`, or what it uses of it; like its stores they have signals inside and methods outside, and use the browser only
//! through the edges of their room ([`RoomEdges`]).
//!
//! A store may use those above it in this list, never those below:
//!
//! | store | what it is for |
//! | --- | --- |
//! | [`ChatList`] | the list of chats as it is shown: its rows, and which are selected |
//! | [`Models`] | the installed models: loading, unloading, deletion, details |
//! | [`Pulls`] | pulling models |
//! | [`WhatIf`] | the same question asked with another window |
//! | [`SideBySide`] | one question asked of several models, one after another |
//! | [`Library`] | all chats at once: its tabs, packing of idle chats, and the trash |
//! | [`Imports`] | the import of chats from a file, step by step |
//! | [`Backup`] | hands each change of the log to the folder of the backup |
//! | [`BringBack`] | the choice of what comes back from that folder |
//!
//! [`Stores`] creates them under the owner of the page: they are gone with it.

mod backup;
mod backup_age;
mod bring_back;
mod chat_list;
mod export_reminder;
mod imports;
pub mod library;
pub mod models;
mod pulls;
mod room_edges;
mod side_by_side;
mod stores;
mod what_if;

pub use backup::{
    Backup, BackupCalls, BackupEdges, BackupEvent, BackupPhase, BackupSettings,
    BackupSettingsStoreFields, BackupState, ChosenFolder, Folders, forget_former_values,
    parse_backup_key, use_former_value,
};
pub use backup_age::{BackupAge, OldBackup};
pub use bring_back::{BringBack, FolderContents, can_come_back};
pub use chat_list::{
    ChatList, ListRow, ListSettings, ListSettingsStoreFields, Section, SectionKind, Today, sections,
};
pub use export_reminder::{is_export_due, last_copy};
pub use imports::{
    AgreementRow, ChatFilter, ChoiceRow, ChosenCount, ImportReport, ImportState, Imports,
};
pub use library::{Deleted, Library};
pub use models::{ModelCalls, Models};
pub use pulls::{PullPhase, PullRate, PullState, Pulls, PullsProgress, RememberedPull};
pub use room_edges::RoomEdges;
pub use side_by_side::{MAX_SIDES, SideBySide, SidesState};
pub use stores::{AllStores, Stores};
pub use what_if::{WhatIf, WhatIfState};
