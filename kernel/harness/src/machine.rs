//! The environment of a tab in memory: a clock that tests advance, a store and locks that all tabs
//! share, and a server with scripted answers.

mod server;

use crate::disk::{Disk, TabStore};
use crate::locks::LockTable;
use crate::slow::Slow;
use any_spawner::Executor;
use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::{LocalBoxFuture, ready};
use sash_chat::{AnswerId, Id, ImageHash};
use sash_log::image::{ImageRefusal, check_source};
use sash_log::{KeyValue, Kinds, Log};
use sash_stores::edges::{
    Call, Clock, FocusTarget, Frames, HeldLock, Ids, Images, ImagesUnavailable, Locks, Page,
};
use sash_stores::{Edges, PageLog, ScaledImage, Tabs};
use sash_wire::{
    ChatRequest, EngineInfo, EngineState, Fault, Frame, ModelInfo, ResumeRequest, UpstreamRequest,
};
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

/// Closures with the time they are due, in milliseconds.
type Timers = Rc<RefCell<Vec<(f64, Box<dyn FnOnce()>)>>>;

/// The bytes of images, and when they were kept.
type KeptImages = Rc<RefCell<BTreeMap<ImageHash, (Vec<u8>, u64)>>>;

/// What a page that comes back gets of an answer, a request each.
type Rests = Rc<RefCell<VecDeque<Result<Frames<Frame>, Fault>>>>;

/// What the server answers.
pub type Answer<T> = LocalBoxFuture<'static, Result<T, Fault>>;

/// The result of a check for Ollama.
pub type PollResult = Result<EngineState, Fault>;

/// The environment of one tab. A clone is the same tab.
#[derive(Clone, Default)]
pub struct Machine {
    /// Tells browsers apart.
    pub browser: u64,
    /// By how much its clock is wrong, in milliseconds.
    clock_error: i64,
    tab: u32,
    /// How many of the disk's changes this tab has received.
    told: Rc<Cell<usize>>,
    now: Rc<Cell<f64>>,
    timers: Timers,
    ids: Rc<Cell<u64>>,
    /// The store shared by all tabs.
    pub disk: Disk,
    locks: Rc<RefCell<LockTable>>,
    /// Whether Web Locks are unavailable.
    pub without_locks: Rc<Cell<bool>>,
    /// Whether the page is hidden.
    pub hidden: Rc<Cell<bool>>,
    /// How much of the storage quota is used, in percent.
    pub percent: Rc<Cell<usize>>,
    /// What was given the focus, the last one at the end.
    pub focused: Rc<RefCell<Vec<FocusTarget>>>,
    /// When Ollama was checked for, on the monotonic clock in milliseconds, and the request.
    pub looks: Rc<RefCell<Vec<(f64, UpstreamRequest)>>>,
    /// The result of a check; `None`: Ollama answers.
    pub found: Rc<RefCell<Option<PollResult>>>,
    /// Checks whose result the test sends later.
    slow_looks: Rc<RefCell<VecDeque<oneshot::Receiver<PollResult>>>>,
    /// The engines of the server's configuration; while it is empty, there is an Ollama alone.
    pub engines: Rc<RefCell<Vec<EngineInfo>>>,
    /// Whether that Ollama is on another machine.
    pub is_elsewhere: Rc<Cell<bool>>,
    /// The models of the engines that are not the first, by engine.
    pub models_of: Rc<RefCell<BTreeMap<String, Vec<ModelInfo>>>>,
    /// The engines that are not the first and too busy to list their models.
    pub busy_engines: Rc<RefCell<Vec<String>>>,
    /// The engines that are not the first and do not answer at all, so that their requests stay open.
    pub mute_engines: Rc<RefCell<Vec<String>>>,
    /// Whether nothing is installed.
    pub has_no_model: Rc<Cell<bool>>,
    /// The installed models besides `tiny:latest`.
    pub more_models: Rc<RefCell<Vec<ModelInfo>>>,
    /// What else the server says of itself, by its name.
    others: Rc<RefCell<Map<String, Value>>>,
    /// Whether the first engine has `tiny:latest` in memory.
    pub is_loaded: Rc<Cell<bool>>,
    /// Whether the other engines have it in memory, too.
    pub is_loaded_everywhere: Rc<Cell<bool>>,
    /// Whether the browser saves data.
    pub saves_data: Rc<Cell<bool>>,
    /// The chat requests that the server received, without the ids of their answers.
    pub requests: Rc<RefCell<Vec<ChatRequest>>>,
    /// The ids of the answers in these requests.
    pub answer_ids: Rc<RefCell<Vec<Option<AnswerId>>>>,
    /// The scripted answers, one stream per request; without one the server stays silent.
    answers: Rc<RefCell<VecDeque<Frames<Frame>>>>,
    /// Whether the server has no room to keep answers.
    pub keeps_nothing: Rc<Cell<bool>>,
    /// The scripted rests of answers, one for each request; without one the server does not know the answer.
    rests: Rests,
    /// The rests of answers that were asked for.
    pub resumed: Rc<RefCell<Vec<ResumeRequest>>>,
    /// The answers that the server was asked to stop, each as often as it was.
    pub stopped: Rc<RefCell<Vec<AnswerId>>>,
    /// Whether the network is gone.
    pub offline: Rc<Cell<bool>>,
    /// What the server was asked to do with a model.
    pub asked: Rc<RefCell<Vec<String>>>,
    /// Why the list of installed models, and each action on a model, fails.
    pub refusal: Rc<RefCell<Option<Fault>>>,
    /// The images that all tabs share, with the time of each.
    pub images: KeptImages,
    /// The images in the memory of this tab, for temporary chats.
    pub images_in_memory: Rc<RefCell<BTreeMap<ImageHash, Vec<u8>>>>,
    /// Whether there is no room for images.
    pub no_room_for_images: Rc<Cell<bool>>,
    /// Images that are kept when the test says so.
    slow_images: Slow,
    /// Whether the database of images does not open.
    pub no_images: Rc<Cell<bool>>,
    /// How many images were deleted, a number for each transaction.
    pub image_deletions: Rc<RefCell<Vec<usize>>>,
    /// Requests for a list of models whose answer the test sends later. It has what was installed when it was asked for.
    slow_lists: Slow,
    /// Looks for an image whose answer the test sends later.
    slow_image_looks: Slow,
    /// Queries of a lock whose answer the test sends later.
    slow_lock_queries: Slow,
    /// Actions whose result the test sends later.
    slow_actions: Slow,
}

impl Clock for Machine {
    fn now(&self) -> u64 {
        (1_800_000_000_000 + self.now.get() as u64).saturating_add_signed(self.clock_error)
    }
    fn monotonic(&self) -> f64 {
        self.now.get()
    }
    fn utc_offset(&self) -> i64 {
        0
    }
    fn after(&self, wait: Duration, run: Box<dyn FnOnce()>) {
        let due = self.now.get() + wait.as_secs_f64() * 1000.0;
        self.timers.borrow_mut().push((due, run));
    }
    fn next_frame(&self, run: Box<dyn FnOnce()>) {
        self.after(Duration::from_millis(16), run);
    }
}

impl Ids for Machine {
    fn new_id(&self) -> Id {
        self.ids.set(self.ids.get() + 1);
        Id(self.ids.get())
    }
    fn new_answer_id(&self) -> AnswerId {
        AnswerId(u128::from(self.new_id().0) << 64)
    }
}

impl Locks for Machine {
    fn exist(&self) -> bool {
        !self.without_locks.get()
    }
    fn hold(&self, name: &str, taken: Box<dyn FnOnce()>) -> HeldLock {
        match self.without_locks.get() {
            true => Box::new(()),
            false => Box::new(LockTable::hold(&self.locks, self.tab, name, taken)),
        }
    }
    fn try_hold(
        &self,
        name: &str,
        taken: Box<dyn FnOnce()>,
    ) -> LocalBoxFuture<'static, Option<HeldLock>> {
        let held = match self.without_locks.get() {
            true => None,
            false => LockTable::try_hold(&self.locks, self.tab, name, taken),
        };
        ready(held.map(|held| Box::new(held) as HeldLock)).boxed_local()
    }
    fn is_held(&self, name: String) -> LocalBoxFuture<'static, bool> {
        let (slow, locks) = (self.slow_lock_queries.next(), self.locks.clone());
        async move {
            slow.await;
            locks.borrow().is_held(&name)
        }
        .boxed_local()
    }
    fn wait_until_free(&self, name: String) -> LocalBoxFuture<'static, ()> {
        LockTable::wait_until_free(&self.locks, name).boxed_local()
    }
    fn steal(&self, name: String) -> LocalBoxFuture<'static, ()> {
        LockTable::take_over(self.locks.clone(), name).boxed_local()
    }
}

impl Page for Machine {
    fn focus(&self, target: FocusTarget) {
        self.focused.borrow_mut().push(target);
    }
    fn focus_soon(&self, target: FocusTarget) {
        self.focus(target);
    }
    fn is_visible(&self) -> bool {
        !self.hidden.get()
    }
    fn is_seen(&self) -> bool {
        !self.hidden.get()
    }
    fn storage_percent(&self) -> usize {
        self.percent.get()
    }
    fn saves_data(&self) -> bool {
        self.saves_data.get()
    }
}

impl Images for Machine {
    fn scale(&self, bytes: Vec<u8>) -> LocalBoxFuture<'static, Result<ScaledImage, ImageRefusal>> {
        let scaled = check_source(&bytes, None).map(|_| ScaledImage {
            bytes,
            is_png: true,
            width: 1,
            height: 1,
            preview: "aGk=".to_owned(),
        });
        ready(scaled).boxed_local()
    }
    fn keep(&self, hash: ImageHash, bytes: Vec<u8>) -> LocalBoxFuture<'static, bool> {
        let kept = !self.no_room_for_images.get();
        self.keep_image(hash, bytes, kept);
        let slow = self.slow_images.next();
        async move { slow.await && kept }.boxed_local()
    }
    fn keep_in_memory(&self, hash: ImageHash, bytes: Vec<u8>) {
        self.images_in_memory.borrow_mut().insert(hash, bytes);
    }
    fn forget(&self, hashes: Vec<ImageHash>) {
        self.images_in_memory
            .borrow_mut()
            .retain(|hash, _| !hashes.contains(hash));
    }
    fn read(
        &self,
        hash: ImageHash,
    ) -> LocalBoxFuture<'static, Result<Option<Vec<u8>>, ImagesUnavailable>> {
        if let Some(bytes) = self.images_in_memory.borrow().get(&hash).cloned() {
            return ready(Ok(Some(bytes))).boxed_local();
        }
        if self.no_images.get() {
            return ready(Err(ImagesUnavailable)).boxed_local();
        }
        let found = self
            .images
            .borrow()
            .get(&hash)
            .map(|(bytes, _)| bytes.clone());
        let slow = self.slow_image_looks.next();
        async move {
            slow.await;
            Ok(found)
        }
        .boxed_local()
    }
    fn is_kept(&self, hash: ImageHash) -> LocalBoxFuture<'static, Result<bool, ImagesUnavailable>> {
        let is_kept = self.images.borrow().contains_key(&hash)
            || self.images_in_memory.borrow().contains_key(&hash);
        let answer = match self.no_images.get() {
            true => Err(ImagesUnavailable),
            false => Ok(is_kept),
        };
        let slow = self.slow_image_looks.next();
        async move {
            slow.await;
            answer
        }
        .boxed_local()
    }
    fn all(&self) -> LocalBoxFuture<'static, Vec<(ImageHash, u64)>> {
        let images = self.images.borrow();
        let all = images.iter().map(|(hash, (_, at))| (*hash, *at)).collect();
        ready(all).boxed_local()
    }
    fn delete(&self, hashes: Vec<ImageHash>) -> LocalBoxFuture<'static, ()> {
        self.image_deletions.borrow_mut().push(hashes.len());
        Images::forget(self, hashes.clone());
        self.images
            .borrow_mut()
            .retain(|hash, _| !hashes.contains(hash));
        ready(()).boxed_local()
    }
}

impl Machine {
    /// A call of the server, which this machine answers.
    fn call<Q: 'static, R: 'static>(&self, answer: fn(&Self, Q) -> Answer<R>) -> Call<Q, R> {
        call(self, answer)
    }

    /// An answer of this value, unless the server refuses what concerns models.
    pub fn unless_refused<T: 'static>(&self, value: T) -> Answer<T> {
        let refusal = self.refusal.borrow().clone();
        ready(refusal.map_or(Ok(value), Err)).boxed_local()
    }

    /// Makes the next look for an image, or its reading, wait for the test.
    pub fn slow_image_look(&self) -> oneshot::Sender<()> {
        self.slow_image_looks.hold_back()
    }

    /// Makes the next query of a lock wait for the test.
    pub fn slow_lock_query(&self) -> oneshot::Sender<()> {
        self.slow_lock_queries.hold_back()
    }

    /// Makes the next image that is kept wait for the test.
    pub fn slow_image(&self) -> oneshot::Sender<()> {
        self.slow_images.hold_back()
    }

    /// Another browser with the same server, whose storage is empty.
    pub fn another_browser(&self) -> Self {
        Self {
            browser: self.browser + 1,
            // Two days ahead, or behind.
            clock_error: [-172_800_000, 172_800_000][(self.browser % 2) as usize],
            told: Rc::default(),
            disk: Disk::default(),
            locks: Rc::default(),
            images: Rc::default(),
            images_in_memory: Rc::default(),
            hidden: Rc::default(),
            offline: Rc::default(),
            percent: Rc::default(),
            no_room_for_images: Rc::default(),
            focused: Rc::default(),
            ..self.clone()
        }
    }

    /// Another browser with a copy of this one's storage.
    pub fn copied_browser(&self) -> Self {
        Self {
            disk: self.disk.copied(),
            images: Rc::new(RefCell::new(self.images.borrow().clone())),
            ..self.another_browser()
        }
    }

    /// Another tab of the same browser, which has received all changes made so far.
    pub fn another_tab(&self) -> Self {
        Self {
            tab: self.tab + 1,
            told: Rc::new(Cell::new(self.disk.changes())),
            focused: Rc::default(),
            hidden: Rc::new(Cell::new(self.hidden.get())),
            ..self.clone()
        }
    }

    /// The edges of the page, implemented by this machine.
    pub fn edges(&self) -> Edges {
        let edge = || self.clone();
        Edges::new(edge(), edge(), edge(), edge(), self.transport(), edge())
    }

    /// The store for this tab.
    #[must_use]
    pub fn store(&self) -> TabStore {
        self.disk.store(self.tab)
    }

    /// All that the store of all tabs holds, a line for each record.
    #[must_use]
    pub fn stored(&self) -> String {
        let store = self.store();
        let records = store.keys().into_iter().map(|key| {
            let value = store.get(&key).unwrap_or_default();
            format!("{key} {value}\n")
        });
        records.collect()
    }

    /// The log in this store, whose records are of these kinds.
    #[must_use]
    pub fn log(&self, kinds: Kinds) -> PageLog {
        let store: Box<dyn KeyValue> = Box::new(self.store());
        Log::open(store, Id(900 + self.browser), kinds)
            .unwrap_or_else(|_| panic!("the log is ours"))
    }

    /// Keeps an image, or has it in the memory of this tab alone.
    pub fn keep_image(&self, hash: ImageHash, bytes: Vec<u8>, is_kept: bool) {
        if !is_kept {
            return self.keep_in_memory(hash, bytes);
        }
        let image = (bytes, Clock::now(self));
        self.images.borrow_mut().insert(hash, image);
    }

    /// Closes or crashes the tab: no event is sent, and its locks become free.
    pub fn close_tab(&self) {
        LockTable::close(&self.locks, self.tab);
    }

    /// Sends this tab the changes of other tabs since the last call, as the browser does.
    pub fn tell(&self, tabs: Tabs) {
        for (key, there) in self.disk.changes_of_others(self.tab, self.told.get()) {
            tabs.on_storage_event(Some(&key), there);
        }
        self.told.set(self.disk.changes());
        // Changes are collected for a moment before they are applied.
        self.pass(50.0);
    }

    /// Advances the clock: due timers run in order, with pending tasks after each.
    pub fn pass(&self, millis: f64) {
        let until = self.now.get() + millis;
        settle();
        loop {
            let next = {
                let mut timers = self.timers.borrow_mut();
                let due = timers
                    .iter()
                    .enumerate()
                    .filter(|(_, (at, _))| *at <= until);
                let first = due
                    .min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0))
                    .map(|(i, _)| i);
                first.map(|i| timers.remove(i))
            };
            let Some((at, run)) = next else { break };
            self.now.set(at.max(self.now.get()));
            run();
            settle();
        }
        self.now.set(until);
    }

    /// Suspends the computer for some days: no timer runs meanwhile.
    pub fn sleep(&self, days: u32) {
        let millis = f64::from(days) * 24.0 * 3_600_000.0;
        self.now.set(self.now.get() + millis);
    }
}

/// A call of the server that this machine answers, the kernel's or a room's with more in it.
pub fn call<M: Clone + 'static, Q: 'static, R: 'static>(
    machine: &M,
    answer: fn(&M, Q) -> Answer<R>,
) -> Call<Q, R> {
    let machine = machine.clone();
    Call::new(move |request| answer(&machine, request))
}

/// Runs tasks and effects until none is pending.
pub fn settle() {
    Executor::poll_local();
}
