//! Muting a message, and what goes in its place.

use super::Steering;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_chat::window::{Reason, Window, WindowEntry};
use sash_words::{
    count::{self, grouped},
    t,
};

impl Steering {
    /// Mutes or unmutes a message. Says so where an older message that is larger takes its place: the policy counts
    /// messages, and the request grows although something was left out.
    pub fn mute(self, id: Id, on: bool) {
        let before = self.window.get_untracked();
        self.steer(|head| head.mute(id, on));
        self.notices().announce(match on {
            true => t!(state.muted_message),
            false => t!(state.unmuted_message),
        });
        if on {
            let after = self.window.get_untracked();
            let estimate = self.estimate.get_untracked();
            let tokens = |window: &Window, other: &Window| -> u64 {
                let only_here = window.entries.iter().filter(|e| !other.contains(e.id));
                only_here.map(|entry| estimate.part(entry.size)).sum()
            };
            let (came, went) = (tokens(&after, &before), tokens(&before, &after));
            let is_new = |entry: &&WindowEntry| {
                entry.reason == Reason::Policy && !entry.in_tool_round && !before.contains(entry.id)
            };
            let count = after.entries.iter().filter(is_new).count();
            if count > 0 && came > went {
                self.notices().show(slid_in_words(count, came, went));
            }
        }
    }
}

fn slid_in_words(count: usize, came: u64, went: u64) -> String {
    t!(
        state.replaced_in_window,
        count = count as u64,
        what = count::older_messages(count),
        came = grouped(came),
        went = grouped(went)
    )
}
