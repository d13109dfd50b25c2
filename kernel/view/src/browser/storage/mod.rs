//! localStorage, which all tabs share, and sessionStorage, which belongs to one tab.

mod areas;
mod changes;
mod closing;
mod persistence;
mod raw;
mod store;
mod usage;

pub use areas::{forget_tab, keep_if_room, local, records, remove_records};
pub(super) use areas::{keys_of_sash, session};
pub use changes::{follow_deletion, on_other_tab, on_write};
pub(super) use closing::close;
pub use closing::{DELETING, is_closed};
pub use persistence::{is_persistent, request_persistence};
pub use store::BrowserStore;
pub use usage::{ROOM, sizes, used, used_percent};
