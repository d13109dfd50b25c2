//! Requests whose body is on its way. A body that never ends costs its client nothing, so their number is
//! bounded, and at the bound the one that has been quiet longest is given up: whoever sends what he
//! announced is not kept out by those who do not.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// A body that is quiet for longer than this gives its leave to generate to the next one.
const QUIET: Duration = Duration::from_secs(1);

/// All bodies on their way.
#[derive(Debug)]
pub struct Arrivals {
    most: usize,
    table: Mutex<(u64, HashMap<u64, Entry>)>,
}

#[derive(Debug)]
struct Entry {
    /// When something of it came last.
    heard: Instant,
    /// Whether it has leave to generate.
    generates: bool,
    /// Dropping it gives the body up.
    _room: oneshot::Sender<()>,
}

/// A body on its way; dropping it says that it has come, or will not.
#[derive(Debug)]
pub struct Arriving {
    id: u64,
    arrivals: Arc<Arrivals>,
}

impl Arrivals {
    /// A table of so many bodies.
    #[must_use]
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            table: Mutex::default(),
        })
    }

    /// A body begins. The receiver ends when it is to be given up.
    #[must_use]
    pub fn begin(self: &Arc<Self>, generates: bool) -> (Arriving, oneshot::Receiver<()>) {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, table) = &mut *guard;
        if table.len() >= self.most {
            give_up(table, |_| true);
        }
        *last += 1;
        let id = *last;
        let (room, given_up) = oneshot::channel();
        table.insert(
            id,
            Entry {
                heard: Instant::now(),
                generates,
                _room: room,
            },
        );
        let arrivals = Arc::clone(self);
        (Arriving { id, arrivals }, given_up)
    }

    /// Gives up a quiet body that has leave to generate, so that another request can have it; false when
    /// there is none.
    pub fn free_leave(&self) -> bool {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        give_up(&mut guard.1, |entry| {
            entry.generates && entry.heard.elapsed() >= QUIET
        })
    }
}

/// Gives up the one of these that has been quiet longest.
fn give_up(table: &mut HashMap<u64, Entry>, among: impl Fn(&Entry) -> bool) -> bool {
    let found = table.iter().filter(|(_, entry)| among(entry));
    let longest = found
        .min_by_key(|(_, entry)| entry.heard)
        .map(|(id, _)| *id);
    longest.is_some_and(|id| table.remove(&id).is_some())
}

impl Arriving {
    /// Something of it came.
    pub fn heard(&self) {
        let table = &self.arrivals.table;
        let mut guard = table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = guard.1.get_mut(&self.id) {
            entry.heard = Instant::now();
        }
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        let table = &self.arrivals.table;
        let mut guard = table.lock().unwrap_or_else(PoisonError::into_inner);
        guard.1.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    fn is_given_up(receiver: &mut oneshot::Receiver<()>) -> bool {
        receiver.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    #[tokio::test(start_paused = true)]
    async fn the_one_quiet_longest_is_given_up() {
        let all = Arrivals::new(2);
        let (first, mut first_over) = all.begin(false);
        advance(Duration::from_secs(1)).await;
        let (_second, mut second_over) = all.begin(false);
        advance(Duration::from_secs(1)).await;
        first.heard();
        let (_third, mut third_over) = all.begin(false);
        assert!(is_given_up(&mut second_over));
        assert!(!is_given_up(&mut first_over) && !is_given_up(&mut third_over));
    }

    #[tokio::test]
    async fn one_that_has_come_makes_room() {
        let all = Arrivals::new(1);
        drop(all.begin(false));
        let (_one, mut over) = all.begin(false);
        assert!(!is_given_up(&mut over));
    }

    #[tokio::test(start_paused = true)]
    async fn leave_is_taken_from_a_quiet_body_and_from_no_other() {
        let all = Arrivals::new(9);
        let (_small, mut small_over) = all.begin(false);
        let (quick, mut quick_over) = all.begin(true);
        let (_quiet, mut quiet_over) = all.begin(true);
        assert!(!all.free_leave(), "all have only just begun");
        advance(2 * QUIET).await;
        quick.heard();
        assert!(all.free_leave());
        assert!(is_given_up(&mut quiet_over));
        assert!(!all.free_leave());
        assert!(!is_given_up(&mut quick_over) && !is_given_up(&mut small_over));
    }
}
