//! Request bodies that are being received. A body that never ends costs its client nothing, so their number
//! is limited; at the limit the body that has been stalled longest is evicted, so that stalled clients do not
//! block others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// A body without new bytes for this long loses its permit to generate to another request.
const STALL_TIME: Duration = Duration::from_secs(1);

/// All bodies that are being received.
#[derive(Debug)]
pub struct PendingBodies {
    max: usize,
    table: Mutex<(u64, HashMap<u64, BodyEntry>)>,
}

#[derive(Debug)]
struct BodyEntry {
    /// When bytes last arrived.
    active_at: Instant,
    /// Whether its request holds a permit to generate.
    generates: bool,
    /// Dropping it evicts the body.
    _evict: oneshot::Sender<()>,
}

/// A body that is being received; dropping it removes its entry.
#[derive(Debug)]
pub struct PendingBody {
    id: u64,
    bodies: Arc<PendingBodies>,
}

impl PendingBodies {
    /// A table for at most `max` bodies.
    #[must_use]
    pub fn new(max: usize) -> Arc<Self> {
        Arc::new(Self {
            max,
            table: Mutex::default(),
        })
    }

    /// Adds a body; at the limit the one stalled longest is evicted. The receiver ends when this one is evicted.
    #[must_use]
    pub fn begin(self: &Arc<Self>, generates: bool) -> (PendingBody, oneshot::Receiver<()>) {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, table) = &mut *guard;
        if table.len() >= self.max {
            evict(table, |_| true);
        }
        *last += 1;
        let id = *last;
        let (evict_switch, evicted) = oneshot::channel();
        table.insert(
            id,
            BodyEntry {
                active_at: Instant::now(),
                generates,
                _evict: evict_switch,
            },
        );
        let bodies = Arc::clone(self);
        (PendingBody { id, bodies }, evicted)
    }

    /// Evicts a stalled body whose request holds a permit to generate, which frees the permit; false if there
    /// is none.
    pub fn evict_stalled(&self) -> bool {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        evict(&mut guard.1, |entry| {
            entry.generates && entry.active_at.elapsed() >= STALL_TIME
        })
    }
}

/// Evicts the least recently active body among these; false when there is none.
fn evict(table: &mut HashMap<u64, BodyEntry>, among: impl Fn(&BodyEntry) -> bool) -> bool {
    let found = table.iter().filter(|(_, entry)| among(entry));
    let longest = found
        .min_by_key(|(_, entry)| entry.active_at)
        .map(|(id, _)| *id);
    longest.is_some_and(|id| table.remove(&id).is_some())
}

impl PendingBody {
    /// Records that bytes arrived.
    pub fn touch(&self) {
        let table = &self.bodies.table;
        let mut guard = table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = guard.1.get_mut(&self.id) {
            entry.active_at = Instant::now();
        }
    }
}

impl Drop for PendingBody {
    fn drop(&mut self) {
        let table = &self.bodies.table;
        let mut guard = table.lock().unwrap_or_else(PoisonError::into_inner);
        guard.1.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    fn is_evicted(receiver: &mut oneshot::Receiver<()>) -> bool {
        receiver.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    #[tokio::test(start_paused = true)]
    async fn the_one_quiet_longest_is_given_up() {
        let all = PendingBodies::new(2);
        let (first, mut first_over) = all.begin(false);
        advance(Duration::from_secs(1)).await;
        let (_second, mut second_over) = all.begin(false);
        advance(Duration::from_secs(1)).await;
        first.touch();
        let (_third, mut third_over) = all.begin(false);
        assert!(is_evicted(&mut second_over));
        assert!(!is_evicted(&mut first_over) && !is_evicted(&mut third_over));
    }

    #[tokio::test]
    async fn one_that_has_come_makes_room() {
        let all = PendingBodies::new(1);
        drop(all.begin(false));
        let (_one, mut over) = all.begin(false);
        assert!(!is_evicted(&mut over));
    }

    #[tokio::test(start_paused = true)]
    async fn leave_is_taken_from_a_quiet_body_and_from_no_other() {
        let all = PendingBodies::new(9);
        let (_small, mut small_over) = all.begin(false);
        let (quick, mut quick_over) = all.begin(true);
        let (_quiet, mut quiet_over) = all.begin(true);
        assert!(!all.evict_stalled(), "all have only just begun");
        advance(2 * STALL_TIME).await;
        quick.touch();
        assert!(all.evict_stalled());
        assert!(is_evicted(&mut quiet_over));
        assert!(!all.evict_stalled());
        assert!(!is_evicted(&mut quick_over) && !is_evicted(&mut small_over));
    }
}
