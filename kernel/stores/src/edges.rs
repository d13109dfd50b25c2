//! The edges of the stores, as traits: the page implements them with the
//! browser, tests in memory.

mod call;
mod picked_file;

pub use call::{Call, Frames};
pub use picked_file::PickedFile;

use crate::scaled_image::ScaledImage;
use futures::channel::oneshot;
use futures::future::{
    AbortRegistration, Abortable, Aborted, FutureExt, LocalBoxFuture, Shared, select,
};
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::traits::{IsDisposed, WithValue};
use sash_chat::{AnswerId, Id, ImageHash};
use sash_log::image::ImageRefusal;
use sash_wire::{
    AnswerNowRequest, ChatRequest, EngineState, Frame, ModelList, ResumeRequest, StopRequest,
    UpstreamRequest,
};
use std::any::Any;
use std::rc::Rc;
use std::time::Duration;

/// Time and timers.
pub trait Clock {
    /// Milliseconds since 1970. Only for display: the clock may jump, so nothing is ordered by it.
    fn now(&self) -> u64;
    /// Milliseconds on a monotonic clock, for durations.
    fn monotonic(&self) -> f64;
    /// Local UTC offset in milliseconds, positive east of Greenwich.
    fn utc_offset(&self) -> i64;
    /// Runs a closure once, after a delay.
    fn after(&self, wait: Duration, run: Box<dyn FnOnce()>);
    /// Runs a closure once, in the next animation frame.
    fn next_frame(&self, run: Box<dyn FnOnce()>);
}

/// Random ids.
pub trait Ids {
    /// A new random id.
    fn new_id(&self) -> Id;
    /// A new id for an answer at the server. Who has it can read the answer, so nobody must be able to guess it.
    fn new_answer_id(&self) -> AnswerId;
}

/// A lock that is held or requested; dropping it releases the lock or cancels the request.
pub type HeldLock = Box<dyn Any>;

/// Locks that all tabs of the page share.
pub trait Locks {
    /// Whether locks are available: a page served over plain HTTP from another machine has none.
    fn exist(&self) -> bool;
    /// Requests a lock and holds it once it is free; calls `taken` when another tab steals it.
    fn hold(&self, name: &str, taken: Box<dyn FnOnce()>) -> HeldLock;
    /// Acquires a lock if it is free, and holds it; calls `taken` when another tab steals it. `None` if it is not free.
    fn try_hold(
        &self,
        name: &str,
        taken: Box<dyn FnOnce()>,
    ) -> LocalBoxFuture<'static, Option<HeldLock>>;
    /// Whether another tab holds a lock now.
    fn is_held(&self, name: String) -> LocalBoxFuture<'static, bool>;
    /// Waits until a lock is free, without acquiring it.
    fn wait_until_free(&self, name: String) -> LocalBoxFuture<'static, ()>;
    /// Steals a lock from its holder.
    fn steal(&self, name: String) -> LocalBoxFuture<'static, ()>;
}

/// What a store gives the focus to. Which element that is, the page knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FocusTarget {
    /// The prompt field.
    Prompt,
    /// The title of the open chat.
    ChatTitle,
}

/// The parts of the document that stores use.
pub trait Page {
    /// Gives the focus to a place of the page.
    fn focus(&self, target: FocusTarget);
    /// Gives it in the next frame, to a place that is not rendered yet.
    fn focus_soon(&self, target: FocusTarget);
    /// Whether the page is visible.
    fn is_visible(&self) -> bool;
    /// Whether the page is visible and has the focus of the system.
    fn is_seen(&self) -> bool;
    /// How much of the storage quota is used, in percent.
    fn storage_percent(&self) -> usize;
    /// Whether the person has the browser save data.
    fn saves_data(&self) -> bool;
}

/// The stream of an answer.
pub struct AnswerStream {
    /// Its frames.
    pub frames: Frames<Frame>,
    /// Whether the server keeps them, so that the answer goes on without this page.
    pub kept: bool,
}

/// What the chat itself asks of the server. What a room asks it has itself.
#[derive(Clone, Copy)]
pub struct Transport {
    /// Whether Ollama answers, and which models are loaded.
    pub state: Call<UpstreamRequest, EngineState>,
    /// The models of an engine that can chat.
    pub models: Call<UpstreamRequest, ModelList>,
    /// All installed models of an engine.
    pub installed: Call<UpstreamRequest, ModelList>,
    /// The answer to a prompt.
    pub respond: Call<ChatRequest, AnswerStream>,
    /// The frames of an answer that the server keeps, after those that the page has.
    pub resume: Call<ResumeRequest, Frames<Frame>>,
    /// Stops an answer that the server keeps, or is about to.
    pub stop: Call<StopRequest, ()>,
    /// Ends the thinking of an answer that runs.
    pub answer_now: Call<AnswerNowRequest, ()>,
}

/// The database with the images does not open, or cannot be read: nobody knows which of them are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImagesUnavailable;

/// The bytes of images, which are kept beside the log under their hash. All tabs share them. None of these functions
/// waits for a database without end.
pub trait Images {
    /// Scales an image to what a message may have.
    fn scale(&self, bytes: Vec<u8>) -> LocalBoxFuture<'static, Result<ScaledImage, ImageRefusal>>;
    /// Keeps an image. Returns whether it outlives this page: without room, or a database, it is in memory alone.
    fn keep(&self, hash: ImageHash, bytes: Vec<u8>) -> LocalBoxFuture<'static, bool>;
    /// Has an image in the memory of this page alone, for a temporary chat.
    fn keep_in_memory(&self, hash: ImageHash, bytes: Vec<u8>);
    /// Forgets images that are in memory for temporary chats.
    fn forget(&self, hashes: Vec<ImageHash>);
    /// The bytes of an image; `None` if it is not kept.
    fn read(
        &self,
        hash: ImageHash,
    ) -> LocalBoxFuture<'static, Result<Option<Vec<u8>>, ImagesUnavailable>>;
    /// Whether an image is kept.
    fn is_kept(&self, hash: ImageHash) -> LocalBoxFuture<'static, Result<bool, ImagesUnavailable>>;
    /// All images that are kept, with the time of each in milliseconds since 1970. No bytes of them are read; empty if
    /// that is not known now.
    fn all(&self) -> LocalBoxFuture<'static, Vec<(ImageHash, u64)>>;
    /// Deletes images.
    fn delete(&self, hashes: Vec<ImageHash>) -> LocalBoxFuture<'static, ()>;
}

/// The edges of the chat itself in one handle, which is cheap to copy.
#[derive(Clone, Copy)]
pub struct Edges(StoredValue<Rc<Bundle>, LocalStorage>);

struct Bundle {
    clock: Box<dyn Clock>,
    ids: Box<dyn Ids>,
    locks: Box<dyn Locks>,
    page: Box<dyn Page>,
    transport: Transport,
    images: Box<dyn Images>,
    /// Resolves once the page is closed, and what is dropped then.
    closed: Shared<oneshot::Receiver<()>>,
    _open: oneshot::Sender<()>,
}

impl Edges {
    /// Bundles the implementations; they live as long as the current owner.
    pub fn new(
        clock: impl Clock + 'static,
        ids: impl Ids + 'static,
        locks: impl Locks + 'static,
        page: impl Page + 'static,
        transport: Transport,
        images: impl Images + 'static,
    ) -> Self {
        let (open, closed) = oneshot::channel();
        Self(StoredValue::new_local(Rc::new(Bundle {
            clock: Box::new(clock),
            ids: Box::new(ids),
            locks: Box::new(locks),
            page: Box::new(page),
            transport,
            images: Box::new(images),
            closed: closed.shared(),
            _open: open,
        })))
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn now(self) -> u64 {
        self.0.with_value(|edges| edges.clock.now())
    }

    /// Milliseconds on a monotonic clock.
    #[must_use]
    pub fn monotonic(self) -> f64 {
        self.0.with_value(|edges| edges.clock.monotonic())
    }

    /// Local UTC offset in milliseconds, positive east of Greenwich.
    #[must_use]
    pub fn utc_offset(self) -> i64 {
        self.0.with_value(|edges| edges.clock.utc_offset())
    }

    /// Runs a closure once, after a delay, unless the page is closed before.
    pub fn after(self, wait: Duration, run: impl FnOnce() + 'static) {
        let run = Box::new(self.unless_closed(run));
        self.0.with_value(|edges| edges.clock.after(wait, run));
    }

    /// Runs a closure once, in the next animation frame, unless the page is closed before.
    pub fn next_frame(self, run: impl FnOnce() + 'static) {
        let run = Box::new(self.unless_closed(run));
        self.0.with_value(|edges| edges.clock.next_frame(run));
    }

    fn unless_closed(self, run: impl FnOnce()) -> impl FnOnce() {
        move || {
            if !self.0.is_disposed() {
                run();
            }
        }
    }

    /// A new random id.
    #[must_use]
    pub fn new_id(self) -> Id {
        self.0.with_value(|edges| edges.ids.new_id())
    }

    /// A new random id of an answer.
    #[must_use]
    pub fn new_answer_id(self) -> AnswerId {
        self.0.with_value(|edges| edges.ids.new_answer_id())
    }

    /// Gives access to the locks. A closure, because they are stored behind a handle.
    pub fn with_locks<T>(self, f: impl FnOnce(&dyn Locks) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.locks))
    }

    /// Gives access to the document, in a closure.
    pub fn with_page<T>(self, f: impl FnOnce(&dyn Page) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.page))
    }

    /// The server.
    #[must_use]
    pub fn transport(self) -> Transport {
        self.0.with_value(|edges| edges.transport)
    }

    /// Gives access to the images, in a closure.
    pub fn with_images<T>(self, f: impl FnOnce(&dyn Images) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.images))
    }

    /// Yields to the browser, so that it can draw and handle input.
    pub async fn pause(self) {
        self.wait(Duration::ZERO).await;
    }

    /// Waits for this long.
    pub async fn wait(self, time: Duration) {
        let (done, passed) = oneshot::channel();
        self.after(time, move || {
            // The waiting task may have been dropped.
            done.send(()).ok();
        });
        // The timer never fires only if the page is closed, and with it this task.
        passed.await.ok();
    }

    /// Runs a task on this thread until the page is closed. It belongs to the page, not to who starts it: a row or an
    /// effect may be gone while it waits.
    pub fn spawn(self, task: impl Future<Output = ()> + 'static) {
        if let Some(closed) = self.0.try_with_value(|edges| edges.closed.clone()) {
            // The end of the page first: it wakes tasks too, whose stores are gone then.
            any_spawner::Executor::spawn_local(select(closed, Box::pin(task)).map(drop));
        }
    }

    /// Runs a task on this thread until its handle aborts it; whoever aborts it also cleans up.
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
