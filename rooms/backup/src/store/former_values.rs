//! Values of fields that gave way to those of another browser.

use sash_records::FIELDS;
use sash_records::backup::{FormerValue, clear_former_values, restore_value};
use sash_stores::{Chats, Steering};

/// Gives a field of the open chat the value that it had in another browser; the one that it has now is kept instead.
pub fn use_former_value(steering: Steering, chats: Chats, former: &FormerValue, now: u64) {
    steering.steer(|head| restore_value(head, FIELDS, former, now));
    // It may be the title.
    chats.refresh_chat(chats.open_id_untracked());
}

/// Forgets the values that fields of the open chat had in other browsers.
pub fn forget_former_values(steering: Steering) {
    steering.steer(clear_former_values);
}
