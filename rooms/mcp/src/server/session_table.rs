//! Times at which sessions were used, and the choice of the one that goes. The time of each call is passed in.

use super::calls::ClientCalls;
use rmcp::transport::streamable_http_server::session::SessionId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// When the sessions were used.
#[derive(Debug)]
pub struct SessionTable {
    max: usize,
    idle_time: Duration,
    sessions: HashMap<SessionId, SessionUse>,
}

#[derive(Debug)]
struct SessionUse {
    at: Instant,
    calls: ClientCalls,
}

impl SessionTable {
    /// No sessions, of which there may be `max`, each so long without use.
    pub fn new(max: usize, idle_time: Duration) -> Self {
        Self {
            max,
            idle_time,
            sessions: HashMap::new(),
        }
    }

    /// A new session.
    pub fn add(&mut self, id: SessionId, at: Instant) {
        let calls = ClientCalls::default();
        self.sessions.insert(id, SessionUse { at, calls });
    }

    /// A request of a session.
    pub fn touch(&mut self, id: &SessionId, now: Instant) {
        if let Some(session) = self.sessions.get_mut(id) {
            session.at = now;
        }
    }

    /// The calls of a session.
    pub fn calls(&self, id: &SessionId) -> Option<ClientCalls> {
        let session = self.sessions.get(id)?;
        Some(session.calls.clone())
    }

    /// Removes a session, whose calls end with it.
    pub fn remove(&mut self, id: &SessionId) {
        if let Some(session) = self.sessions.remove(id) {
            session.calls.stop();
        }
    }

    /// The number of sessions.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.sessions.len()
    }

    /// Removes the sessions that were idle for too long and, to make room for `more`, those used longest ago, which are
    /// to be closed. One with a running call goes only where there is no other.
    pub fn remove_old(&mut self, more: usize, now: Instant) -> Vec<SessionId> {
        let idle_time = self.idle_time;
        let is_idle = |session: &SessionUse| {
            session.calls.is_empty() && now.duration_since(session.at) >= idle_time
        };
        let idle = self.sessions.iter().filter(|(_, session)| is_idle(session));
        let mut closed: Vec<SessionId> = idle.map(|(id, _)| id.clone()).collect();
        for id in &closed {
            self.remove(id);
        }
        while self.sessions.len() + more > self.max {
            let by_use = |(_, session): &(_, &SessionUse)| (!session.calls.is_empty(), session.at);
            let oldest = self.sessions.iter().min_by_key(by_use);
            let Some(oldest) = oldest.map(|(id, _)| id.clone()) else {
                break;
            };
            self.remove(&oldest);
            closed.push(oldest);
        }
        closed
    }
}

/// The table as all requests share it.
#[derive(Clone, Debug)]
pub struct SharedTable(Arc<Mutex<SessionTable>>);

impl SharedTable {
    /// Shares a table.
    pub fn new(table: SessionTable) -> Self {
        Self(Arc::new(Mutex::new(table)))
    }

    /// Locks it.
    pub fn lock(&self) -> MutexGuard<'_, SessionTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::calls::RunningCall;
    use super::*;
    use rmcp::model::RequestId;

    const IDLE: Duration = Duration::from_secs(10);

    fn id(name: &str) -> SessionId {
        name.into()
    }

    fn call(table: &SessionTable, session: &str) -> RunningCall {
        let calls = table.calls(&id(session)).unwrap();
        calls.begin(RequestId::Number(1)).unwrap()
    }

    fn names(closed: Vec<SessionId>) -> Vec<String> {
        let mut names: Vec<_> = closed.iter().map(ToString::to_string).collect();
        names.sort();
        names
    }

    #[test]
    fn a_session_is_closed_when_it_was_idle_for_long_and_not_while_it_answers() {
        let mut table = SessionTable::new(10, IDLE);
        let start = Instant::now();
        for name in ["idle", "used", "busy"] {
            table.add(id(name), start);
        }
        let call = call(&table, "busy");
        table.touch(&id("used"), start + IDLE / 2);
        assert!(names(table.remove_old(0, start + IDLE / 2)).is_empty());
        assert_eq!(names(table.remove_old(0, start + IDLE)), ["idle"]);
        drop(call);
        table.touch(&id("busy"), start + IDLE * 3);
        assert_eq!(names(table.remove_old(0, start + IDLE * 3)), ["used"]);
        assert_eq!(names(table.remove_old(0, start + IDLE * 4)), ["busy"]);
    }

    #[test]
    fn at_the_limit_the_session_used_longest_ago_makes_room() {
        let mut table = SessionTable::new(3, IDLE);
        let start = Instant::now();
        for (n, name) in ["a", "b", "c"].into_iter().enumerate() {
            assert!(table.remove_old(1, start).is_empty());
            table.add(id(name), start + Duration::from_millis(n as u64));
        }
        let _first = call(&table, "a");
        assert_eq!(names(table.remove_old(1, start)), ["b"]);
        table.add(id("d"), start + Duration::from_millis(5));
        let _more = [call(&table, "c"), call(&table, "d")];
        assert_eq!(names(table.remove_old(1, start)).len(), 1, "all answer");
        assert_eq!(table.sessions.len(), 2);
    }

    #[tokio::test]
    async fn the_calls_of_a_session_end_with_it() {
        let mut table = SessionTable::new(1, IDLE);
        let start = Instant::now();
        table.add(id("a"), start);
        let closed = call(&table, "a");
        table.remove(&id("a"));
        closed.stopped().await;
        table.add(id("b"), start);
        let evicted = call(&table, "b");
        assert_eq!(names(table.remove_old(1, start)), ["b"]);
        evicted.stopped().await;
    }
}
