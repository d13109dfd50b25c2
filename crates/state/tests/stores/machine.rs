//! The environment of a tab in memory with what each room has of it, on top of the kernel's.

use crate::embedder::Embedder;
use crate::folder::{Device, Folder};
use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::ready;
use recall::EmbeddingEdges;
use sash_harness::{Answer, Slow, call};
use sash_state::{BackupCalls, BackupEdges, EmbeddingEdges, RoomEdges};
use sash_state::{BackupCalls, BackupEdges, ModelCalls, RoomEdges};
use sash_stores::edges::Call;
use sash_wire::Fault;
use std::ops::Deref;
use std::rc::Rc;
use tools::{CalculateRequest, CalculationResult};

/// The environment of one tab. A clone is the same tab.
#[derive(Clone, Default)]
pub struct Machine {
    of_kernel: sash_harness::Machine,
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
}
