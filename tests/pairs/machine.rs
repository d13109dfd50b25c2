//! The environment of a tab in memory with what rooms have of it, on top of the kernel's.

use crate::embedder::Embedder;
use futures::FutureExt;
use futures::channel::oneshot;
use recall::EmbeddingEdges;
use sash_harness::{Answer, Slow, call};
use sash_stores::edges::Call;
use std::ops::Deref;
use std::rc::Rc;
use tools::{CalculateRequest, CalculationResult};

/// The environment of one tab. A clone is the same tab.
#[derive(Clone, Default)]
pub struct Machine {
    of_kernel: sash_harness::Machine,
    /// The embedding models, and the vectors that all tabs share.
    pub embedder: Embedder,
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
    /// Another tab of the same browser, which has received all changes made so far.
    pub fn another_tab(&self) -> Self {
        Self {
            of_kernel: self.of_kernel.another_tab(),
            ..self.clone()
        }
    }

    /// What makes and keeps vectors.
    pub fn embedding_edges(&self) -> EmbeddingEdges {
        EmbeddingEdges {
            embed: call(self, |machine, request| machine.embedder.embed(request)),
            vectors: Rc::new(self.embedder.clone()),
        }
    }

    /// The calculator.
    pub fn calculator(&self) -> Call<CalculateRequest, CalculationResult> {
        call(self, Self::calculate)
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

    /// Makes the next calculation wait for the test.
    pub fn slow_calculation(&self) -> oneshot::Sender<()> {
        self.slow_calculations.hold_back()
    }
}
