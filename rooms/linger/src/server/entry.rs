//! An answer in the table, and what its readers are told.

use super::frames::FrameBuffer;
use sash_server::hooks::ModelPlace;
use sash_wire::Fault;
use std::collections::BTreeMap;
use std::net::IpAddr;
use tokio::sync::watch;
use tokio::time::Instant;

/// How far an answer that is not kept may be ahead of its slowest reader.
const AHEAD_BYTES: usize = 256 * 1024;

/// Distinguishes an answer from an earlier one with its id, and a reader from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Serial(pub u64);

/// An answer in the table.
#[derive(Debug)]
pub struct Answer {
    /// Distinguishes it.
    pub serial: Serial,
    /// The network of the client that asked.
    pub client: IpAddr,
    /// The model that writes it, once its engine is known.
    pub model: Option<ModelPlace>,
    /// What was written.
    pub frames: FrameBuffer,
    /// Whether the frames stay when they were read. What is not kept ends with its last reader.
    pub is_kept: bool,
    /// The time at which the model has finished.
    pub ended: Option<Instant>,
    /// Who reads it, each with the place where the next line begins that it gets.
    pub readers: BTreeMap<Serial, usize>,
    /// Since when nobody reads; `None` while somebody does.
    pub unread_since: Option<Instant>,
    /// Whether it has to end for a prompt that waits.
    pub gives_way: bool,
    /// The bytes that it is counted with.
    pub bytes: usize,
    /// Wakes the readers and the task.
    pub changed: watch::Sender<()>,
}

impl Answer {
    /// Where the slowest reader is; `None` without a reader.
    pub fn slowest(&self) -> Option<usize> {
        self.readers.values().copied().min()
    }

    /// Whether it has to wait for its readers. An answer that is kept never does.
    pub fn is_ahead(&self) -> bool {
        let ahead = self.frames.end() - self.slowest().unwrap_or_default();
        !self.is_kept && ahead > AHEAD_BYTES
    }
}

/// What was joined: an answer, and a place among its readers.
#[derive(Debug)]
pub struct Joined {
    /// The answer.
    pub answer: Serial,
    /// The reader.
    pub reader: Serial,
    /// Whether the frames are kept.
    pub is_kept: bool,
    /// Says that there is something new.
    pub changed: watch::Receiver<()>,
}

/// What a reader finds.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// Whole lines.
    Lines(Vec<u8>),
    /// Nothing new; the model still writes.
    Nothing,
    /// The reader has everything.
    End,
    /// The answer is no longer in the table.
    Gone(Fault),
}
