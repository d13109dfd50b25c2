//! The table of connections. At the limit the connection that has been idle longest is closed for a new one,
//! so that many idle connections do not block new ones. If none is idle, a few more connections are accepted
//! and told that the server is full.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// Connections accepted beyond the limits: they may request `/health`; any other request is answered that the
/// server is full.
const MAX_EXTRA: usize = 32;

/// All connections of a server.
#[derive(Debug)]
pub struct Connections {
    max: usize,
    max_per_peer: usize,
    table: Mutex<(u64, HashMap<u64, ConnectionEntry>)>,
}

#[derive(Debug)]
struct ConnectionEntry {
    /// The address whose limit it counts for; `None` where one address stands for many clients.
    peer: Option<IpAddr>,
    /// Whether it was accepted beyond the limits.
    extra: bool,
    /// The number of requests whose answer is not completely sent.
    busy: usize,
    /// When a request last started or ended.
    since: Instant,
    /// Dropping it closes the connection.
    _evict: oneshot::Sender<()>,
}

/// A connection's entry in the table; dropping it removes the entry.
#[derive(Debug)]
pub struct ConnectionSlot {
    id: u64,
    connections: Arc<Connections>,
    extra: bool,
}

/// A request that is being answered; dropping it makes its connection idle.
#[derive(Debug)]
pub struct ActiveRequest(Arc<ConnectionSlot>);

impl Connections {
    /// A table with limits on all connections and on those of one address.
    #[must_use]
    pub fn new(max: usize, max_per_peer: usize) -> Arc<Self> {
        Arc::new(Self {
            max,
            max_per_peer,
            table: Mutex::default(),
        })
    }

    /// Adds a connection; at the limit the one that has been idle longest is evicted. The receiver ends when this one
    /// is evicted. Without a `peer` only the limit of all connections counts.
    #[must_use]
    pub fn enter(
        self: &Arc<Self>,
        peer: Option<IpAddr>,
    ) -> (Arc<ConnectionSlot>, oneshot::Receiver<()>) {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, table) = &mut *guard;
        let own = |entry: &ConnectionEntry| peer.is_some() && entry.peer == peer;
        let extra =
            !has_room(table, self.max_per_peer, own) || !has_room(table, self.max, |_| true);
        if extra && table.values().filter(|entry| entry.extra).count() >= MAX_EXTRA {
            evict(table, |entry| entry.extra);
        }
        *last += 1;
        let id = *last;
        let (evict_switch, evicted) = oneshot::channel();
        table.insert(
            id,
            ConnectionEntry {
                peer,
                extra,
                busy: 0,
                since: Instant::now(),
                _evict: evict_switch,
            },
        );
        let connections = Arc::clone(self);
        let slot = ConnectionSlot {
            id,
            connections,
            extra,
        };
        (Arc::new(slot), evicted)
    }

    fn change(&self, id: u64, change: impl FnOnce(&mut ConnectionEntry)) {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = guard.1.get_mut(&id) {
            change(entry);
            entry.since = Instant::now();
        }
    }
}

/// Whether another connection of this kind fits, after evicting an idle one if necessary.
fn has_room(
    table: &mut HashMap<u64, ConnectionEntry>,
    max: usize,
    like: impl Fn(&ConnectionEntry) -> bool,
) -> bool {
    let regular = |entry: &ConnectionEntry| !entry.extra && like(entry);
    let count = table.values().filter(|entry| regular(entry)).count();
    count < max || evict(table, |entry| regular(entry) && entry.busy == 0)
}

/// Evicts the least recently active connection among these; false when there is none.
fn evict(
    table: &mut HashMap<u64, ConnectionEntry>,
    among: impl Fn(&ConnectionEntry) -> bool,
) -> bool {
    let found = table.iter().filter(|(_, entry)| among(entry));
    let longest = found
        .min_by_key(|(_, entry)| entry.since)
        .map(|(id, _)| *id);
    longest.is_some_and(|id| table.remove(&id).is_some())
}

impl ConnectionSlot {
    /// Whether it was accepted beyond the limits; then it gets one answer and is closed.
    #[must_use]
    pub fn is_extra(&self) -> bool {
        self.extra
    }

    /// Marks the connection busy until the answer that [holds](crate::body_guard::attach) this has been sent or dropped.
    #[must_use]
    pub fn busy(self: &Arc<Self>) -> ActiveRequest {
        self.connections.change(self.id, |entry| entry.busy += 1);
        ActiveRequest(Arc::clone(self))
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let table = &self.connections.table;
        let mut guard = table.lock().unwrap_or_else(PoisonError::into_inner);
        guard.1.remove(&self.id);
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        let leave = |entry: &mut ConnectionEntry| entry.busy = entry.busy.saturating_sub(1);
        self.0.connections.change(self.0.id, leave);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body_guard::attach;
    use axum::body::Body;

    const A: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
    const B: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2));

    #[tokio::test(start_paused = true)]
    async fn the_one_idle_longest_makes_room() {
        let all = Connections::new(2, 2);
        let (first, mut first_needed) = all.enter(None);
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        let (_second, mut second_needed) = all.enter(None);
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        drop(first.busy());
        let (third, _) = all.enter(None);
        assert!(!third.is_extra());
        assert_eq!(
            second_needed.try_recv(),
            Err(oneshot::error::TryRecvError::Closed)
        );
        assert_eq!(
            first_needed.try_recv(),
            Err(oneshot::error::TryRecvError::Empty)
        );
    }

    #[tokio::test]
    async fn busy_connections_stay_and_others_are_taken_in_to_be_told() {
        let all = Connections::new(1, 1);
        let (slot, mut evicted) = all.enter(None);
        let body = attach(Body::from("x"), slot.busy());
        assert!(all.enter(None).0.is_extra());
        assert_eq!(evicted.try_recv(), Err(oneshot::error::TryRecvError::Empty));
        drop(body);
        assert!(!all.enter(None).0.is_extra());
    }

    #[tokio::test(start_paused = true)]
    async fn of_those_beyond_the_limit_the_oldest_goes_busy_or_not() {
        let all = Connections::new(0, 0);
        let mut extras = Vec::new();
        for _ in 0..MAX_EXTRA + 1 {
            let (slot, evicted) = all.enter(None);
            let busy = slot.busy();
            extras.push((busy, evicted));
            tokio::time::advance(std::time::Duration::from_secs(1)).await;
        }
        let closed = |evicted: &mut oneshot::Receiver<()>| {
            evicted.try_recv() == Err(oneshot::error::TryRecvError::Closed)
        };
        let gone = extras
            .iter_mut()
            .filter_map(|(_, evicted)| closed(evicted).then_some(()));
        assert_eq!(gone.count(), 1);
        assert!(closed(&mut extras[0].1));
    }

    #[tokio::test]
    async fn one_address_cannot_take_all_places() {
        let all = Connections::new(10, 1);
        let (slot, _needed) = all.enter(Some(A));
        let _busy = slot.busy();
        assert!(all.enter(Some(A)).0.is_extra());
        assert!(!all.enter(Some(B)).0.is_extra());
        // Connections without an address are not limited per address.
        assert!(!all.enter(None).0.is_extra());
        assert!(!all.enter(None).0.is_extra());
    }
}
