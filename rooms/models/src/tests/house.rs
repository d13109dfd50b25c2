//! The page in memory with a server that pulls models and acts on them, and the stores of one tab.

use crate::{ModelCalls, ModelRequest, Models, PullFrame, Pulls};
use futures::channel::mpsc;
use futures::future::ready;
use futures::{FutureExt, StreamExt, stream};
use sash_harness::{Answer, call, reactive_in};
use sash_log::Kinds;
use sash_stores::edges::{Call, Frames};
use sash_wire::{Fault, ModelDetails};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;

/// The environment of one tab. A clone is the same tab.
#[derive(Clone, Default)]
pub struct Machine {
    of_kernel: sash_harness::Machine,
    /// The scripted pulls; without one the connection is lost.
    pulls: Rc<RefCell<VecDeque<Frames<PullFrame>>>>,
    /// The models whose pulls were asked for.
    pub pulled: Rc<RefCell<Vec<String>>>,
}

impl Deref for Machine {
    type Target = sash_harness::Machine;

    fn deref(&self) -> &sash_harness::Machine {
        &self.of_kernel
    }
}

impl Machine {
    /// Another tab of the same browser, which has received all changes made so far.
    pub fn another_tab(&self) -> Self {
        Self {
            of_kernel: self.of_kernel.another_tab(),
            ..self.clone()
        }
    }

    fn call<Q: 'static, R: 'static>(&self, answer: fn(&Self, Q) -> Answer<R>) -> Call<Q, R> {
        call(self, answer)
    }

    fn pull(&self, request: ModelRequest) -> Answer<Frames<PullFrame>> {
        let engine = request.engine.map(|engine| format!(" on {engine}"));
        let pulled = request.model + &engine.unwrap_or_default();
        self.pulled.borrow_mut().push(pulled);
        let frames = self.pulls.borrow_mut().pop_front();
        ready(frames.ok_or(Fault::ConnectionLost)).boxed_local()
    }

    fn show(&self, request: ModelRequest) -> Answer<ModelDetails> {
        let template = format!("template of {}", request.model);
        self.unless_refused(ModelDetails {
            template,
            ..ModelDetails::default()
        })
    }

    fn model_calls(&self) -> ModelCalls {
        ModelCalls {
            show: self.call(Self::show),
            load: self.call(|machine, request| {
                let options = serde_json::Value::Object(request.options);
                machine.act(format!("load {} {options}", request.of.model))
            }),
            unload: self.call(|machine, request| machine.act(format!("unload {}", request.model))),
            delete: self.call(|machine, request| machine.act(format!("delete {}", request.model))),
            pull: self.call(Self::pull),
        }
    }

    /// Scripts a pull whose frames the test sends one by one.
    pub fn stream_pull(&self) -> mpsc::UnboundedSender<Result<PullFrame, Fault>> {
        let (send, frames) = mpsc::unbounded();
        self.pulls.borrow_mut().push_back(frames.boxed_local());
        send
    }

    /// Makes the server refuse the next pull.
    pub fn refuse_pull(&self, fault: Fault) {
        let refused = stream::iter([Err(fault)]);
        self.pulls.borrow_mut().push_back(refused.boxed_local());
    }
}

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    /// The installed models.
    pub models: Models,
    /// Pulls of models.
    pub pulls: Pulls,
}

impl Deref for House {
    type Target = sash_harness::House;

    fn deref(&self) -> &sash_harness::House {
        &self.of_kernel
    }
}

impl House {
    /// The stores of a new tab; Ollama answered once and has one model.
    pub fn new(machine: &Machine) -> Self {
        let calls = machine.model_calls();
        let (of_kernel, (models, pulls)) =
            sash_harness::House::with_room(machine, None, Kinds::default(), |kernel| {
                (Models::new(kernel, calls), Pulls::new(kernel, calls.pull))
            });
        Self {
            of_kernel,
            models,
            pulls,
        }
    }
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(House::new, test);
}
