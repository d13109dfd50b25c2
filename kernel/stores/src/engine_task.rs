//! A task that uses an engine, of which one runs at a time.

use crate::hooks::Urgency;
use crate::{Edges, Kernel};
use futures::future::AbortHandle;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

/// A task that uses an engine, one at a time. While it runs, what is less urgent leaves the engines alone.
#[derive(Clone, Copy)]
pub struct EngineTask {
    edges: Edges,
    /// The end of what runs; `None` while nothing does.
    abort: RwSignal<Option<AbortHandle>>,
}

impl EngineTask {
    /// Creates the store with nothing running, for tasks of this urgency.
    #[must_use]
    pub fn new(kernel: Kernel, urgency: Urgency) -> Self {
        let task = Self {
            edges: kernel.edges(),
            abort: RwSignal::new(None),
        };
        let users = kernel.engine_users();
        users.add(urgency, move || task.is_running());
        task
    }

    /// True while it runs.
    #[must_use]
    pub fn is_running(self) -> bool {
        self.abort.try_with(Option::is_some).unwrap_or(false)
    }

    /// Runs `work` in the place of what runs. `ended` gets its result once it has ended, unless it was stopped or replaced
    /// before; what it awaits is dropped then, by which the engine knows that nobody waits.
    pub fn start<T: 'static>(
        self,
        work: impl Future<Output = T> + 'static,
        ended: impl FnOnce(T) + 'static,
    ) {
        self.stop();
        let (abort, registration) = AbortHandle::new_pair();
        self.abort.set(Some(abort));
        self.edges.spawn_abortable(registration, async move {
            let result = work.await;
            self.abort.set(None);
            ended(result);
        });
    }

    /// Ends what runs.
    pub fn stop(self) {
        if let Some(abort) = self.abort.try_get_untracked().flatten() {
            abort.abort();
            self.abort.set(None);
        }
    }
}
