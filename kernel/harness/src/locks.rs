//! Locks shared by all tabs, like Web Locks: requests queue, and a lock can be stolen.

use futures::channel::oneshot;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, pending};
use std::rc::Rc;

/// A request for a lock; the first of a queue holds it.
struct Holder {
    number: u64,
    tab: u32,
    taken: Box<dyn FnOnce()>,
}

/// All locks of a browser.
#[derive(Default)]
pub struct LockTable {
    numbers: u64,
    /// The first of each queue holds the lock.
    queues: BTreeMap<String, VecDeque<Holder>>,
    /// Those who wait until a lock is free, without acquiring it.
    waiting: Vec<(String, oneshot::Sender<()>)>,
}

impl LockTable {
    /// Requests a lock; dropping the result releases it.
    pub fn hold(table: &Rc<RefCell<Self>>, tab: u32, name: &str, taken: Box<dyn FnOnce()>) -> Held {
        let mut locks = table.borrow_mut();
        locks.numbers += 1;
        let number = locks.numbers;
        let queue = locks.queues.entry(name.to_owned()).or_default();
        queue.push_back(Holder { number, tab, taken });
        Held {
            table: table.clone(),
            name: name.to_owned(),
            number,
        }
    }

    /// Acquires a lock if it is free.
    pub fn try_hold(
        table: &Rc<RefCell<Self>>,
        tab: u32,
        name: &str,
        taken: Box<dyn FnOnce()>,
    ) -> Option<Held> {
        let is_free = !table.borrow().is_held(name);
        is_free.then(|| Self::hold(table, tab, name, taken))
    }

    /// Whether a lock is held now.
    pub fn is_held(&self, name: &str) -> bool {
        self.queues.get(name).is_some_and(|queue| !queue.is_empty())
    }

    /// Waits until nobody holds a lock.
    pub fn wait_until_free(
        table: &Rc<RefCell<Self>>,
        name: String,
    ) -> impl Future<Output = ()> + use<> {
        let (free, freed) = oneshot::channel();
        table.borrow_mut().waiting.push((name.clone(), free));
        table.borrow_mut().wake(&name);
        async {
            // A finished test never frees its locks.
            if freed.await.is_err() {
                pending::<()>().await;
            }
        }
    }

    /// Steals a lock from its holder and tells the holder.
    pub async fn take_over(table: Rc<RefCell<Self>>, name: String) {
        let queue = |locks: &mut Self| locks.queues.get_mut(&name)?.pop_front();
        let holder = queue(&mut table.borrow_mut());
        if let Some(holder) = holder {
            (holder.taken)();
        }
        table.borrow_mut().wake(&name);
    }

    /// Releases all locks of a tab and cancels its requests.
    pub fn close(table: &Rc<RefCell<Self>>, tab: u32) {
        let mut locks = table.borrow_mut();
        let names: Vec<String> = locks.queues.keys().cloned().collect();
        for name in names {
            if let Some(queue) = locks.queues.get_mut(&name) {
                queue.retain(|holder| holder.tab != tab);
            }
            locks.wake(&name);
        }
    }

    fn wake(&mut self, name: &str) {
        if self.is_held(name) {
            return;
        }
        let (free, still) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|(waits_for, _)| waits_for == name);
        self.waiting = still;
        let free: Vec<(String, oneshot::Sender<()>)> = free;
        for (_, free) in free {
            // The waiting task may have been dropped.
            free.send(()).ok();
        }
    }
}

/// A held or requested lock; dropping it releases the lock.
pub struct Held {
    table: Rc<RefCell<LockTable>>,
    name: String,
    number: u64,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut locks = self.table.borrow_mut();
        if let Some(queue) = locks.queues.get_mut(&self.name) {
            queue.retain(|holder| holder.number != self.number);
        }
        locks.wake(&self.name);
    }
}
