//! What the stores need of the machine they run on, behind traits: the page implements them over the browser, tests over
//! memory.

use futures::channel::oneshot;
use futures::future::{AbortRegistration, Abortable, Aborted, LocalBoxFuture};
use futures::stream::LocalBoxStream;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::traits::WithValue;
use sash_chat::Id;
use sash_wire::{
    ChatRequest, Fault, Frame, ModelList, OllamaState, PullFrame, PullRequest, UpstreamRequest,
};
use std::rc::Rc;
use std::time::Duration;

/// Time and timers.
pub trait Clock {
    /// Milliseconds since 1970. For showing; nothing is ordered by it.
    fn now(&self) -> u64;
    /// Milliseconds on a clock that never jumps, for durations.
    fn monotonic(&self) -> f64;
    /// Local UTC offset in milliseconds, positive east of Greenwich.
    fn utc_offset(&self) -> i64;
    /// Runs something once, after a while.
    fn after(&self, wait: Duration, run: Box<dyn FnOnce()>);
    /// Runs something once, in the next animation frame.
    fn next_frame(&self, run: Box<dyn FnOnce()>);
}

/// Random names.
pub trait Ids {
    /// A new name.
    fn new_id(&self) -> Id;
}

/// A lock that is held, or waited for, until it is dropped.
pub type HeldLock = Box<dyn std::any::Any>;

/// Locks that all tabs of the page share.
pub trait Locks {
    /// Whether there are any: a page on plain HTTP from another machine has none.
    fn exist(&self) -> bool;
    /// Holds a lock from when it is free; calls back when another tab takes it away.
    fn hold(&self, name: &str, taken: Box<dyn FnOnce()>) -> HeldLock;
    /// Whether another tab holds a lock now.
    fn is_held(&self, name: String) -> LocalBoxFuture<'static, bool>;
    /// Waits until a lock is free.
    fn freed(&self, name: String) -> LocalBoxFuture<'static, ()>;
    /// Takes a lock away from whoever holds it.
    fn take_over(&self, name: String) -> LocalBoxFuture<'static, ()>;
}

/// The document, as far as a store has a say in it.
pub trait Page {
    /// Gives focus to the element of an id.
    fn focus(&self, id: &str);
    /// The same in the next frame, when it may not be there yet.
    fn focus_soon(&self, id: &str);
    /// Whether someone may be looking at the page.
    fn is_in_sight(&self) -> bool;
    /// How much of the room for storage is used, in parts of a hundred.
    fn storage_percent(&self) -> usize;
}

/// Frames of a stream; an error ends it.
pub type Frames<F> = LocalBoxStream<'static, Result<F, Fault>>;

/// The server. Dropping what it returns aborts the request.
pub trait Transport {
    /// Whether an engine is there.
    fn state(
        &self,
        request: UpstreamRequest,
    ) -> LocalBoxFuture<'static, Result<OllamaState, Fault>>;
    /// The models of an engine.
    fn models(&self, request: UpstreamRequest)
    -> LocalBoxFuture<'static, Result<ModelList, Fault>>;
    /// Asks a model.
    fn respond(
        &self,
        request: ChatRequest,
    ) -> LocalBoxFuture<'static, Result<Frames<Frame>, Fault>>;
    /// Pulls a model.
    fn pull(
        &self,
        request: PullRequest,
    ) -> LocalBoxFuture<'static, Result<Frames<PullFrame>, Fault>>;
}

/// All edges. Copy it freely: it is a handle.
#[derive(Clone, Copy)]
pub struct Edges(StoredValue<Rc<Bundle>, LocalStorage>);

struct Bundle {
    clock: Box<dyn Clock>,
    ids: Box<dyn Ids>,
    locks: Box<dyn Locks>,
    page: Box<dyn Page>,
    transport: Box<dyn Transport>,
}

impl Edges {
    /// The edges of one page; they live as long as the current owner.
    pub fn new(
        clock: impl Clock + 'static,
        ids: impl Ids + 'static,
        locks: impl Locks + 'static,
        page: impl Page + 'static,
        transport: impl Transport + 'static,
    ) -> Self {
        Self(StoredValue::new_local(Rc::new(Bundle {
            clock: Box::new(clock),
            ids: Box::new(ids),
            locks: Box::new(locks),
            page: Box::new(page),
            transport: Box::new(transport),
        })))
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn now(self) -> u64 {
        self.0.with_value(|edges| edges.clock.now())
    }

    /// Milliseconds on a clock that never jumps.
    #[must_use]
    pub fn monotonic(self) -> f64 {
        self.0.with_value(|edges| edges.clock.monotonic())
    }

    /// Local UTC offset in milliseconds, positive east of Greenwich.
    #[must_use]
    pub fn utc_offset(self) -> i64 {
        self.0.with_value(|edges| edges.clock.utc_offset())
    }

    /// Runs something once, after a while.
    pub fn after(self, wait: Duration, run: impl FnOnce() + 'static) {
        self.0
            .with_value(|edges| edges.clock.after(wait, Box::new(run)));
    }

    /// Runs something once, in the next animation frame.
    pub fn next_frame(self, run: impl FnOnce() + 'static) {
        self.0
            .with_value(|edges| edges.clock.next_frame(Box::new(run)));
    }

    /// A new name.
    #[must_use]
    pub fn new_id(self) -> Id {
        self.0.with_value(|edges| edges.ids.new_id())
    }

    /// Locks, in a closure: they are behind a handle.
    pub fn with_locks<T>(self, f: impl FnOnce(&dyn Locks) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.locks))
    }

    /// The document, in a closure.
    pub fn with_page<T>(self, f: impl FnOnce(&dyn Page) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.page))
    }

    /// The server, in a closure.
    pub fn with_transport<T>(self, f: impl FnOnce(&dyn Transport) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.transport))
    }

    /// Lets the page do what waits: drawing, keys, events.
    pub async fn pause(self) {
        let (done, passed) = oneshot::channel();
        self.after(Duration::ZERO, move || {
            // Whoever waited for it may have been dropped.
            done.send(()).ok();
        });
        // A timer that never runs ends with the page.
        passed.await.ok();
    }

    /// Runs a task on this thread.
    pub fn spawn(self, task: impl Future<Output = ()> + 'static) {
        any_spawner::Executor::spawn_local(task);
    }

    /// The same, until its handle aborts it; whoever does that does what is left to do.
    pub fn spawn_abortable(
        self,
        registration: AbortRegistration,
        task: impl Future<Output = ()> + 'static,
    ) {
        self.spawn(async move {
            match Abortable::new(task, registration).await {
                Ok(()) | Err(Aborted) => {}
            }
        });
    }
}
