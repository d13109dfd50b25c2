//! The import of chats from a file: first it is read and what would happen is said, then all of it comes in or
//! nothing, its images too.

mod file;
mod report;

pub use file::PickedFile;
pub use report::{AskedRow, ImportReport};

use crate::attachments::Attachments;
use crate::edges::Edges;
use crate::engine::{Engine, same_model};
use crate::latest::{Latest, Step};
use crate::library::Library;
use crate::storage::Storage;
use crate::words::plural;
use file::{ImageKept, read_split};
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{ModelId, SettingKind};
use sash_log::transfer::{
    Fate, FileImage, Import, ImportPlan, ImportStep, Planner, StepProgress, decode,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The end of an import that the person stopped.
const STOPPED: &str = "Stopped. Nothing was imported.";
/// The end of an import whose images the browser does not keep.
const NO_ROOM_FOR_IMAGES: &str =
    "This browser has no room for the images of the file. Nothing was imported.";

/// The step of an import.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportState {
    /// No file is chosen.
    Idle,
    /// A file is read and its import planned; the progress in per cent.
    Reading(u64),
    /// The plan waits for the person's decision.
    Planned,
    /// The file is imported; the progress in per cent.
    Running(u64),
    /// The import succeeded, with this result.
    Done(String),
    /// The import failed, for this reason.
    Failed(String),
}

/// A file that was read, and what its import would do.
struct ReadFile {
    file: Rc<dyn PickedFile>,
    plan: ImportPlan,
    /// The images of the file that are not here yet.
    images: Vec<FileImage>,
}

/// The import of a file; one at a time.
#[derive(Clone, Copy)]
pub struct Imports {
    edges: Edges,
    storage: &'static Storage,
    engine: &'static Engine,
    attachments: &'static Attachments,
    library: &'static Library,
    /// The current step.
    pub state: RwSignal<ImportState>,
    /// The settings of the file that the person chose to switch on.
    pub agreed: RwSignal<BTreeSet<SettingKind>>,
    /// The file whose plan waits.
    read: StoredValue<Option<ReadFile>, LocalStorage>,
    /// Whoever reads or imports; cancelled, it stops.
    latest: Latest,
}

impl Imports {
    /// Creates the store without a file.
    #[must_use]
    pub fn new(
        edges: Edges,
        storage: &'static Storage,
        engine: &'static Engine,
        attachments: &'static Attachments,
        library: &'static Library,
    ) -> Self {
        Self {
            edges,
            storage,
            engine,
            attachments,
            library,
            state: RwSignal::new(ImportState::Idle),
            agreed: RwSignal::new(BTreeSet::new()),
            read: StoredValue::new_local(None),
            latest: Latest::new(),
        }
    }

    /// Deletes what an import left over that the page's end interrupted.
    pub fn start(self) {
        self.edges.spawn(self.clean_up());
    }

    /// Reads a file and plans its import. A file that is read already is given up; while one is imported, nothing
    /// happens.
    pub fn read(self, file: Rc<dyn PickedFile>) {
        if self.is_running() {
            return;
        }
        self.forget_file();
        let step = self.latest.begin();
        self.state.set(ImportState::Reading(0));
        self.edges.spawn(async move {
            let planned = self.plan_file(file, step).await;
            if !step.is_latest() {
                return;
            }
            let next = match planned {
                Ok(read) => {
                    self.read.set_value(read);
                    ImportState::Planned
                }
                Err(why) => ImportState::Failed(why),
            };
            self.state.set(next);
            self.edges.with_page(|page| page.focus_soon("import-title"));
        });
    }

    /// What the import of the file that was read would do; `free` is the free room of the storage, in characters.
    #[must_use]
    pub fn report(self, free: u64) -> Option<ImportReport> {
        self.read.with_value(|read| {
            let read = read.as_ref()?;
            Some(ImportReport::new(&read.plan, read.images.len(), free))
        })
    }

    /// Imports the file that was read.
    pub fn run(self) {
        let Some(mut read) = self.read.try_update_value(Option::take).flatten() else {
            return;
        };
        read.plan.agreed.kinds = self.agreed.get_untracked();
        let step = self.latest.begin();
        self.state.set(ImportState::Running(0));
        self.edges.spawn(async move {
            let done = self.import(read, step).await;
            // Images of an import that failed.
            self.clean_up().await;
            self.library.refresh_from_log();
            self.state.set(match done {
                Ok(words) => ImportState::Done(words),
                Err(why) => ImportState::Failed(why),
            });
        });
    }

    /// Stops reading, or importing: then nothing is imported.
    pub fn stop(self) {
        self.latest.cancel();
        if !self.is_running() {
            self.state.set(ImportState::Idle);
        }
    }

    /// Gives up the file that was read, and goes back to the choice of one. An import that runs goes on.
    pub fn leave(self) {
        if !self.is_running() {
            self.latest.cancel();
            self.forget_file();
            self.state.set(ImportState::Idle);
        }
    }

    /// Deletes the images of imports that were interrupted.
    pub async fn clean_up(self) {
        let left = self.storage.with_log(|log| log.leftover_images());
        let Some(left) = left.filter(|left| !left.is_empty()) else {
            return;
        };
        self.attachments.delete_unreferenced(left.clone()).await;
        self.storage
            .with_log(|log| log.forget_leftover_images(&left));
    }

    fn is_running(self) -> bool {
        matches!(self.state.get_untracked(), ImportState::Running(_))
    }

    fn forget_file(self) {
        self.read.set_value(None);
        self.agreed.set(BTreeSet::new());
    }

    /// Reads a file and plans its import; the error is a sentence. `None` if it was stopped.
    async fn plan_file(
        self,
        file: Rc<dyn PickedFile>,
        step: Step,
    ) -> Result<Option<ReadFile>, String> {
        let (bytes, images) = read_split(&*file).await?;
        let planner = decode(bytes).and_then(|text| Planner::new(text, self.edges.now()));
        let mut planner = planner.map_err(|error| error.to_string())?;
        while step.is_latest() {
            let Some(planned) = self.storage.with_log(|log| planner.step(log)) else {
                return Ok(None);
            };
            match planned.map_err(|error| error.to_string())? {
                Some(so_far) => self.state.set(ImportState::Reading(percent(so_far))),
                None => break,
            }
            self.edges.pause().await;
        }
        let mut plan = planner.finish();
        plan.agreed.models = self.models_here(&plan);
        let images = self.missing(images, &plan).await;
        Ok(Some(ReadFile { file, plan, images }))
    }

    /// Those models of the file that run on this machine. Before the list of models has come, none is known to.
    fn models_here(self, plan: &ImportPlan) -> BTreeSet<ModelId> {
        self.engine.models.with_untracked(|models| {
            let is_here = |wanted: &&ModelId| {
                models.iter().any(|model| {
                    !model.remote
                        && model.engine == wanted.engine
                        && same_model(&model.name, &wanted.name)
                })
            };
            plan.settings.models().filter(is_here).cloned().collect()
        })
    }

    /// Imports a file. Returns what was imported; the error is a sentence, and then nothing of it is left but images
    /// for [`Self::clean_up`].
    async fn import(self, read: ReadFile, step: Step) -> Result<String, String> {
        let ReadFile { file, plan, images } = read;
        let chats = plan.count(|fate| matches!(fate, Fate::New | Fate::Copy(_) | Fate::More(_)));
        let asked = plan.settings.asked(&plan.agreed.models);
        let is_off = asked
            .iter()
            .any(|asked| !plan.agreed.kinds.contains(&asked.kind));
        // An import that was interrupted is in the way until its images are deleted.
        self.clean_up().await;
        let id = self.edges.new_id();
        let hashes = images.iter().map(|image| image.hash).collect();
        let begun = self
            .storage
            .with_log(|log| Import::begin(plan, hashes, log, id));
        let mut import = begun.ok_or(STOPPED)?.map_err(|why| why.to_string())?;

        let (mut kept_images, mut damaged) = (Vec::new(), 0);
        for (done, image) in images.iter().enumerate() {
            let kept = self.keep_image(&*file, image).await;
            let why = match kept {
                _ if !step.is_latest() => Some(STOPPED),
                ImageKept::NoRoom => Some(NO_ROOM_FOR_IMAGES),
                ImageKept::Damaged => {
                    damaged += 1;
                    None
                }
                ImageKept::Kept => {
                    kept_images.push(image.hash);
                    None
                }
            };
            if let Some(why) = why {
                self.storage.with_log(|log| import.stop(log));
                return Err(why.to_owned());
            }
            let checked = self.storage.with_log(|log| import.check(log));
            checked.ok_or(STOPPED)?.map_err(|why| why.to_string())?;
            self.show_progress(done + 1, images.len() + import.records());
        }
        loop {
            let written = self.storage.with_log(|log| import.step(log));
            let so_far = match written.ok_or(STOPPED)?.map_err(|why| why.to_string())? {
                ImportStep::More(so_far) => usize::try_from(so_far.done).unwrap_or_default(),
                ImportStep::Done(_) => break,
            };
            self.show_progress(images.len() + so_far, images.len() + import.records());
            self.edges.pause().await;
            if !step.is_latest() {
                self.storage.with_log(|log| import.stop(log));
                return Err(STOPPED.to_owned());
            }
        }
        self.attachments.note_kept(kept_images);
        Ok(result_words(chats, damaged, is_off))
    }

    fn show_progress(self, done: usize, of: usize) {
        let percent = done * 100 / of.max(1);
        self.state.set(ImportState::Running(percent as u64));
    }
}

/// What was imported, in words.
fn result_words(chats: usize, damaged: usize, is_off: bool) -> String {
    let mut words = format!("{} imported.", plural(chats, "chat"));
    if is_off {
        words += " Settings that you did not choose are off; each chat offers them.";
    }
    if damaged > 0 {
        words += &format!(
            " {} of the file could not be used: damaged, or of a type that is not kept.",
            plural(damaged, "image")
        );
    }
    words
}

fn percent(progress: StepProgress) -> u64 {
    progress.done * 100 / progress.of.max(1)
}
