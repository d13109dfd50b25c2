//! The table of answers: who reads them, how much memory they take, and which go when there is no room. It starts
//! nothing and waits for nothing.

use super::entry::{Answer, Ended, Found, Joined, Reading, Serial, Verdict};
use super::frames::FrameBuffer;
use super::limits::LingerLimits;
use super::memory::{MemoryUse, Room};
use super::stopped::StoppedAnswers;
use crate::kept::KeptAnswer;
use sash_chat::AnswerId;
use sash_server::hooks::ModelPlace;
use sash_wire::{DoneReason, Fault, Frame, Usage};
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// What an answer is counted with besides its frames: its entry, its task, and the places in the indexes. While it runs
/// [`LingerLimits::running_bytes`] come to it.
const ANSWER_BYTES: usize = 2048;
/// All answers with an id.
#[derive(Debug)]
pub struct AnswerTable {
    limits: LingerLimits,
    answers: HashMap<AnswerId, Answer>,
    memory: MemoryUse,
    running: HashSet<AnswerId>,
    stopped: StoppedAnswers,
    last_serial: u64,
}

impl AnswerTable {
    /// An empty table.
    pub fn new(limits: LingerLimits) -> Self {
        Self {
            limits,
            answers: HashMap::new(),
            memory: MemoryUse::new(limits),
            running: HashSet::new(),
            stopped: StoppedAnswers::default(),
            last_serial: 0,
        }
    }

    /// Enters an answer, with its first reader.
    ///
    /// # Errors
    /// [`Fault::AnswerStopped`] if it was stopped before, [`Fault::InvalidField`] if the id is taken.
    pub fn begin(&mut self, id: AnswerId, client: IpAddr, now: Instant) -> Result<Joined, Fault> {
        if self.stopped.contains(id, now) {
            return Err(Fault::AnswerStopped);
        }
        if self.answers.contains_key(&id) {
            return Err(Fault::InvalidField {
                field: "answer_id".to_owned(),
                reason: "an answer with this id is there already; 'resume' has its frames"
                    .to_owned(),
            });
        }
        let bytes = ANSWER_BYTES + self.limits.running_bytes;
        let is_kept = !self.limits.linger.is_zero() && self.make_room(client, bytes);
        let (answer, reader) = (self.next_serial(), self.next_serial());
        let (sender, changed) = watch::channel(());
        self.answers.insert(
            id,
            Answer {
                serial: answer,
                client,
                model: None,
                frames: FrameBuffer::default(),
                is_kept,
                end: None,
                readers: vec![Reading { reader, offset: 0 }],
                unread_since: None,
                gives_way: false,
                bytes: 0,
                changed: sender,
            },
        );
        self.running.insert(id);
        self.count(id);
        Ok(Joined {
            answer,
            reader,
            is_kept,
            changed,
        })
    }

    /// Adds a reader behind the first `after` frames.
    ///
    /// # Errors
    /// [`Fault::AnswerStopped`], [`Fault::UnknownAnswer`], and [`Fault::InvalidField`] if there are fewer frames.
    pub fn join(&mut self, id: AnswerId, after: usize, now: Instant) -> Result<Joined, Fault> {
        if self.stopped.contains(id, now) {
            return Err(Fault::AnswerStopped);
        }
        let reader = self.next_serial();
        let kept = self.answers.get_mut(&id).filter(|answer| answer.is_kept);
        let answer = kept.ok_or(Fault::UnknownAnswer)?;
        let Some(offset) = answer.frames.offset_after(after) else {
            let frames = answer.frames.frames();
            return Err(Fault::InvalidField {
                field: "after".to_owned(),
                reason: format!("the answer has {frames} frames"),
            });
        };
        answer.readers.push(Reading { reader, offset });
        answer.unread_since = None;
        answer.gives_way = false;
        answer.changed.send_replace(());
        Ok(Joined {
            answer: answer.serial,
            reader,
            is_kept: true,
            changed: answer.changed.subscribe(),
        })
    }

    /// The next lines for a reader.
    pub fn read(&mut self, id: AnswerId, reader: Serial, now: Instant) -> Found {
        let answer = self.answers.get_mut(&id);
        let place = answer.and_then(|answer| {
            let place = answer.readers.iter().position(|r| r.reader == reader)?;
            Some((answer, place))
        });
        let Some((answer, place)) = place else {
            return Found::Gone(match self.stopped.contains(id, now) {
                true => Fault::AnswerStopped,
                false => Fault::UnknownAnswer,
            });
        };
        let lines = match answer.frames.read(answer.readers[place].offset) {
            Some([]) if answer.end.is_some() => return Found::End,
            Some([]) => return Found::Nothing,
            Some(lines) => lines.to_vec(),
            None => return Found::Gone(Fault::UnknownAnswer),
        };
        answer.readers[place].offset += lines.len();
        self.let_go_of_read(id);
        Found::Lines(lines)
    }

    /// Removes a reader. What nobody reads lingers if it is kept, and ends if it is not.
    pub fn leave(&mut self, id: AnswerId, reader: Serial, now: Instant) {
        let Some(answer) = self.answers.get_mut(&id) else {
            return;
        };
        let before = answer.readers.len();
        answer.readers.retain(|reading| reading.reader != reader);
        if answer.readers.len() == before {
            return;
        }
        if !answer.readers.is_empty() {
            self.let_go_of_read(id);
        } else if answer.is_kept {
            answer.unread_since = Some(now);
            answer.changed.send_replace(());
        } else {
            self.remove(id);
        }
    }

    /// Appends frames. Where there is no room and nothing that ended can go, the answer is not kept any longer; without a
    /// reader it ends there, as one that reached the limit.
    pub fn push(&mut self, id: AnswerId, serial: Serial, lines: &[u8], now: Instant) {
        let Some(answer) = self.of(id, serial) else {
            return;
        };
        let (client, is_kept) = (answer.client, answer.is_kept);
        if is_kept && !self.make_room(client, lines.len()) {
            self.unkeep(id, now);
        }
        let Some(answer) = self.of(id, serial).filter(|answer| answer.end.is_none()) else {
            return;
        };
        answer.frames.push(lines);
        answer.changed.send_replace(());
        self.count(id);
    }

    fn unkeep(&mut self, id: AnswerId, now: Instant) {
        let Some(answer) = self.answers.get_mut(&id) else {
            return;
        };
        if answer.readers.is_empty() {
            tracing::info!("an answer that nobody read reached the limit of what is kept");
            let (reason, usage) = (DoneReason::Limit, Usage::default());
            let done = Frame::Done { reason, usage }.to_line();
            answer.frames.push(done.as_bytes());
            let serial = answer.serial;
            self.end(id, serial, now);
        } else {
            tracing::info!("an answer outgrew what is kept");
            answer.is_kept = false;
            self.let_go_of_read(id);
        }
    }

    /// Records that the model has finished.
    pub fn end(&mut self, id: AnswerId, serial: Serial, now: Instant) {
        let place = self.next_serial();
        let Some(answer) = self.of(id, serial).filter(|answer| answer.end.is_none()) else {
            return;
        };
        answer.frames.shrink();
        answer.end = Some(Ended { place, at: now });
        answer.changed.send_replace(());
        let (client, is_kept) = (answer.client, answer.is_kept);
        self.running.remove(&id);
        if is_kept {
            self.memory.insert_ended(client, place, id);
        }
        self.count(id);
    }

    /// Stops an answer, whether or not its request has arrived.
    pub fn stop(&mut self, id: AnswerId, client: IpAddr, now: Instant) {
        self.stopped.insert(id, client, now);
        self.remove(id);
    }

    /// What is known of an answer whose frames are kept.
    pub fn kept(&self, id: AnswerId) -> Option<KeptAnswer> {
        let answer = self.answers.get(&id).filter(|answer| answer.is_kept)?;
        Some(KeptAnswer {
            id,
            running: answer.end.is_none(),
            frames: answer.frames.frames(),
        })
    }

    /// What the task that writes an answer has to do.
    pub fn verdict(&mut self, id: AnswerId, serial: Serial, now: Instant) -> Verdict {
        let linger = self.limits.linger;
        let Some(answer) = self.of(id, serial).filter(|answer| answer.end.is_none()) else {
            return Verdict::Gone;
        };
        let until = answer.unread_since.map(|since| since + linger);
        if answer.gives_way || until.is_some_and(|until| until <= now) {
            return Verdict::Interrupt(Fault::StoppedUnread);
        }
        match answer.is_ahead() {
            true => Verdict::Wait,
            false => Verdict::Continue(until),
        }
    }

    /// When an answer that ended is removed, if nobody reads it then; `None` if it is gone.
    pub fn expiry(&mut self, id: AnswerId, serial: Serial) -> Option<Instant> {
        let time = self.limits.ended_time;
        let answer = self.of(id, serial)?;
        let ended = answer.end?;
        Some(ended.at + time)
    }

    /// Removes an answer that ended, unless somebody reads it.
    pub fn expire(&mut self, id: AnswerId, serial: Serial) {
        if self.of(id, serial).is_some_and(|a| a.readers.is_empty()) {
            self.remove(id);
        }
    }

    /// How long an engine may be silent to a prompt before answers give way.
    pub fn turn_time(&self) -> Duration {
        self.limits.turn_time
    }

    /// Sets the model that writes an answer.
    pub fn set_model(&mut self, id: AnswerId, model: ModelPlace) {
        if let Some(answer) = self.answers.get_mut(&id) {
            answer.model = Some(model);
        }
    }

    /// The running answer that has been without a reader for longest, and when it gives way.
    pub fn next_to_give_way(&self) -> Option<(AnswerId, Instant)> {
        self.next_unread(|_| true)
    }

    /// The last answer that was begun before one with this id, or before now.
    pub fn last_before(&self, id: Option<AnswerId>) -> Serial {
        let own = id.and_then(|id| self.answers.get(&id));
        Serial(own.map_or(self.last_serial, |own| own.serial.0 - 1))
    }

    /// Of the answers that a model writes and that were begun up to this one, the one to give way next.
    pub fn next_of_model(&self, model: &ModelPlace, last: Serial) -> Option<(AnswerId, Instant)> {
        self.next_unread(|answer| answer.serial <= last && answer.model.as_ref() == Some(model))
    }

    fn next_unread(&self, may: impl Fn(&Answer) -> bool) -> Option<(AnswerId, Instant)> {
        let unread = self.running.iter().filter_map(|id| {
            let answer = self.answers.get(id).filter(|answer| !answer.gives_way)?;
            let due = answer.unread_since? + self.limits.unread_time;
            may(answer).then_some((*id, due))
        });
        unread.min_by_key(|(_, due)| *due)
    }

    /// Makes an answer give way.
    pub fn give_way(&mut self, id: AnswerId) {
        if let Some(answer) = self.answers.get_mut(&id) {
            answer.gives_way = true;
            answer.changed.send_replace(());
        }
    }

    /// All that is counted, in bytes.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    fn of(&mut self, id: AnswerId, serial: Serial) -> Option<&mut Answer> {
        let answer = self.answers.get_mut(&id);
        answer.filter(|answer| answer.serial == serial)
    }

    fn next_serial(&mut self) -> Serial {
        self.last_serial += 1;
        Serial(self.last_serial)
    }

    /// Lets go of what all readers have, if the answer is not kept.
    fn let_go_of_read(&mut self, id: AnswerId) {
        let Some(answer) = self.answers.get_mut(&id) else {
            return;
        };
        if let Some(offset) = answer.slowest().filter(|_| !answer.is_kept) {
            answer.frames.drop_before(offset);
            // The task may wait for this.
            answer.changed.send_replace(());
            self.count(id);
        }
    }

    /// Makes room for so many bytes of a client, by removing the oldest that ended. Returns false if there is none left.
    fn make_room(&mut self, client: IpAddr, bytes: usize) -> bool {
        loop {
            match self.memory.room(client, bytes) {
                Room::Enough => return true,
                Room::Without(oldest) => self.remove(oldest),
                Room::Full => return false,
            }
        }
    }

    fn remove(&mut self, id: AnswerId) {
        let Some(answer) = self.answers.remove(&id) else {
            return;
        };
        self.running.remove(&id);
        if let Some(ended) = answer.end {
            self.memory.remove_ended(answer.client, ended.place);
        }
        self.memory.change(answer.client, answer.bytes, 0);
    }

    /// Counts what an answer takes now.
    fn count(&mut self, id: AnswerId) {
        let Some(answer) = self.answers.get_mut(&id) else {
            return;
        };
        let running = match answer.end {
            None => self.limits.running_bytes,
            Some(_) => 0,
        };
        let (before, bytes) = (answer.bytes, ANSWER_BYTES + running + answer.frames.held());
        answer.bytes = bytes;
        self.memory.change(answer.client, before, bytes);
    }

    /// Checks that what is counted is what is there.
    #[cfg(test)]
    pub fn check(&self) {
        let all = || self.answers.values();
        let bytes: usize = all().map(|answer| answer.bytes).sum();
        assert_eq!(self.memory.bytes(), bytes);
        let running = all().filter(|answer| answer.end.is_none()).count();
        assert_eq!(self.running.len(), running);
        let ended = all().filter(|answer| answer.is_kept && answer.end.is_some());
        assert_eq!(self.memory.ended(), ended.count());
        let unread = all().filter(|answer| answer.readers.is_empty());
        assert!(unread.into_iter().all(|answer| answer.is_kept));
    }
}
