//! The table of answers: who reads them, how much memory they take, and which go when there is no room. It starts
//! nothing and waits for nothing.

use super::entry::{Answer, Found, Joined, Serial};
use super::frames::FrameBuffer;
use super::limits::LingerLimits;
use super::stopped::StoppedAnswers;
use crate::kept_answer::KeptAnswer;
use sash_chat::AnswerId;
use sash_server::hooks::ModelPlace;
use sash_wire::{DoneReason, Fault, Frame, Usage};
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::ops::ControlFlow;
use tokio::sync::watch;
use tokio::time::Instant;

/// What an answer is counted with besides its frames: its entry and its task. While it runs
/// [`LingerLimits::running_bytes`] come to it.
const ANSWER_BYTES: usize = 2048;

/// Something that the task of an answer waits for: it has come, or the table is asked again after a change, and at that time
/// if there is one.
pub type Awaited<T> = ControlFlow<T, Option<Instant>>;

/// All answers with an id.
#[derive(Debug)]
pub struct AnswerTable {
    /// Their limits.
    pub limits: LingerLimits,
    answers: HashMap<AnswerId, Answer>,
    /// The bytes of all answers.
    bytes: usize,
    /// Those of the answers of each client.
    clients: HashMap<IpAddr, usize>,
    stopped: StoppedAnswers,
    last_serial: u64,
}

impl AnswerTable {
    /// An empty table.
    pub fn new(limits: LingerLimits) -> Self {
        Self {
            limits,
            answers: HashMap::new(),
            bytes: 0,
            clients: HashMap::new(),
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
                ended: None,
                readers: BTreeMap::from([(reader, 0)]),
                unread_since: None,
                gives_way: false,
                bytes: 0,
                changed: sender,
            },
        );
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
        answer.readers.insert(reader, offset);
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
            let offset = *answer.readers.get(&reader)?;
            Some((answer, offset))
        });
        let Some((answer, offset)) = place else {
            return Found::Gone(match self.stopped.contains(id, now) {
                true => Fault::AnswerStopped,
                false => Fault::UnknownAnswer,
            });
        };
        let lines = match answer.frames.read(offset) {
            [] if answer.ended.is_some() => return Found::End,
            [] => return Found::Nothing,
            lines => lines.to_vec(),
        };
        answer.readers.insert(reader, offset + lines.len());
        self.let_go_of_read(id);
        Found::Lines(lines)
    }

    /// Removes a reader. What nobody reads lingers if it is kept, and ends if it is not.
    pub fn leave(&mut self, id: AnswerId, reader: Serial, now: Instant) {
        let Some(answer) = self.answers.get_mut(&id) else {
            return;
        };
        if answer.readers.remove(&reader).is_none() {
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
        let (client, growth) = (answer.client, answer.frames.growth(lines.len()));
        if answer.is_kept && !self.make_room(client, growth) {
            self.unkeep(id, now);
        }
        let Some(answer) = self.of(id, serial).filter(|answer| answer.ended.is_none()) else {
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
        let Some(answer) = self.of(id, serial).filter(|answer| answer.ended.is_none()) else {
            return;
        };
        answer.frames.shrink();
        answer.ended = Some(now);
        answer.changed.send_replace(());
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
            running: answer.ended.is_none(),
            frames: answer.frames.frames(),
        })
    }

    /// Breaks when the task has to end an answer: with a fault for its last frame, or without one where nobody can read it.
    pub fn interrupted(
        &mut self,
        id: AnswerId,
        serial: Serial,
        now: Instant,
    ) -> Awaited<Option<Fault>> {
        let linger = self.limits.linger;
        let Some(answer) = self.of(id, serial).filter(|answer| answer.ended.is_none()) else {
            return Awaited::Break(None);
        };
        let until = answer.unread_since.map(|since| since + linger);
        match answer.gives_way || until.is_some_and(|until| until <= now) {
            true => Awaited::Break(Some(Fault::StoppedUnread)),
            false => Awaited::Continue(until),
        }
    }

    /// Breaks when the readers of an answer are near enough for the task to go on.
    pub fn has_room(&mut self, id: AnswerId, serial: Serial, _now: Instant) -> Awaited<()> {
        let answer = self.of(id, serial).filter(|answer| answer.ended.is_none());
        match answer.is_some_and(|answer| answer.is_ahead()) {
            true => Awaited::Continue(None),
            false => Awaited::Break(()),
        }
    }

    /// Removes an answer that ended once its time is over and nobody reads it. Breaks when it is gone.
    pub fn expire(&mut self, id: AnswerId, serial: Serial, now: Instant) -> Awaited<()> {
        let time = self.limits.ended_time;
        let Some(answer) = self.of(id, serial) else {
            return Awaited::Break(());
        };
        let over = answer.ended.map(|ended| ended + time);
        if over.is_none_or(|over| over > now) {
            return Awaited::Continue(over);
        }
        if !answer.readers.is_empty() {
            return Awaited::Continue(None);
        }
        self.remove(id);
        Awaited::Break(())
    }

    /// Sets the model that writes an answer. Returns the last answer that was begun before it, or, without one, before now.
    pub fn set_model(&mut self, id: Option<AnswerId>, model: &ModelPlace) -> Serial {
        match id.and_then(|id| self.answers.get_mut(&id)) {
            Some(answer) => {
                answer.model = Some(model.clone());
                Serial(answer.serial.0 - 1)
            }
            None => Serial(self.last_serial),
        }
    }

    /// The running answer that has been without a reader for longest, and when it gives way.
    pub fn next_to_give_way(&self) -> Option<(AnswerId, Instant)> {
        self.next_unread(|_| true)
    }

    /// Of the answers that a model writes and that were begun up to this one, the one to give way next.
    pub fn next_of_model(&self, model: &ModelPlace, last: Serial) -> Option<(AnswerId, Instant)> {
        self.next_unread(|answer| answer.serial <= last && answer.model.as_ref() == Some(model))
    }

    fn next_unread(&self, may: impl Fn(&Answer) -> bool) -> Option<(AnswerId, Instant)> {
        let running = self.answers.iter().filter(|(_, a)| a.ended.is_none());
        let unread = running.filter_map(|(id, answer)| {
            let due = answer.unread_since? + self.limits.unread_time;
            (!answer.gives_way && may(answer)).then_some((*id, due))
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
        self.bytes
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

    /// Makes room for so many bytes of a client, by removing the oldest that ended: of this client, if it has its share.
    /// Returns false if there is none left.
    fn make_room(&mut self, client: IpAddr, bytes: usize) -> bool {
        loop {
            let of_client = self.clients.get(&client).copied().unwrap_or_default();
            let has_its_share = of_client + bytes > self.limits.bytes_each;
            if !has_its_share && self.bytes + bytes <= self.limits.bytes {
                return true;
            }
            let may_go = |answer: &Answer| !has_its_share || answer.client == client;
            let kept = self.answers.iter().filter(|(_, a)| a.is_kept && may_go(a));
            let ended = kept.filter_map(|(id, a)| Some((*id, (a.ended?, a.serial))));
            match ended.min_by_key(|(_, at)| *at) {
                Some((oldest, _)) => self.remove(oldest),
                None => return false,
            }
        }
    }

    fn remove(&mut self, id: AnswerId) {
        if let Some(answer) = self.answers.remove(&id) {
            self.change(answer.client, answer.bytes, 0);
        }
    }

    /// Counts what an answer takes now.
    fn count(&mut self, id: AnswerId) {
        let Some(answer) = self.answers.get_mut(&id) else {
            return;
        };
        let running = match answer.ended {
            None => self.limits.running_bytes,
            Some(_) => 0,
        };
        let bytes = ANSWER_BYTES + running + answer.frames.held();
        let (client, before) = (answer.client, std::mem::replace(&mut answer.bytes, bytes));
        self.change(client, before, bytes);
    }

    fn change(&mut self, client: IpAddr, before: usize, after: usize) {
        self.bytes = self.bytes - before + after;
        let of_client = self.clients.entry(client).or_default();
        *of_client = *of_client - before + after;
        if *of_client == 0 {
            self.clients.remove(&client);
        }
    }

    /// Checks that what is counted is what is there.
    #[cfg(test)]
    pub fn check(&self) {
        let all = || self.answers.values();
        let bytes: usize = all().map(|answer| answer.bytes).sum();
        let of_clients: usize = self.clients.values().sum();
        assert_eq!((self.bytes, of_clients), (bytes, bytes));
        let unread = all().filter(|answer| answer.readers.is_empty());
        assert!(unread.into_iter().all(|answer| answer.is_kept));
    }
}
