//! Who is connected, so that a crowd of idle connections cannot keep others out: at the limit the one
//! that has been idle longest makes room. Where none is idle, a few more are taken in to be told so.

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};
use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// Connections beyond the limits that are answered all the same: `/health`, and to others that it is full.
const EXTRA: usize = 32;

/// All connections of a server.
#[derive(Debug)]
pub struct Connections {
    most: usize,
    most_each: usize,
    table: Mutex<(u64, HashMap<u64, Entry>)>,
}

#[derive(Debug)]
struct Entry {
    /// Whose limit it counts for; none where an address says nothing about who asks.
    peer: Option<IpAddr>,
    /// Beyond the limits.
    extra: bool,
    /// Requests whose answer has not been sent whole.
    busy: usize,
    since: Instant,
    /// Dropping it closes the connection.
    _room: oneshot::Sender<()>,
}

/// A place in the table; dropping it gives the place back.
#[derive(Debug)]
pub struct Place {
    id: u64,
    connections: Arc<Connections>,
    extra: bool,
}

/// A request that is being answered; dropping it makes its connection idle.
#[derive(Debug)]
pub struct Busy(Arc<Place>);

impl Connections {
    /// A table of so many connections in all, and from one address.
    #[must_use]
    pub fn new(most: usize, most_each: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            most_each,
            table: Mutex::default(),
        })
    }

    /// Takes a place, if need be that of the connection that has been idle longest. The receiver ends
    /// when the place is needed for another. Without a `peer` only the limit for all counts.
    #[must_use]
    pub fn enter(self: &Arc<Self>, peer: Option<IpAddr>) -> (Arc<Place>, oneshot::Receiver<()>) {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, table) = &mut *guard;
        let own = |entry: &Entry| peer.is_some() && entry.peer == peer;
        let extra = !has_room(table, self.most_each, own) || !has_room(table, self.most, |_| true);
        if extra && table.values().filter(|entry| entry.extra).count() >= EXTRA {
            evict(table, |entry| entry.extra);
        }
        *last += 1;
        let id = *last;
        let (room, needed) = oneshot::channel();
        table.insert(
            id,
            Entry {
                peer,
                extra,
                busy: 0,
                since: Instant::now(),
                _room: room,
            },
        );
        let connections = Arc::clone(self);
        let place = Place {
            id,
            connections,
            extra,
        };
        (Arc::new(place), needed)
    }

    fn change(&self, id: u64, change: impl FnOnce(&mut Entry)) {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = guard.1.get_mut(&id) {
            change(entry);
            entry.since = Instant::now();
        }
    }
}

/// Whether there is room for another one like these, if need be after an idle one was closed.
fn has_room(table: &mut HashMap<u64, Entry>, most: usize, like: impl Fn(&Entry) -> bool) -> bool {
    let regular = |entry: &Entry| !entry.extra && like(entry);
    let count = table.values().filter(|entry| regular(entry)).count();
    count < most || evict(table, |entry| regular(entry) && entry.busy == 0)
}

/// Removes the connection of which the longest was heard nothing; false when there is none like these.
fn evict(table: &mut HashMap<u64, Entry>, among: impl Fn(&Entry) -> bool) -> bool {
    let found = table.iter().filter(|(_, entry)| among(entry));
    let longest = found
        .min_by_key(|(_, entry)| entry.since)
        .map(|(id, _)| *id);
    longest.is_some_and(|id| table.remove(&id).is_some())
}

impl Place {
    /// Whether it is beyond the limits: then there is room for one answer.
    #[must_use]
    pub fn is_extra(&self) -> bool {
        self.extra
    }

    /// Marks the connection busy until the answer that [holds](hold) this has been sent or dropped.
    #[must_use]
    pub fn busy(self: &Arc<Self>) -> Busy {
        self.connections.change(self.id, |entry| entry.busy += 1);
        Busy(Arc::clone(self))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let table = &self.connections.table;
        let mut guard = table.lock().unwrap_or_else(PoisonError::into_inner);
        guard.1.remove(&self.id);
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let leave = |entry: &mut Entry| entry.busy = entry.busy.saturating_sub(1);
        self.0.connections.change(self.0.id, leave);
    }
}

/// Requests in progress by client, for those whose connections are their proxy's.
#[derive(Debug)]
pub struct Clients {
    most_each: usize,
    table: Mutex<HashMap<IpAddr, usize>>,
}

/// A request of a client; dropping it makes room for another.
#[derive(Debug)]
pub struct Asking {
    client: IpAddr,
    clients: Arc<Clients>,
}

impl Clients {
    /// A table of so many requests for each.
    #[must_use]
    pub fn new(most_each: usize) -> Arc<Self> {
        Arc::new(Self {
            most_each,
            table: Mutex::default(),
        })
    }

    /// Counts a request; none at the limit.
    #[must_use]
    pub fn enter(self: &Arc<Self>, client: IpAddr) -> Option<Asking> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let count = table.entry(client).or_default();
        if *count >= self.most_each {
            return None;
        }
        *count += 1;
        let clients = Arc::clone(self);
        Some(Asking { client, clients })
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let table = &self.clients.table;
        let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = table.get_mut(&self.client) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                table.remove(&self.client);
            }
        }
    }
}

/// The body, which holds something until it has been sent or dropped.
pub fn hold<T: Send + Unpin + 'static>(body: Body, held: T) -> Body {
    Body::new(Held { body, _held: held })
}

struct Held<T> {
    body: Body,
    _held: T,
}

impl<T: Unpin> http_body::Body for Held<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let (place, mut needed) = all.enter(None);
        let body = hold(Body::from("x"), place.busy());
        assert!(all.enter(None).0.is_extra());
        assert_eq!(needed.try_recv(), Err(oneshot::error::TryRecvError::Empty));
        drop(body);
        assert!(!all.enter(None).0.is_extra());
    }

    #[tokio::test(start_paused = true)]
    async fn of_those_beyond_the_limit_the_oldest_goes_busy_or_not() {
        let all = Connections::new(0, 0);
        let mut extras = Vec::new();
        for _ in 0..EXTRA + 1 {
            let (place, needed) = all.enter(None);
            let busy = place.busy();
            extras.push((busy, needed));
            tokio::time::advance(std::time::Duration::from_secs(1)).await;
        }
        let closed = |needed: &mut oneshot::Receiver<()>| {
            needed.try_recv() == Err(oneshot::error::TryRecvError::Closed)
        };
        let gone = extras
            .iter_mut()
            .filter_map(|(_, needed)| closed(needed).then_some(()));
        assert_eq!(gone.count(), 1);
        assert!(closed(&mut extras[0].1));
    }

    #[tokio::test]
    async fn one_address_cannot_take_all_places() {
        let all = Connections::new(10, 1);
        let (place, _needed) = all.enter(Some(A));
        let _busy = place.busy();
        assert!(all.enter(Some(A)).0.is_extra());
        assert!(!all.enter(Some(B)).0.is_extra());
        // Where addresses say nothing, many may come from one.
        assert!(!all.enter(None).0.is_extra());
        assert!(!all.enter(None).0.is_extra());
    }

    #[test]
    fn a_client_behind_a_proxy_has_its_own_limit() {
        let clients = Clients::new(2);
        let (first, second) = (clients.enter(A), clients.enter(A));
        assert!(first.is_some() && second.is_some());
        assert!(clients.enter(A).is_none());
        assert!(clients.enter(B).is_some());
        drop(first);
        let third = clients.enter(A);
        assert!(third.is_some() && clients.enter(A).is_none());
        drop((second, third));
        assert!(
            clients.table.lock().unwrap().is_empty(),
            "nobody is remembered"
        );
    }
}
