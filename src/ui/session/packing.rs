//! Packing idle chats, one after another, with a breath between two.

use super::Session;
use crate::browser::clock;
use crate::ui::composer::{grouped, plural};
use leptos::prelude::*;
use sash_chat::Id;
use sash_log::pack::Gain;

const MINUTE: u64 = 60 * 1000;
const DAY: u64 = 24 * 60 * MINUTE;
/// What was written of late is likely to be opened again, and may not be on the disk yet.
pub const SETTLED: u64 = 60 * MINUTE;
/// What a chat must not have been touched for, to be packed unasked.
const UNASKED: u64 = 30 * DAY;
/// And when the person asks.
pub const IDLE: u64 = 7 * DAY;

impl Session {
    /// The chats that were not touched for so many milliseconds, and are not open here.
    pub fn idle_chats(self, since: u64) -> Vec<Id> {
        let before = clock::now().saturating_sub(since);
        let open = self.open.with_untracked(|open| open.head.id);
        let all = self.with_log(|log| log.summaries()).unwrap_or_default();
        let idle = all
            .iter()
            .filter(|chat| chat.touched < before && chat.id != open);
        idle.map(|chat| chat.id).collect()
    }

    /// What packing these chats would gain.
    pub async fn packing_gain(self, chats: &[Id]) -> Gain {
        let mut all = Gain::default();
        for chat in chats {
            let gain = self.with_log(|log| log.would_pack(*chat));
            add(&mut all, gain.and_then(Result::ok));
            clock::pause().await;
        }
        all
    }

    /// Packs chats. Those that cannot be packed now stay as they are.
    pub async fn pack_chats(self, chats: &[Id]) -> Gain {
        let mut all = Gain::default();
        for chat in chats {
            // It may have been opened since.
            if self.open.with_untracked(|open| open.head.id == *chat) {
                continue;
            }
            let gain = self.with_log(|log| log.pack(*chat));
            add(&mut all, gain.and_then(Result::ok));
            clock::pause().await;
        }
        if all.messages > 0 {
            self.note_room();
        }
        all
    }

    /// Packs what nobody touched for a month. What there is to say of it, if anything was packed.
    pub(super) async fn pack_old_chats(self) -> Option<String> {
        let chats = self.idle_chats(UNASKED);
        let gain = self.pack_chats(&chats).await;
        (gain.messages > 0).then(|| {
            format!(
                "Packed {} of old chats: {} kB of storage are free again",
                plural(gain.messages, "message"),
                grouped((gain.before.saturating_sub(gain.after) / 1000) as u64)
            )
        })
    }
}

fn add(all: &mut Gain, one: Option<Gain>) {
    let one = one.unwrap_or_default();
    all.messages += one.messages;
    all.before += one.before;
    all.after += one.after;
}
