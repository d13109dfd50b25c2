//! What the backup needs of this browser and of the server.

use super::device::BrowserDirectories;
use crate::browser_name;
use crate::call::with_key;
use crate::functions::{
    backup_get, backup_get_image, backup_gone, backup_list, backup_news, backup_purge, backup_put,
    backup_put_image, backup_remove,
};
use crate::store::{BackupCalls, BackupEdges, Keyed};
use leptos::prelude::window;
use sash_stores::edges::Call;
use std::rc::Rc;

/// The server's directory, and directories of this device.
pub fn edges() -> BackupEdges {
    // A browser that does not tell what it is has no name.
    let user_agent = window().navigator().user_agent().unwrap_or_default();
    BackupEdges {
        calls: calls(),
        directories: Rc::new(BrowserDirectories),
        browser_name: browser_name(&user_agent),
    }
}

/// A call of a server function with the key of the request.
macro_rules! keyed {
    ($function:ident) => {
        Call::new(|keyed: Keyed<_>| with_key(keyed.key, $function(keyed.request)))
    };
}

fn calls() -> BackupCalls {
    BackupCalls {
        list: Call::new(|keyed: Keyed<()>| with_key(keyed.key, backup_list())),
        news: keyed!(backup_news),
        put: keyed!(backup_put),
        get: keyed!(backup_get),
        put_image: keyed!(backup_put_image),
        get_image: keyed!(backup_get_image),
        gone: keyed!(backup_gone),
        purge: keyed!(backup_purge),
        remove: keyed!(backup_remove),
    }
}
