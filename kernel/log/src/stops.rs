//! The answers that the server is to stop and has not confirmed yet: whoever stops one may be without a connection, and
//! the page may be gone before there is one.

use super::{Key, KeyValue, Log, StoreError};
use sash_chat::AnswerId;

impl<S: KeyValue> Log<S> {
    /// Records that the server is to stop an answer. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn save_stop(&mut self, answer: AnswerId, now: u64) -> Result<(), StoreError> {
        self.write(Key::Stop(answer), &now)
    }

    /// Removes the record of a stop: the server has confirmed it.
    pub fn drop_stop(&mut self, answer: AnswerId) {
        self.remove(Key::Stop(answer));
    }

    /// The answers that the server is still to stop. Those recorded more than a day before `now` (milliseconds since
    /// 1970) are dropped: the server has stopped them by itself.
    pub fn pending_stops(&mut self, now: u64) -> Vec<AnswerId> {
        const KEPT_FOR_MS: u64 = 24 * 60 * 60 * 1000;
        let all: Vec<AnswerId> = self.stops.iter().copied().collect();
        let (kept, old): (Vec<_>, Vec<_>) = all.into_iter().partition(|answer| {
            let at = self.read::<u64>(Key::Stop(*answer));
            at.is_some_and(|at| now.saturating_sub(at) <= KEPT_FOR_MS)
        });
        for answer in old {
            self.drop_stop(answer);
        }
        kept
    }
}
