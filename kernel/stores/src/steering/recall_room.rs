//! The room that recalled messages may take.

use sash_chat::window::recall_within;
use sash_chat::{Policy, RecallMode, RecallSetting};

/// The most tokens that a prompt recalls by itself, in a context of so many.
pub(super) fn recall_tokens(setting: RecallSetting, policy: Policy, context: u64) -> u64 {
    let wanted = u64::from(setting.tokens);
    match setting.mode {
        RecallMode::Off | RecallMode::Offer => 0,
        RecallMode::ByItself if policy.grows() => recall_within(wanted, context),
        RecallMode::ByItself => wanted,
    }
}
