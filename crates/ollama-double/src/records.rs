//! Records of requests and answers, for tests.

use super::locks::hold;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A request. Times are instants of this process; in JSON they are fractional milliseconds since 1970, to
/// compare them with a browser's clock.
#[derive(Clone, Debug, Serialize)]
pub struct RequestRecord {
    /// Number of the request, from 1.
    pub id: u64,
    /// The method.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// Headers in the order sent, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body: as JSON if it is JSON, else as a string; null without one.
    pub body: Value,
    /// When the request head had arrived.
    #[serde(serialize_with = "unix")]
    pub arrived: Instant,
    /// When the answer's head was made.
    #[serde(serialize_with = "unix_maybe")]
    pub answered: Option<Instant>,
    /// When the answer was complete.
    #[serde(serialize_with = "unix_maybe")]
    pub finished: Option<Instant>,
    /// When the client disconnected before that, or the answer was cut on purpose.
    #[serde(serialize_with = "unix_maybe")]
    pub disconnected: Option<Instant>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// Chunks of the answer sent so far.
    pub chunks: u64,
    /// Prompt tokens evaluated, not counting those from the cache.
    pub evaluated: Option<u64>,
    /// Prompt tokens taken from the prompt cache.
    pub cached: Option<u64>,
}

/// Totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Requests so far.
    pub requests: u64,
    /// Requests without a complete answer whose client is still connected.
    pub open: u64,
    /// Requests whose client disconnected early, or that were cut on purpose.
    pub cancelled: u64,
    /// Answers that are being generated: model slots in use.
    pub generating: u64,
}

/// All requests of one stand-in.
pub struct Records(Arc<Mutex<Inner>>);

struct Inner {
    requests: VecDeque<RequestRecord>,
    last: u64,
    counters: Counters,
    /// The most records that are kept; the oldest are dropped.
    most: usize,
}

impl Records {
    /// Keeps at most `most` records.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Inner {
            requests: VecDeque::new(),
            last: 0,
            counters: Counters::default(),
            most,
        })))
    }

    /// A copy of all records.
    pub fn all(&self) -> Vec<RequestRecord> {
        hold(&self.0).requests.iter().cloned().collect()
    }

    /// Removes the records of requests that have ended, and their counts.
    pub fn clear(&self) {
        let mut inner = hold(&self.0);
        inner.requests.retain(RequestRecord::is_open);
        inner.counters.requests = inner.counters.open;
        inner.counters.cancelled = 0;
    }

    /// Totals.
    pub fn counters(&self) -> Counters {
        hold(&self.0).counters
    }

    /// Records a request; it ends when the returned visit is dropped.
    pub fn arrive(&self, method: &str, path: &str, headers: Vec<(String, String)>) -> Visit {
        let mut inner = hold(&self.0);
        inner.last += 1;
        inner.counters.requests += 1;
        inner.counters.open += 1;
        let id = inner.last;
        if inner.requests.len() >= inner.most {
            inner.requests.pop_front();
        }
        inner.requests.push_back(RequestRecord {
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
            record: RecordHandle { records, id },
            finished: false,
        }
    }

    /// Counts a generation until the returned value is dropped.
    pub fn generation(&self) -> Generation {
        hold(&self.0).counters.generating += 1;
        Generation(Arc::clone(&self.0))
    }
}

impl RequestRecord {
    /// Whether its answer is not complete yet.
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

/// Write access to the record of one request.
#[derive(Clone)]
pub struct RecordHandle {
    records: Arc<Mutex<Inner>>,
    id: u64,
}

impl RecordHandle {
    /// Changes the record.
    pub fn write(&self, change: impl FnOnce(&mut RequestRecord)) {
        let mut inner = hold(&self.records);
        if let Some(record) = inner
            .requests
            .iter_mut()
            .rfind(|record| record.id == self.id)
        {
            change(record);
        }
    }
}

/// A request that is being answered. If hyper drops it without [`Visit::finish`], the client has
/// disconnected: hyper drops the handler or the body as soon as it reads the end of the connection.
pub struct Visit {
    /// Its record.
    pub record: RecordHandle,
    finished: bool,
}

impl Visit {
    /// Records that the answer is complete.
    pub fn finish(&mut self) {
        if !self.finished {
            self.finished = true;
            hold(&self.record.records).counters.open -= 1;
            self.record.write(|r| r.finished = Some(Instant::now()));
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        let mut inner = hold(&self.record.records);
        inner.counters.open -= 1;
        inner.counters.cancelled += 1;
        drop(inner);
        self.record.write(|r| r.disconnected = Some(Instant::now()));
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
