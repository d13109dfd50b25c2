//! Passes one of an engine's streams on to the page, line by line.
//!
//! Nothing is spawned here: the stream *is* the request. When the page disconnects, hyper drops the body, which
//! drops the relay, which drops the upstream request, and the engine stops. This holds before the headers as well
//! as during the stream. Where an answer outlives its page, its [`Keeper`](crate::hooks::Keeper) has the relay.

use crate::engine::http::connection_fault;
use crate::engine::{EngineLabel, PendingResponse};
use crate::limits::StreamTimeouts;
use bytes::Bytes;
use futures::Stream;
use sash_door::stop::StopSignal;
use sash_wire::{Fault, LineDecoder};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep_until, timeout};

/// How long to read on after the last line, so that the connection can be reused and trailing data is
/// noticed.
const TRAILING_DATA_TIME: Duration = Duration::from_millis(500);

/// Converts an engine's lines to ours.
pub trait LineReader: Send + 'static {
    /// How the faults of the engine name it.
    fn label(&self) -> &EngineLabel;

    /// Converts one line and appends ours, with their line ends. An unreadable line or an error of the engine ends the
    /// stream. Returns true after the last line.
    fn read(&mut self, line: &[u8], out: &mut String) -> bool;

    /// Appends the last line of a stream that broke.
    fn fail(&mut self, fault: Fault, out: &mut String);

    /// Splits the stream into lines.
    fn decoder(&self) -> LineDecoder {
        LineDecoder::default()
    }

    /// Whether the engine sends the headers at once and not with the first token, so that the wait for the first token
    /// goes on after them.
    fn sends_headers_first(&self) -> bool {
        false
    }

    /// Whether the engine still reads the prompt, and said so: the wait for its next byte is that for a first one.
    fn is_reading(&self) -> bool {
        false
    }
}

enum RelayPhase {
    Opening(PendingResponse),
    Reading(reqwest::Response),
    /// The last line was sent; the upstream connection may still end by itself.
    Ending(reqwest::Response),
    Over,
}

enum Event {
    Opened(Result<reqwest::Response, Fault>),
    Chunk(Result<Option<Bytes>, Fault>),
    Stopped,
    Quiet,
}

/// A stream from an engine to the page.
pub struct Relay {
    phase: RelayPhase,
    decoder: LineDecoder,
    reader: Box<dyn LineReader>,
    stop: StopSignal,
    patience: StreamTimeouts,
    started: Instant,
    /// When the last byte arrived from the engine; `None` before the first one.
    heard: Option<Instant>,
    /// When the page last received bytes.
    sent: Instant,
    ended: bool,
    _permit: OwnedSemaphorePermit,
}

impl Relay {
    /// Opens the stream and waits for the engine's headers up to [`StreamTimeouts::head`], so that an early failure is
    /// answered with its own status.
    ///
    /// # Errors
    /// The fault that occurred instead of headers.
    pub async fn open(
        opening: PendingResponse,
        reader: impl LineReader,
        patience: StreamTimeouts,
        stop: StopSignal,
        permit: OwnedSemaphorePermit,
    ) -> Result<Self, Fault> {
        let now = Instant::now();
        let mut relay = Self {
            phase: RelayPhase::Opening(opening),
            decoder: reader.decoder(),
            reader: Box::new(reader),
            stop,
            patience,
            started: now,
            heard: None,
            sent: now,
            ended: false,
            _permit: permit,
        };
        let head = now + patience.head.min(patience.first_byte);
        match relay.wait(head).await {
            Event::Opened(Ok(response)) => relay.opened(response),
            Event::Opened(Err(fault)) => return Err(relay.refused(fault)),
            Event::Stopped => return Err(relay.refused(Fault::ServerStopping)),
            Event::Quiet if relay.is_late() => return Err(relay.refused(relay.late())),
            Event::Quiet | Event::Chunk(_) => {}
        }
        Ok(relay)
    }

    /// The lines for the page; lines that arrived together are sent together.
    pub fn into_stream(self) -> impl Stream<Item = Bytes> + Send + 'static {
        futures::stream::unfold(self, |mut relay| async {
            relay.next().await.map(|lines| (lines, relay))
        })
    }

    /// Ends the stream, and with it the request to the engine. Returns the last line, unless it was sent before.
    pub fn interrupt(&mut self, fault: Fault) -> Bytes {
        let mut out = String::new();
        if !self.ended {
            self.fail(fault, &mut out);
        }
        self.phase = RelayPhase::Over;
        out.into()
    }

    /// The next lines; lines that arrived together are returned together. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let RelayPhase::Ending(response) = &mut self.phase {
                end(response).await;
                self.phase = RelayPhase::Over;
            }
            if matches!(self.phase, RelayPhase::Over) {
                return None;
            }
            let deadline = self.deadline().min(self.sent + self.patience.keep_alive);
            let mut out = String::new();
            match self.wait(deadline).await {
                Event::Opened(Ok(response)) => self.opened(response),
                Event::Opened(Err(fault)) => self.fail(fault, &mut out),
                Event::Chunk(Ok(Some(bytes))) => self.read(&bytes, &mut out),
                Event::Chunk(Ok(None)) => self.finish(&mut out),
                Event::Chunk(Err(fault)) => self.fail(fault, &mut out),
                Event::Stopped => self.fail(Fault::ServerStopping, &mut out),
                Event::Quiet if self.is_late() => {
                    let late = self.late();
                    self.fail(late, &mut out);
                }
                Event::Quiet => out.push('\n'),
            }
            if !out.is_empty() {
                self.sent = Instant::now();
                return Some(Bytes::from(out));
            }
        }
    }

    /// Waits for the first of three events: bytes from the engine, the server's stop, or the deadline.
    async fn wait(&mut self, deadline: Instant) -> Event {
        let label = self.reader.label();
        let upstream = async {
            match &mut self.phase {
                RelayPhase::Opening(opening) => Event::Opened(opening.await),
                RelayPhase::Reading(response) => Event::Chunk(
                    response
                        .chunk()
                        .await
                        .map_err(|error| connection_fault(label, &error)),
                ),
                RelayPhase::Ending(_) | RelayPhase::Over => Event::Chunk(Ok(None)),
            }
        };
        tokio::select! {
            biased;
            () = self.stop.wait() => Event::Stopped,
            event = upstream => event,
            () = sleep_until(deadline) => Event::Quiet,
        }
    }

    fn opened(&mut self, response: reqwest::Response) {
        if !self.reader.sends_headers_first() {
            self.heard = Some(Instant::now());
        }
        self.phase = RelayPhase::Reading(response);
    }

    fn read(&mut self, bytes: &[u8], out: &mut String) {
        self.heard = Some(Instant::now());
        self.decoder.push(bytes);
        loop {
            match self.decoder.next_line() {
                Ok(Some(line)) => {
                    if self.reader.read(line, out) {
                        return self.end();
                    }
                }
                Ok(None) => return,
                Err(error) => return self.fail(error.into(), out),
            }
        }
    }

    /// Handles a clean end of the stream. It is correct only after a last line, which may lack its line end.
    fn finish(&mut self, out: &mut String) {
        match self.decoder.finish() {
            Ok(Some(line)) if self.reader.read(line, out) => self.end(),
            Ok(_) => self.fail(Fault::EndedEarly, out),
            Err(error) => self.fail(error.into(), out),
        }
    }

    fn end(&mut self) {
        self.ended = true;
        if !matches!(self.decoder.finish(), Ok(None)) {
            tracing::info!("the engine sent more after its last line; ignored");
        }
        self.phase = match std::mem::replace(&mut self.phase, RelayPhase::Over) {
            RelayPhase::Reading(response) => RelayPhase::Ending(response),
            _ => RelayPhase::Over,
        };
    }

    fn fail(&mut self, fault: Fault, out: &mut String) {
        let fault = self.refused(fault);
        self.reader.fail(fault, out);
    }

    fn refused(&mut self, fault: Fault) -> Fault {
        self.phase = RelayPhase::Over;
        self.ended = true;
        tracing::info!(
            status = fault.status(),
            ms = self.started.elapsed().as_millis(),
            "a stream of an engine broke off"
        );
        fault
    }

    fn deadline(&self) -> Instant {
        self.heard.unwrap_or(self.started) + self.longest_wait()
    }

    /// A batch of a long prompt takes as long as the first token of a short one.
    fn longest_wait(&self) -> Duration {
        match self.heard.is_none() || self.reader.is_reading() {
            true => self.patience.first_byte,
            false => self.patience.silence,
        }
    }

    fn is_late(&self) -> bool {
        Instant::now() >= self.deadline()
    }

    fn late(&self) -> Fault {
        self.reader.label().silent(self.longest_wait().as_secs())
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        let ms = self.started.elapsed().as_millis();
        if self.ended {
            tracing::debug!(ms, "a stream ended");
        } else {
            tracing::info!(ms, "the page left; the request to the engine is dropped");
        }
    }
}

async fn end(response: &mut reqwest::Response) {
    if let Ok(Ok(Some(_))) = timeout(TRAILING_DATA_TIME, response.chunk()).await {
        tracing::info!("the engine sent more after its last line; ignored");
    }
}
