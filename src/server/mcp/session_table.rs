//! When each session was used, and which one goes. The time of each call is passed in.

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
    running_calls: usize,
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
        let running_calls = 0;
        self.sessions.insert(id, SessionUse { at, running_calls });
    }

    /// A request of a session.
    pub fn touch(&mut self, id: &SessionId, now: Instant) {
        if let Some(session) = self.sessions.get_mut(id) {
            session.at = now;
        }
    }

    /// A session that was closed.
    pub fn remove(&mut self, id: &SessionId) {
        self.sessions.remove(id);
    }

    /// The number of sessions.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.sessions.len()
    }

    /// Counts a call of a session as running.
    pub fn begin_call(&mut self, id: &SessionId, now: Instant) {
        if let Some(session) = self.sessions.get_mut(id) {
            session.at = now;
            session.running_calls += 1;
        }
    }

    /// The end of a call that was counted.
    pub fn end_call(&mut self, id: &SessionId, now: Instant) {
        if let Some(session) = self.sessions.get_mut(id) {
            session.at = now;
            session.running_calls = session.running_calls.saturating_sub(1);
        }
    }

    /// Removes the sessions that were idle for too long and, to make room for `more`, those used longest ago, which are
    /// to be closed. One with a running call goes only where there is no other.
    pub fn remove_old(&mut self, more: usize, now: Instant) -> Vec<SessionId> {
        let idle_time = self.idle_time;
        let is_idle = |session: &SessionUse| {
            session.running_calls == 0 && now.duration_since(session.at) >= idle_time
        };
        let idle = self.sessions.iter().filter(|(_, session)| is_idle(session));
        let mut closed: Vec<SessionId> = idle.map(|(id, _)| id.clone()).collect();
        for id in &closed {
            self.sessions.remove(id);
        }
        while self.sessions.len() + more > self.max {
            let by_use = |(_, session): &(_, &SessionUse)| (session.running_calls > 0, session.at);
            let oldest = self.sessions.iter().min_by_key(by_use);
            let Some(oldest) = oldest.map(|(id, _)| id.clone()) else {
                break;
            };
            self.sessions.remove(&oldest);
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
    use super::*;

    const IDLE: Duration = Duration::from_secs(10);

    fn id(name: &str) -> SessionId {
        name.into()
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
        table.begin_call(&id("busy"), start);
        table.touch(&id("used"), start + IDLE / 2);
        assert!(names(table.remove_old(0, start + IDLE / 2)).is_empty());
        assert_eq!(names(table.remove_old(0, start + IDLE)), ["idle"]);
        table.end_call(&id("busy"), start + IDLE * 3);
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
        table.begin_call(&id("a"), start);
        assert_eq!(names(table.remove_old(1, start)), ["b"]);
        table.add(id("d"), start + Duration::from_millis(5));
        table.begin_call(&id("c"), start);
        table.begin_call(&id("d"), start + Duration::from_millis(5));
        assert_eq!(names(table.remove_old(1, start)).len(), 1, "all answer");
        assert_eq!(table.sessions.len(), 2);
    }
}
