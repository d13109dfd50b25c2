//! The edges of the rooms in this browser: its devices, and the server functions that a room calls.

use crate::api;
use crate::browser::device_folder::BrowserFolders;
use sash_state::{BackupCalls, BackupEdges, RoomEdges};
use sash_stores::edges::Call;
use std::rc::Rc;

/// What each room needs of the browser and the server.
#[must_use]
pub fn room_edges() -> RoomEdges {
    RoomEdges {
        backup: BackupEdges {
            calls: BackupCalls {
                list: Call::new(api::backup_list),
                news: Call::new(api::backup_news),
                put: Call::new(api::backup_put),
                prompts: Call::new(api::backup_prompts),
                put_image: Call::new(api::backup_put_image),
                get: Call::new(api::backup_get),
                get_image: Call::new(api::backup_get_image),
                purge: Call::new(api::backup_purge),
            },
            folders: Rc::new(BrowserFolders),
        },
    }
}
