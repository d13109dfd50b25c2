//! Steps with thousands of chats in slices, so that the page answers meanwhile.

use crate::edges::Edges;
use crate::notices::Notices;
use sash_words::count::{self, grouped};
use sash_words::t;
use std::ops::Range;

/// Up to this many chats are changed at once.
pub const MAX_AT_ONCE: usize = 50;
/// The size of a slice follows the time that the former one took, in milliseconds.
const SHORT_MS: f64 = 8.0;
const LONG_MS: f64 = 20.0;
/// The sizes that a slice can have.
const SIZES: (usize, usize) = (10, 400);
/// How often the progress is said, in milliseconds.
const PROGRESS_MS: f64 = 500.0;

/// The slices of a step, one after another.
pub struct Slices {
    edges: Edges,
    notices: Notices,
    count: usize,
    done: usize,
    size: usize,
    began: f64,
    said: f64,
}

impl Slices {
    /// The slices of a step with so many chats.
    pub fn new(edges: Edges, notices: Notices, count: usize) -> Self {
        let now = edges.monotonic();
        Self {
            edges,
            notices,
            count,
            done: 0,
            size: MAX_AT_ONCE,
            began: now,
            said: now,
        }
    }

    /// The next slice, once the page had time for other things; `None` after the last one.
    pub async fn next(&mut self) -> Option<Range<usize>> {
        if self.done > 0 {
            self.measure();
            self.edges.pause().await;
        }
        let from = self.done;
        self.done = self.count.min(from + self.size);
        self.began = self.edges.monotonic();
        (from < self.done).then_some(from..self.done)
    }

    /// Measures the slice that is done, and says the progress now and then.
    fn measure(&mut self) {
        let now = self.edges.monotonic();
        let took = now - self.began;
        let (least, most) = SIZES;
        if took < SHORT_MS {
            self.size = most.min(self.size * 2);
        } else if took > LONG_MS {
            self.size = least.max(self.size / 2);
        }
        if now - self.said >= PROGRESS_MS && self.done < self.count {
            self.said = now;
            let (done, chats) = (grouped(self.done as u64), count::chats(self.count));
            self.notices
                .show(t!(state.progress_of_chats, done = &done, chats = &chats));
        }
    }
}
