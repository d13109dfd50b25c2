//! The values that fields of the open chat had in other browsers.

use crate::steering::Steering;
use sash_chat::FormerValue;

/// Gives a field of the open chat the value that it had in another browser; the one that it has now is kept instead.
pub fn use_former_value(steering: Steering, former: &FormerValue, now: u64) {
    steering.steer(|head| head.bring_back_value(former, now));
    // It may be the title.
    let chats = steering.chats();
    chats.refresh_chat(chats.open_id_untracked());
}

/// Forgets the values that fields of the open chat had in other browsers.
pub fn forget_former_values(steering: Steering) {
    steering.steer(|head| head.former_values.clear());
}
