//! Receives an answer: over one connection, or over several where one breaks and the server keeps the answer.

use super::{AnswerEvent, Answers};
use crate::edges::{AnswerStream, Frames};
use crate::overflow::{Overflow, OverflowSource};
use crate::stops::is_unheard;
use futures::StreamExt;
use reactive_graph::prelude::*;
use sash_chat::{Id, Image, Outcome};
use sash_wire::{ChatRequest, DoneReason, Fault, Frame, ModelFeature};
use sash_words::t;
use std::rc::Rc;
use std::time::Duration;

/// The pause before the first attempt to reach an answer again; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause between two attempts.
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// For how long it tries while nobody knows whether the request of the answer arrived.
const MAX_DOUBT: Duration = Duration::from_secs(30);
/// For how long it tries otherwise: for as long as a server keeps an answer that nobody reads, unless it is told otherwise.
const MAX_ABSENCE: Duration = Duration::from_secs(600);

impl Answers {
    /// Reads the images of a request from the browser's store. `images` are those of its context, message by
    /// message, and of its prompt.
    pub(super) async fn load_images(
        self,
        mut request: ChatRequest,
        images: Vec<Vec<Image>>,
    ) -> Result<ChatRequest, Fault> {
        let mut loaded = self.attachments().load(images).await?;
        request.images = loaded.pop().unwrap_or_default();
        for (message, images) in request.context.iter_mut().zip(loaded) {
            message.images = images;
        }
        Ok(request)
    }

    /// Requests an answer and receives it to its end, over all connections that this takes.
    pub(super) async fn receive(self, id: Id, request: ChatRequest) -> Outcome {
        let request = Rc::new(request);
        self.events
            .emit(&AnswerEvent::Sending(id, Rc::clone(&request)));
        let request = Rc::unwrap_or_clone(request);
        let asked = self.edges.transport().respond.send(request);
        let opened = match asked.await {
            Ok(AnswerStream { frames, kept: true }) => {
                self.running.confirm(id);
                self.said_not_kept.set_value(false);
                Ok(frames)
            }
            Ok(AnswerStream { frames, .. }) => {
                self.record_not_kept(id);
                Ok(frames)
            }
            Err(fault) => Err(fault),
        };
        self.receive_from(id, opened).await
    }

    /// Goes on with an answer that a former page requested.
    pub(super) async fn receive_again(self, id: Id) -> Outcome {
        let opened = match self.request_rest(id).await {
            Some(opened) => opened,
            None => Err(Fault::ConnectionLost),
        };
        self.receive_from(id, opened).await
    }

    /// Receives an answer to its end from a stream of its frames, or from the next one if that breaks.
    async fn receive_from(self, id: Id, mut opened: Result<Frames<Frame>, Fault>) -> Outcome {
        loop {
            let fault = match opened {
                Ok(frames) => match self.read_frames(id, frames).await {
                    Ok(outcome) => return outcome,
                    Err(fault) => fault,
                },
                Err(fault) => fault,
            };
            opened = match fault {
                Fault::ConnectionLost => self.reconnect(id).await,
                fault => Err(fault),
            };
            if let Err(fault) = opened {
                // Nobody reads what the engine may still write.
                if is_unheard(&fault) || matches!(fault, Fault::BrokenStream { .. }) {
                    self.stop_at_server(id);
                }
                self.record_refusal_to_continue(id, &fault);
                return self.fail(id, fault);
            }
        }
    }

    /// Reads the frames of an answer up to the last one. An error: the stream ended without it.
    async fn read_frames(self, id: Id, mut frames: Frames<Frame>) -> Result<Outcome, Fault> {
        while let Some(frame) = frames.next().await {
            let frame = frame?;
            if self.running.count_frame(id) {
                if let Frame::Endable { id: engine_id } = frame {
                    self.record_endable(id, engine_id);
                }
                continue;
            }
            self.announce_stage(id, &frame);
            match frame {
                Frame::Reading(progress) => self.record_reading(id, progress),
                Frame::Endable { id: engine_id } => self.record_endable(id, engine_id),
                Frame::Text { text } => self.running.extend(id, &text, ""),
                Frame::Thinking { text } => self.running.extend(id, "", &text),
                Frame::ToolCalls { calls, left_out } => {
                    self.running.add_calls(id, calls, left_out);
                }
                Frame::Done { reason, usage } => {
                    self.running.with(id, |running| running.usage = usage);
                    return Ok(match reason {
                        DoneReason::Stop => Outcome::Complete,
                        DoneReason::Length | DoneReason::Limit => Outcome::CutOff,
                    });
                }
                Frame::Error { error } => {
                    self.record_refusal_to_continue(id, &error);
                    return Ok(self.fail(id, error));
                }
                Frame::Unknown => {}
            }
        }
        Err(Fault::ConnectionLost)
    }

    /// Requests the frames after those that came, again until the server answers.
    ///
    /// # Errors
    /// [`Fault::ConnectionLost`] if the server does not keep the answer, or does not answer for too long; the fault with
    /// which it answers.
    async fn reconnect(self, id: Id) -> Result<Frames<Frame>, Fault> {
        let since = self.edges.monotonic();
        let mut pause = FIRST_PAUSE;
        while self.running.resume_request(id).is_some() {
            self.edges.wait(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
            if let Some(opened) = self.request_rest(id).await {
                return opened;
            }
            let max = match self.running.is_confirmed(id) {
                true => MAX_ABSENCE,
                false => MAX_DOUBT,
            };
            if self.edges.monotonic() - since > max.as_secs_f64() * 1000.0 {
                break;
            }
            if self.running.show_lost(id) {
                self.notices().announce(t!(state.connection_lost));
            }
            self.engine().refresh();
        }
        Err(Fault::ConnectionLost)
    }

    /// Requests the frames after those that came. `None` if the server was not reached, or wants a token first.
    async fn request_rest(self, id: Id) -> Option<Result<Frames<Frame>, Fault>> {
        let request = self.running.resume_request(id)?;
        // Each request with a wrong token counts as an attempt to guess it.
        if self.engine().needs_token.get_untracked() {
            return None;
        }
        let asked = self.edges.transport().resume.send(request);
        match asked.await {
            Ok(frames) => {
                self.running.confirm(id);
                Some(Ok(frames))
            }
            Err(fault) if is_unheard(&fault) => None,
            Err(fault @ (Fault::Unauthorized | Fault::OpenedTwice)) => {
                self.engine().record_fault(&fault);
                None
            }
            // The request of the answer did not arrive before the connection was lost. Frames may be requested from the
            // first one on although some came.
            Err(Fault::UnknownAnswer) if !self.running.has_arrived(id) => {
                Some(Err(Fault::ConnectionLost))
            }
            Err(fault) => Some(Err(fault)),
        }
    }

    /// Records that the server has no room to keep an answer, or keeps none. It is said once, until it keeps one.
    fn record_not_kept(self, id: Id) {
        let kept = self.running.with(id, |running| running.kept.take());
        if kept.flatten().is_some() && !self.said_not_kept.get_value() {
            self.said_not_kept.set_value(true);
            self.notices().show(t!(state.answer_not_kept));
        }
    }

    /// Reports a fault to the person and returns the outcome that the answer gets.
    pub(super) fn fail(self, id: Id, fault: Fault) -> Outcome {
        if !self.record_overflow(id, &fault) {
            self.notices().announce_now(match &fault {
                // The reason of a broken stream is long, and told at the answer.
                Fault::BrokenStream { .. } => t!(state.answer_broke_off).to_owned(),
                fault => fault.to_string(),
            });
        }
        self.engine().record_fault(&fault);
        if let Fault::Unsupported { feature, .. } = &fault
            && *feature == ModelFeature::Images
            && let Some(model) = self.running.with(id, |r| r.message.model_id()).flatten()
        {
            self.engine().record_blind(model);
        }
        fault.outcome()
    }

    /// Uses the token count that Ollama reports for a request that did not fit, and offers
    /// remedies. Returns whether the offer is visible; if not, the fault has to be announced.
    fn record_overflow(self, id: Id, fault: &Fault) -> bool {
        let &Fault::ContextOverflow {
            prompt_tokens: tokens,
            context_tokens: context,
        } = fault
        else {
            return false;
        };
        let found = self.running.with(id, |running| {
            running.usage.prompt_tokens = Some(tokens);
            Some(Overflow {
                chat: running.chat,
                asked: OverflowSource::Question(running.message.parent?),
                tokens,
                context,
                guessed: false,
            })
        });
        let open = self.chats().open_id_untracked();
        // An answer tried with another window is not on the branch: the remedies would change a
        // window that it did not use.
        let seen = found.flatten().filter(|overflow| {
            overflow.chat == open && self.chats().path.with_untracked(|path| path.contains(&id))
        });
        let is_seen = seen.is_some();
        if is_seen {
            self.steering().overflow.set(seen);
        }
        is_seen
    }
}
