//! The environment of a tab in memory with what each room has of it, on top of the kernel's.

use crate::embedder::Embedder;
use crate::folder::{Device, Folder};
use futures::channel::{mpsc, oneshot};
use futures::future::ready;
use futures::{FutureExt, StreamExt, stream};
use recall::EmbeddingEdges;
use sash_calls::{ModelRequest, PullFrame, PullRequest};
use sash_harness::{Answer, Slow, call};
use sash_state::{BackupCalls, BackupEdges, ModelCalls, RoomEdges};
use sash_stores::edges::{Call, Frames};
use sash_wire::{Fault, ModelDetails};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;
use tools::{CalculateRequest, CalculationResult};

/// The environment of one tab. A clone is the same tab.
#[derive(Clone, Default)]
pub struct Machine {
    of_kernel: sash_harness::Machine,
    /// The scripted pulls; without one the connection is lost.
    pulls: Rc<RefCell<VecDeque<Frames<PullFrame>>>>,
    /// The models whose pulls were asked for.
    pub pulled: Rc<RefCell<Vec<String>>>,
    /// The folder of the backup, which all browsers share.
    pub folder: Folder,
    /// The embedding models, and the vectors that all tabs share.
    pub embedder: Embedder,
    /// The folder of the device.
    pub device: Device,
    /// Calculations whose result the test sends later.
    slow_calculations: Slow,
}

impl Deref for Machine {
    type Target = sash_harness::Machine;

    fn deref(&self) -> &sash_harness::Machine {
        &self.of_kernel
    }
}

impl Machine {
    fn call<Q: 'static, R: 'static>(&self, answer: fn(&Self, Q) -> Answer<R>) -> Call<Q, R> {
        call(self, answer)
    }

    /// Another browser with the same server, whose storage is empty.
    pub fn another_browser(&self) -> Self {
        Self {
            of_kernel: self.of_kernel.another_browser(),
            device: Device::default(),
            ..self.clone()
        }
    }

    /// Another browser with a copy of this one's storage.
    pub fn copied_browser(&self) -> Self {
        Self {
            of_kernel: self.of_kernel.copied_browser(),
            ..self.another_browser()
        }
    }

    /// Another tab of the same browser, which has received all changes made so far.
    pub fn another_tab(&self) -> Self {
        Self {
            of_kernel: self.of_kernel.another_tab(),
            ..self.clone()
        }
    }

    fn pull(&self, request: PullRequest) -> Answer<Frames<PullFrame>> {
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

    fn calculate(&self, request: CalculateRequest) -> Answer<CalculationResult> {
        let result = format!("result of {}", request.expression);
        let slow = self.slow_calculations.next();
        let result = self.unless_refused(CalculationResult { result });
        async move {
            slow.await;
            result.await
        }
        .boxed_local()
    }

    fn model_calls(&self) -> ModelCalls {
        ModelCalls {
            show: self.call(Self::show),
            load: self.call(|machine, request| {
                let options = serde_json::Value::Object(request.options);
                machine.act(format!("load {} {options}", request.model))
            }),
            unload: self.call(|machine, request| machine.act(format!("unload {}", request.model))),
            delete: self.call(|machine, request| machine.act(format!("delete {}", request.model))),
            pull: self.call(Self::pull),
        }
    }

    fn backup_calls(&self) -> BackupCalls {
        BackupCalls {
            list: self.call(|machine, request| machine.online(|folder| folder.list(&request))),
            news: self.call(|machine, request| machine.online(|folder| folder.news(&request))),
            put: self.call(|machine, request| machine.online(|folder| folder.put(&request))),
            prompts: self
                .call(|machine, request| machine.online(|folder| folder.prompts(&request))),
            put_image: self
                .call(|machine, request| machine.online(|folder| folder.put_image(&request))),
            get: self.call(|machine, request| machine.online(|folder| folder.get(&request))),
            get_image: self
                .call(|machine, request| machine.online(|folder| folder.get_image(&request))),
            purge: self.call(|machine, request| machine.online(|folder| folder.purge(&request))),
        }
    }

    /// The calculator.
    pub fn calculator(&self) -> Call<CalculateRequest, CalculationResult> {
        self.call(Self::calculate)
    }

    /// Those of the rooms.
    pub fn room_edges(&self) -> RoomEdges {
        RoomEdges {
            backup: BackupEdges {
                calls: self.backup_calls(),
                folders: Rc::new(self.device.clone()),
            },
            models: self.model_calls(),
        }
    }

    /// What makes and keeps vectors.
    pub fn embedding_edges(&self) -> EmbeddingEdges {
        EmbeddingEdges {
            embed: self.call(|machine, request| machine.embedder.embed(request)),
            vectors: Rc::new(self.embedder.clone()),
        }
    }

    /// Asks the folder, unless the network is gone.
    fn online<T: 'static>(&self, ask: impl FnOnce(&Folder) -> Answer<T>) -> Answer<T> {
        match self.offline.get() {
            true => ready(Err(Fault::ConnectionLost)).boxed_local(),
            false => ask(&self.folder),
        }
    }

    /// Makes the next calculation wait for the test.
    pub fn slow_calculation(&self) -> oneshot::Sender<()> {
        self.slow_calculations.hold_back()
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
