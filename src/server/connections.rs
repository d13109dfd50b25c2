//! Who is connected, so that a crowd of idle connections cannot keep others out: at the limit the one
//! that has been idle longest makes room.

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};
use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// All connections of a server.
#[derive(Debug)]
pub struct Connections {
    most: usize,
    /// For each address; none where all share one.
    most_each: Option<usize>,
    table: Mutex<(u64, HashMap<u64, Entry>)>,
}

#[derive(Debug)]
struct Entry {
    peer: IpAddr,
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
}

/// A request that is being answered; dropping it makes its connection idle.
#[derive(Debug)]
struct Busy(Arc<Place>);

impl Connections {
    /// A table of so many connections in all, and from one address.
    #[must_use]
    pub fn new(most: usize, most_each: Option<usize>) -> Arc<Self> {
        Arc::new(Self {
            most,
            most_each,
            table: Mutex::default(),
        })
    }

    /// Takes a place, if need be that of the connection that has been idle longest. The receiver ends
    /// when the place is needed for another. None when all are busy.
    #[must_use]
    pub fn enter(self: &Arc<Self>, peer: IpAddr) -> Option<(Arc<Place>, oneshot::Receiver<()>)> {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, table) = &mut *guard;
        if let Some(most) = self.most_each {
            let each = table.values().filter(|entry| entry.peer == peer).count();
            if each >= most && !evict(table, |entry| entry.peer == peer) {
                return None;
            }
        }
        if table.len() >= self.most && !evict(table, |_| true) {
            return None;
        }
        *last += 1;
        let id = *last;
        let (room, needed) = oneshot::channel();
        table.insert(
            id,
            Entry {
                peer,
                busy: 0,
                since: Instant::now(),
                _room: room,
            },
        );
        let connections = Arc::clone(self);
        Some((Arc::new(Place { id, connections }), needed))
    }

    fn change(&self, id: u64, change: impl FnOnce(&mut Entry)) {
        let mut guard = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = guard.1.get_mut(&id) {
            change(entry);
            entry.since = Instant::now();
        }
    }
}

/// Removes the connection that has been idle longest; false when none is idle.
fn evict(table: &mut HashMap<u64, Entry>, among: impl Fn(&Entry) -> bool) -> bool {
    let idle = table
        .iter()
        .filter(|(_, entry)| entry.busy == 0 && among(entry));
    let longest = idle.min_by_key(|(_, entry)| entry.since).map(|(id, _)| *id);
    longest.is_some_and(|id| table.remove(&id).is_some())
}

impl Place {
    /// Marks the connection busy until the answer that this gives has been sent or dropped.
    #[must_use]
    pub fn busy(self: &Arc<Self>) -> Answering {
        self.connections.change(self.id, |entry| entry.busy += 1);
        Answering(Busy(Arc::clone(self)))
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

/// See [`Place::busy`].
#[derive(Debug)]
pub struct Answering(Busy);

impl Answering {
    /// The body, keeping its connection busy.
    pub fn over(self, body: Body) -> Body {
        Body::new(Counted {
            body,
            _busy: self.0,
        })
    }
}

struct Counted {
    body: Body,
    _busy: Busy,
}

impl http_body::Body for Counted {
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
        let all = Connections::new(2, None);
        let (first, mut first_needed) = all.enter(A).unwrap();
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        let (_second, mut second_needed) = all.enter(A).unwrap();
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        drop(first.busy());
        let third = all.enter(A);
        assert!(third.is_some());
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
    async fn busy_connections_stay() {
        let all = Connections::new(1, None);
        let (place, _needed) = all.enter(A).unwrap();
        let body = place.busy().over(Body::from("x"));
        assert!(all.enter(A).is_none());
        drop(body);
        assert!(all.enter(A).is_some());
    }

    #[tokio::test]
    async fn one_address_cannot_take_all_places() {
        let all = Connections::new(10, Some(1));
        let (place, _needed) = all.enter(A).unwrap();
        let _answering = place.busy();
        assert!(all.enter(A).is_none());
        assert!(all.enter(B).is_some());
    }
}
