//! Passes one of Ollama's streams on to the page, line by line.
//!
//! Nothing is spawned: the stream *is* the request. When the page disconnects, hyper drops the body, which
//! drops the relay, which drops the upstream request, and Ollama stops. This holds before the headers as well
//! as during the stream.

use crate::server::limits::StreamTimeouts;
use crate::server::ollama::line::{StreamLine, line};
use crate::server::ollama::{RequestContext, connection_fault};
use crate::server::stop::StopSignal;
use bytes::Bytes;
use futures::Stream;
use sash_wire::{Fault, LineDecoder};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep_until, timeout};

/// How long to read on after the last line, so that the connection can be reused and trailing data is
/// noticed.
const TRAILING_DATA_TIME: Duration = Duration::from_millis(500);

/// Converts Ollama's lines to ours.
pub trait LineReader: Send + 'static {
    /// The type of Ollama's lines.
    type Line: StreamLine;

    /// The model and the address of the request.
    fn asked(&self) -> RequestContext<'_>;

    /// Converts one line and appends ours, with their line ends. Returns true after the last line.
    fn line(&mut self, line: Self::Line, out: &mut String) -> bool;

    /// Appends the last line of a stream that broke.
    fn fail(&mut self, fault: Fault, out: &mut String);
}

/// Reads one line; an unreadable line or an error of Ollama ends any stream. Returns true after the last
/// line.
pub(super) fn read_line<R: LineReader>(reader: &mut R, bytes: &[u8], out: &mut String) -> bool {
    match line(bytes, &reader.asked()) {
        Ok(line) => reader.line(line, out),
        Err(fault) => {
            reader.fail(fault, out);
            true
        }
    }
}

/// An upstream request that is not answered yet.
pub type PendingResponse = Pin<Box<dyn Future<Output = Result<reqwest::Response, Fault>> + Send>>;

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

/// A stream from Ollama to the page.
pub struct Relay<R> {
    phase: RelayPhase,
    decoder: LineDecoder,
    reader: R,
    stop: StopSignal,
    patience: StreamTimeouts,
    started: Instant,
    /// When the first and the last byte arrived from Ollama.
    heard: Option<Instant>,
    /// When the page last received bytes.
    sent: Instant,
    ended: bool,
    _permit: OwnedSemaphorePermit,
}

impl<R: LineReader> Relay<R> {
    /// Opens the stream and waits for Ollama's headers up to [`StreamTimeouts::head`], so that an early failure is
    /// answered with its own status.
    ///
    /// # Errors
    /// The fault that occurred instead of headers.
    pub async fn open(
        opening: PendingResponse,
        reader: R,
        patience: StreamTimeouts,
        stop: StopSignal,
        permit: OwnedSemaphorePermit,
    ) -> Result<Self, Fault> {
        let now = Instant::now();
        let mut relay = Self {
            phase: RelayPhase::Opening(opening),
            decoder: LineDecoder::default(),
            reader,
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

    async fn next(&mut self) -> Option<Bytes> {
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

    /// Waits for the first of three events: bytes from Ollama, the server's stop, or the deadline.
    async fn wait(&mut self, deadline: Instant) -> Event {
        let upstream = async {
            match &mut self.phase {
                RelayPhase::Opening(opening) => Event::Opened(opening.await),
                RelayPhase::Reading(response) => Event::Chunk(
                    response
                        .chunk()
                        .await
                        .map_err(|error| connection_fault(&error)),
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
        self.heard = Some(Instant::now());
        self.phase = RelayPhase::Reading(response);
    }

    fn read(&mut self, bytes: &[u8], out: &mut String) {
        self.heard = Some(Instant::now());
        self.decoder.push(bytes);
        loop {
            match self.decoder.next_line() {
                Ok(Some(line)) => {
                    if read_line(&mut self.reader, line, out) {
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
            Ok(Some(line)) if read_line(&mut self.reader, line, out) => self.end(),
            Ok(_) => self.fail(Fault::EndedEarly, out),
            Err(error) => self.fail(error.into(), out),
        }
    }

    fn end(&mut self) {
        self.ended = true;
        if !matches!(self.decoder.finish(), Ok(None)) {
            tracing::info!("Ollama sent more after its last line; ignored");
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
            "a stream of Ollama's broke off"
        );
        fault
    }

    fn deadline(&self) -> Instant {
        match self.heard {
            None => self.started + self.patience.first_byte,
            Some(heard) => heard + self.patience.silence,
        }
    }

    fn is_late(&self) -> bool {
        Instant::now() >= self.deadline()
    }

    fn late(&self) -> Fault {
        let waited = match self.heard {
            None => self.patience.first_byte,
            Some(_) => self.patience.silence,
        };
        Fault::OllamaSilent {
            seconds: waited.as_secs(),
        }
    }
}

impl<R> Drop for Relay<R> {
    fn drop(&mut self) {
        let ms = self.started.elapsed().as_millis();
        if self.ended {
            tracing::debug!(ms, "a stream ended");
        } else {
            tracing::info!(ms, "the page left; the request to Ollama is dropped");
        }
    }
}

async fn end(response: &mut reqwest::Response) {
    if let Ok(Ok(Some(_))) = timeout(TRAILING_DATA_TIME, response.chunk()).await {
        tracing::info!("Ollama sent more after its last line; ignored");
    }
}
