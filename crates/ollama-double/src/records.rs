//! What was asked, and how it went: for tests to read.

use super::locks::hold;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// One request as it was seen. Times are instants in process; as JSON they are milliseconds since 1970,
/// with fractions, to compare with a browser's clock.
#[derive(Clone, Debug, Serialize)]
pub struct Seen {
    /// Counts from 1.
    pub id: u64,
    /// The method.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// Headers in the order sent, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body: as JSON where it is, else as a string; null without one.
    pub body: Value,
    /// When the head had arrived.
    #[serde(serialize_with = "unix")]
    pub arrived: Instant,
    /// When the head of the answer was made.
    #[serde(serialize_with = "unix_maybe")]
    pub answered: Option<Instant>,
    /// When the answer was complete.
    #[serde(serialize_with = "unix_maybe")]
    pub finished: Option<Instant>,
    /// When the client went away before that, or the answer was cut on purpose.
    #[serde(serialize_with = "unix_maybe")]
    pub disconnected: Option<Instant>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// Chunks of the answer handed over so far.
    pub chunks: u64,
    /// Prompt tokens evaluated, those from the cache not counted.
    pub evaluated: Option<u64>,
    /// Prompt tokens taken from the prompt cache.
    pub cached: Option<u64>,
}

/// Totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Requests so far.
    pub requests: u64,
    /// Requests whose answer is not complete and whose client is still there.
    pub open: u64,
    /// Requests whose client went away early, or that were cut on purpose.
    pub cancelled: u64,
    /// Answers being generated now: model slots held.
    pub generating: u64,
}

/// All requests of one stand-in.
pub struct Records(Arc<Mutex<Inner>>);

struct Inner {
    seen: VecDeque<Seen>,
    last: u64,
    counters: Counters,
    /// How many are kept; the oldest are forgotten.
    most: usize,
}

impl Records {
    /// Keeps at most so many.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Inner {
            seen: VecDeque::new(),
            last: 0,
            counters: Counters::default(),
            most,
        })))
    }

    /// A copy of all.
    pub fn all(&self) -> Vec<Seen> {
        hold(&self.0).seen.iter().cloned().collect()
    }

    /// Forgets those that are over, and their counts.
    #[cfg(feature = "control")]
    pub fn clear(&self) {
        let mut inner = hold(&self.0);
        inner.seen.retain(Seen::is_open);
        inner.counters.requests = inner.counters.open;
        inner.counters.cancelled = 0;
    }

    /// Totals.
    pub fn counters(&self) -> Counters {
        hold(&self.0).counters
    }

    /// Notes a request; the visit ends when it is dropped.
    pub fn arrive(&self, method: &str, path: &str, headers: Vec<(String, String)>) -> Visit {
        let mut inner = hold(&self.0);
        inner.last += 1;
        inner.counters.requests += 1;
        inner.counters.open += 1;
        let id = inner.last;
        if inner.seen.len() >= inner.most {
            inner.seen.pop_front();
        }
        inner.seen.push_back(Seen {
            id,
            method: method.to_owned(),
            path: path.to_owned(),
            headers,
            body: Value::Null,
            arrived: Instant::now(),
            answered: None,
            finished: None,
            disconnected: None,
            status: None,
            chunks: 0,
            evaluated: None,
            cached: None,
        });
        drop(inner);
        let records = Arc::clone(&self.0);
        Visit {
            note: Note { records, id },
            finished: false,
        }
    }

    /// Counts a generation for as long as it is held.
    pub fn generation(&self) -> Generation {
        hold(&self.0).counters.generating += 1;
        Generation(Arc::clone(&self.0))
    }
}

impl Seen {
    /// Whether its answer is still to be completed.
    #[cfg(feature = "control")]
    fn is_open(&self) -> bool {
        self.finished.is_none() && self.disconnected.is_none()
    }
}

/// A running generation.
pub struct Generation(Arc<Mutex<Inner>>);

impl Drop for Generation {
    fn drop(&mut self) {
        hold(&self.0).counters.generating -= 1;
    }
}

/// A way to write into the record of one request.
#[derive(Clone)]
pub struct Note {
    records: Arc<Mutex<Inner>>,
    id: u64,
}

impl Note {
    /// Changes the record.
    pub fn write(&self, change: impl FnOnce(&mut Seen)) {
        let mut inner = hold(&self.records);
        if let Some(record) = inner.seen.iter_mut().rfind(|record| record.id == self.id) {
            change(record);
        }
    }
}

/// A request being answered. When hyper drops it without [`Visit::finish`], the client has gone away:
/// it drops the handler or the body as soon as it reads the end of the connection.
pub struct Visit {
    /// Its record.
    pub note: Note,
    finished: bool,
}

impl Visit {
    /// The answer is complete.
    pub fn finish(&mut self) {
        if !self.finished {
            self.finished = true;
            hold(&self.note.records).counters.open -= 1;
            self.note.write(|r| r.finished = Some(Instant::now()));
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        let mut inner = hold(&self.note.records);
        inner.counters.open -= 1;
        inner.counters.cancelled += 1;
        drop(inner);
        self.note.write(|r| r.disconnected = Some(Instant::now()));
    }
}

fn milliseconds(at: Instant) -> f64 {
    let ago = Instant::now().saturating_duration_since(at);
    let at = SystemTime::now().checked_sub(ago).unwrap_or(UNIX_EPOCH);
    at.duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_secs_f64()
        * 1000.0
}

fn unix<S: Serializer>(at: &Instant, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(milliseconds(*at))
}

fn unix_maybe<S: Serializer>(at: &Option<Instant>, to: S) -> Result<S::Ok, S::Error> {
    match at {
        Some(at) => to.serialize_f64(milliseconds(*at)),
        None => to.serialize_none(),
    }
}
