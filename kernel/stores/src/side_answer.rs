//! An answer to a request beside the conversation, of which no message is made.

use crate::hooks::Urgency;
use crate::{Edges, EngineTask, Kernel};
use futures::StreamExt;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_wire::{ChatRequest, DoneReason, Fault, Frame, Usage};

/// An answer beside the conversation. While it is written, what is less urgent leaves the engines alone.
#[derive(Clone, Copy)]
pub struct SideAnswer {
    edges: Edges,
    /// The text so far.
    pub text: RwSignal<String>,
    task: EngineTask,
}

impl SideAnswer {
    /// Creates the store with nothing being written.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        Self {
            edges: kernel.edges(),
            text: RwSignal::new(String::new()),
            task: EngineTask::new(kernel, Urgency::Side),
        }
    }

    /// Whether it is written.
    #[must_use]
    pub fn is_running(self) -> bool {
        self.task.is_running()
    }

    /// Sends `request`, whose answer takes the place of the former one. The answer ends early where `goes_on` refuses its
    /// text. `ended` gets how it ended and what it took, unless [`Self::stop`] was called before.
    pub fn ask(
        self,
        request: ChatRequest,
        goes_on: impl Fn(&str) -> bool + 'static,
        ended: impl FnOnce(Result<(DoneReason, Usage), Fault>) + 'static,
    ) {
        self.stop();
        self.text.set(String::new());
        self.task.start(self.receive(request, goes_on), ended);
    }

    async fn receive(
        self,
        request: ChatRequest,
        goes_on: impl Fn(&str) -> bool,
    ) -> Result<(DoneReason, Usage), Fault> {
        let asked = self.edges.transport().respond.send(request);
        let mut frames = asked.await?.frames;
        while let Some(frame) = frames.next().await {
            match frame? {
                Frame::Text { text } => {
                    self.text.update(|all| *all += &text);
                    if !self.text.with_untracked(|all| goes_on(all)) {
                        return Ok((DoneReason::Stop, Usage::default()));
                    }
                }
                Frame::Done { reason, usage } => return Ok((reason, usage)),
                Frame::Error { error } => return Err(error),
                Frame::Reading(_)
                | Frame::Endable { .. }
                | Frame::Thinking { .. }
                | Frame::ToolCalls { .. }
                | Frame::Unknown => {}
            }
        }
        Err(Fault::ConnectionLost)
    }

    /// Ends it, and tells the engine.
    pub fn stop(self) {
        self.task.stop();
    }
}
