//! What the stores need from their environment, as traits: the page implements them with the
//! browser, tests in memory.

use crate::scaled_image::ScaledImage;
use futures::channel::oneshot;
use futures::future::{
    AbortRegistration, Abortable, Aborted, FutureExt, LocalBoxFuture, Shared, select,
};
use futures::stream::LocalBoxStream;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::traits::{IsDisposed, WithValue};
use sash_backup::FolderFiles;
use sash_chat::{AnswerId, Id, ImageHash};
use sash_log::image::ImageRefusal;
use sash_wire::{
    AnswerNowRequest, BackupGetImageRequest, BackupGetRequest, BackupList, BackupListRequest,
    BackupNews, BackupNewsRequest, BackupPrompts, BackupPromptsRequest, BackupPurgeRequest,
    BackupPurged, BackupPut, BackupPutImageRequest, BackupPutRequest, BackupText, CalculateRequest,
    CalculationResult, ChatRequest, CountedPrompt, EmbedRequest, Embedded, Fault, Frame,
    LoadRequest, ModelDetails, ModelList, ModelRequest, OllamaState, PullFrame, PullRequest,
    ReadRequest, ReadResult, ResumeRequest, StopRequest, UpstreamRequest,
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
    /// What the import says at its end.
    ImportTitle,
    /// The title of *What if*.
    WhatIfTitle,
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
    /// Shows a notification of the system, if the person allows it; a click shows the page and calls `on_click`.
    fn notify(&self, title: &str, body: &str, on_click: Box<dyn FnOnce()>);
    /// Plays a short sound.
    fn play_sound(&self);
    /// How much of the storage quota is used, in percent.
    fn storage_percent(&self) -> usize;
    /// Whether the person has the browser save data.
    fn saves_data(&self) -> bool;
}

/// Frames of a stream; an error ends it.
pub type Frames<F> = LocalBoxStream<'static, Result<F, Fault>>;

/// The stream of an answer.
pub struct AnswerStream {
    /// Its frames.
    pub frames: Frames<Frame>,
    /// Whether the server keeps them, so that the answer goes on without this page.
    pub kept: bool,
}

/// The server. Dropping a returned future or stream aborts the request.
pub trait Transport {
    /// Whether Ollama answers, and which models are loaded.
    fn state(
        &self,
        request: UpstreamRequest,
    ) -> LocalBoxFuture<'static, Result<OllamaState, Fault>>;
    /// The models of an engine that can chat.
    fn models(&self, request: UpstreamRequest)
    -> LocalBoxFuture<'static, Result<ModelList, Fault>>;
    /// Sends a chat request.
    fn respond(&self, request: ChatRequest)
    -> LocalBoxFuture<'static, Result<AnswerStream, Fault>>;
    /// The frames of an answer that the server keeps, after those that the page has.
    fn resume(
        &self,
        request: ResumeRequest,
    ) -> LocalBoxFuture<'static, Result<Frames<Frame>, Fault>>;
    /// Stops an answer that the server keeps, or is about to.
    fn stop(&self, request: StopRequest) -> LocalBoxFuture<'static, Result<(), Fault>>;
    /// Ends the thinking of an answer that runs.
    fn answer_now(&self, request: AnswerNowRequest) -> LocalBoxFuture<'static, Result<(), Fault>>;
    /// Has a model read a prompt before it is sent.
    fn read(&self, request: ReadRequest) -> LocalBoxFuture<'static, Result<ReadResult, Fault>>;
    /// Pulls a model.
    fn pull(
        &self,
        request: PullRequest,
    ) -> LocalBoxFuture<'static, Result<Frames<PullFrame>, Fault>>;
    /// All installed models of an engine.
    fn installed(
        &self,
        request: UpstreamRequest,
    ) -> LocalBoxFuture<'static, Result<ModelList, Fault>>;
    /// The texts of a model.
    fn show(&self, request: ModelRequest) -> LocalBoxFuture<'static, Result<ModelDetails, Fault>>;
    /// Evaluates an expression for a model.
    fn calculate(
        &self,
        request: CalculateRequest,
    ) -> LocalBoxFuture<'static, Result<CalculationResult, Fault>>;
    /// Counts the tokens of a chat request.
    fn count(&self, request: ChatRequest) -> LocalBoxFuture<'static, Result<CountedPrompt, Fault>>;
    /// Makes vectors of texts.
    fn embed(&self, request: EmbedRequest) -> LocalBoxFuture<'static, Result<Embedded, Fault>>;
    /// Loads a model.
    fn load(&self, request: LoadRequest) -> LocalBoxFuture<'static, Result<(), Fault>>;
    /// Unloads a model.
    fn unload(&self, request: ModelRequest) -> LocalBoxFuture<'static, Result<(), Fault>>;
    /// Deletes a model.
    fn delete(&self, request: ModelRequest) -> LocalBoxFuture<'static, Result<(), Fault>>;
    /// What is in the folder of the backup.
    fn backup_list(
        &self,
        request: BackupListRequest,
    ) -> LocalBoxFuture<'static, Result<BackupList, Fault>>;
    /// What is new in the folder of the backup, as soon as something is.
    fn backup_news(
        &self,
        request: BackupNewsRequest,
    ) -> LocalBoxFuture<'static, Result<BackupNews, Fault>>;
    /// Writes a chat into the backup.
    fn backup_put(
        &self,
        request: BackupPutRequest,
    ) -> LocalBoxFuture<'static, Result<BackupPut, Fault>>;
    /// Joins prompts and folders with those of the backup.
    fn backup_prompts(
        &self,
        request: BackupPromptsRequest,
    ) -> LocalBoxFuture<'static, Result<BackupPrompts, Fault>>;
    /// Keeps an image in the backup.
    fn backup_put_image(
        &self,
        request: BackupPutImageRequest,
    ) -> LocalBoxFuture<'static, Result<(), Fault>>;
    /// The file of a chat in the backup.
    fn backup_get(
        &self,
        request: BackupGetRequest,
    ) -> LocalBoxFuture<'static, Result<BackupText, Fault>>;
    /// The bytes of an image in the backup, in base64.
    fn backup_get_image(
        &self,
        request: BackupGetImageRequest,
    ) -> LocalBoxFuture<'static, Result<BackupText, Fault>>;
    /// Removes chats or messages from the backup for good.
    fn backup_purge(
        &self,
        request: BackupPurgeRequest,
    ) -> LocalBoxFuture<'static, Result<BackupPurged, Fault>>;
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

/// The vectors of messages, in the bytes of [`QuantizedVector`](sash_search::vectors::QuantizedVector). They are kept
/// beside the log, for all tabs, and can be made again: what cannot be kept or read is missing, which is no error.
pub trait Vectors {
    /// The vectors of a chat's messages that a model made; none if those of another model are kept.
    fn read(&self, model: String, chat: Id) -> LocalBoxFuture<'static, Vec<(Id, Vec<u8>)>>;
    /// Keeps vectors of a chat's messages that a model made. Those of another model are deleted: only one model's are
    /// kept.
    fn keep(
        &self,
        model: String,
        chat: Id,
        vectors: Vec<(Id, Vec<u8>)>,
    ) -> LocalBoxFuture<'static, ()>;
    /// Deletes the vectors of chats, or of messages of them.
    fn delete(&self, deleted: Vec<(Id, Option<Id>)>) -> LocalBoxFuture<'static, ()>;
    /// Deletes all vectors.
    fn clear(&self) -> LocalBoxFuture<'static, ()>;
}

/// A folder of this device that the person chose in the browser.
#[derive(Clone)]
pub struct ChosenFolder {
    /// The choice: two folders may have one name.
    pub id: Id,
    /// Its name, without the path: browsers do not tell that.
    pub name: String,
    /// Whether it may be read and written now. After a while the browser wants to ask the person again.
    pub is_allowed: bool,
    /// Its files.
    pub files: Rc<dyn FolderFiles>,
    /// What the browser knows it by.
    pub handle: Rc<dyn Any>,
}

/// Folders of this device for the backup, in browsers that let a person choose one.
pub trait Folders {
    /// Whether the browser lets a person choose one.
    fn exist(&self) -> bool;
    /// Has the person choose one; `None` if they did not. Works only in a click.
    fn choose(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>>;
    /// Remembers a folder instead of another one. Returns whether it is remembered.
    fn remember(&self, folder: ChosenFolder) -> LocalBoxFuture<'static, bool>;
    /// The one that is remembered.
    fn remembered(&self) -> LocalBoxFuture<'static, Option<ChosenFolder>>;
    /// Whether a folder may be read and written now.
    fn is_allowed(&self, folder: ChosenFolder) -> LocalBoxFuture<'static, bool>;
    /// Has the browser ask the person whether it may. Works only in a click.
    fn ask(&self, folder: ChosenFolder) -> LocalBoxFuture<'static, bool>;
    /// Forgets the one that is remembered. What is in it stays.
    fn forget(&self) -> LocalBoxFuture<'static, ()>;
}

/// A voice of the device that speaks without a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfflineVoice {
    /// What the device calls it.
    pub id: String,
    /// Its language, as a tag: `en-GB`.
    pub language: String,
}

/// A text to be spoken.
#[derive(Clone, Debug, PartialEq)]
pub struct Utterance {
    /// The text, of a sentence at most: browsers break off long ones.
    pub text: String,
    /// The voice.
    pub voice: OfflineVoice,
    /// How fast, as a factor of the voice's own speed.
    pub rate: f32,
}

/// The voices of the device. Those that send the text to a server are not among them.
pub trait Speech {
    /// The voices; empty where there are none, and until the browser has found them.
    fn voices(&self) -> Vec<OfflineVoice>;
    /// Calls `changed` whenever the browser has found other voices.
    fn on_voices(&self, changed: Box<dyn Fn()>);
    /// Speaks a text instead of the one before. `ended` is called with whether it was spoken to its end; it may be
    /// called late for a text that was stopped.
    fn speak(&self, utterance: Utterance, ended: Box<dyn FnOnce(bool)>);
    /// Stops speaking.
    fn stop(&self);
}

/// All traits of this module in one handle, which is cheap to copy.
#[derive(Clone, Copy)]
pub struct Edges(StoredValue<Rc<Bundle>, LocalStorage>);

struct Bundle {
    clock: Box<dyn Clock>,
    ids: Box<dyn Ids>,
    locks: Box<dyn Locks>,
    page: Box<dyn Page>,
    transport: Box<dyn Transport>,
    images: Box<dyn Images>,
    vectors: Box<dyn Vectors>,
    speech: Box<dyn Speech>,
    folders: Box<dyn Folders>,
    /// Resolves once the page is closed, and what is dropped then.
    closed: Shared<oneshot::Receiver<()>>,
    _open: oneshot::Sender<()>,
}

impl Edges {
    /// Bundles the implementations; they live as long as the current owner.
    #[allow(
        clippy::too_many_arguments,
        reason = "each is one trait of this module"
    )]
    pub fn new(
        clock: impl Clock + 'static,
        ids: impl Ids + 'static,
        locks: impl Locks + 'static,
        page: impl Page + 'static,
        transport: impl Transport + 'static,
        images: impl Images + 'static,
        vectors: impl Vectors + 'static,
        speech: impl Speech + 'static,
        folders: impl Folders + 'static,
    ) -> Self {
        let (open, closed) = oneshot::channel();
        Self(StoredValue::new_local(Rc::new(Bundle {
            clock: Box::new(clock),
            ids: Box::new(ids),
            locks: Box::new(locks),
            page: Box::new(page),
            transport: Box::new(transport),
            images: Box::new(images),
            vectors: Box::new(vectors),
            speech: Box::new(speech),
            folders: Box::new(folders),
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

    /// Gives access to the server, in a closure.
    pub fn with_transport<T>(self, f: impl FnOnce(&dyn Transport) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.transport))
    }

    /// Gives access to the images, in a closure.
    pub fn with_images<T>(self, f: impl FnOnce(&dyn Images) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.images))
    }

    /// Gives access to the vectors, in a closure.
    pub fn with_vectors<T>(self, f: impl FnOnce(&dyn Vectors) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.vectors))
    }

    /// Gives access to the voices, in a closure.
    pub fn with_speech<T>(self, f: impl FnOnce(&dyn Speech) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.speech))
    }

    /// Gives access to the folders of this device, in a closure.
    pub fn with_folders<T>(self, f: impl FnOnce(&dyn Folders) -> T) -> T {
        self.0.with_value(|edges| f(&*edges.folders))
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
