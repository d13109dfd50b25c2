//! Steps with thousands of chats in slices, so that the page answers meanwhile.

use super::Chats;
use sash_chat::Id;
use sash_words::count::{self, grouped};
use sash_words::t;

/// Up to this many chats are changed at once.
pub(super) const MAX_AT_ONCE: usize = 50;
/// The size of a slice follows the time that the former one took, in milliseconds.
const SHORT_MS: f64 = 8.0;
const LONG_MS: f64 = 20.0;
/// The sizes that a slice can have.
const SIZES: (usize, usize) = (10, 400);
/// How often the progress is said, in milliseconds.
const PROGRESS_MS: f64 = 500.0;

impl Chats {
    /// Changes chats, thousands of them in slices: `change` gets the chats of a slice, which may be gone by then, and gives
    /// what it changed; `end` gets all of that. Returns whether something was changed, or still may be.
    pub fn change_in_slices<T: 'static>(
        self,
        chats: Vec<Id>,
        change: impl Fn(&[Id]) -> Vec<T> + 'static,
        end: impl FnOnce(Vec<T>) + 'static,
    ) -> bool {
        if chats.len() <= MAX_AT_ONCE {
            let changed = change(&chats);
            let has_changed = !changed.is_empty();
            end(changed);
            return has_changed;
        }
        self.edges.spawn(async move {
            let (mut changed, mut done, mut size) = (Vec::new(), 0, MAX_AT_ONCE);
            let mut said = self.edges.monotonic();
            while done < chats.len() {
                let began = self.edges.monotonic();
                let to = chats.len().min(done + size);
                changed.extend(change(chats.get(done..to).unwrap_or_default()));
                done = to;
                let now = self.edges.monotonic();
                let (least, most) = SIZES;
                if now - began < SHORT_MS {
                    size = most.min(size * 2);
                } else if now - began > LONG_MS {
                    size = least.max(size / 2);
                }
                if now - said >= PROGRESS_MS && done < chats.len() {
                    said = now;
                    let (done, chats) = (grouped(done as u64), count::chats(chats.len()));
                    self.notices()
                        .show(t!(state.progress_of_chats, done = &done, chats = &chats));
                }
                self.edges.pause().await;
            }
            end(changed);
        });
        true
    }
}
