//! The import of chats from files: first they are read and what would happen is said, then all of it comes in or
//! nothing, images too.

mod choice;
mod choosing;
mod images;
mod read_ahead;
mod reading;
mod report;
mod run;

pub use choosing::{ChatFilter, ChoiceRow, ChosenCount};
pub use report::{AgreementRow, ImportReport};

use crate::plan::ImportPlan;
use choice::Choice;
use reactive_graph::owner::{LocalStorage, StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{ImageHash, ModelId, SettingKind};
use sash_form::FileImage;
use sash_stores::{Edges, Kernel, LogEvent, PickedFile, Ticket, Tickets, same_model, uses};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

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

/// Files that were read, and what their import would do.
struct ReadFile {
    choice: Choice,
    plan: ImportPlan,
    /// The images of the files.
    images: Vec<(ImageHash, ImageSource)>,
    /// Those that were not here when the import was planned.
    missing: BTreeSet<ImageHash>,
}

/// Where the bytes of an image are.
#[derive(Clone, Debug)]
enum ImageSource {
    /// In a line of a picked file.
    Line {
        /// Which file of the choice.
        place: usize,
        /// The bytes of its data.
        at: Range<u64>,
    },
    /// In a file of the choice, to be scaled.
    Scaled {
        /// Which file of the choice.
        place: usize,
    },
}

/// A file, its texts, and where its images are; the error is a sentence.
pub type FileParts = Result<(Rc<dyn PickedFile>, Vec<String>, Vec<FileImage>), String>;

/// The import of a file; one at a time.
#[derive(Clone, Copy)]
pub struct Imports {
    edges: Edges,
    kernel: Kernel,
    /// The current step.
    pub state: RwSignal<ImportState>,
    /// The settings of the file that the person chose to switch on.
    pub agreed: RwSignal<BTreeSet<SettingKind>>,
    /// The file whose plan waits.
    read: RwSignal<Option<ReadFile>, LocalStorage>,
    /// Whether the focus is to go to the file field, once it is there.
    field_wanted: StoredValue<bool>,
    /// Of the read or import that runs; cancelled, it stops.
    tickets: Tickets,
}

uses!(Imports.kernel: storage engine attachments);

impl Imports {
    /// Creates the store without a file, and deletes what an import left over that the page's end interrupted.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let edges = kernel.edges();
        let imports = Self {
            kernel,
            edges,
            state: RwSignal::new(ImportState::Idle),
            agreed: RwSignal::new(BTreeSet::new()),
            read: RwSignal::new_local(None),
            field_wanted: StoredValue::new(false),
            tickets: Tickets::new(),
        };
        edges.spawn(imports.clean_up());
        imports
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Whether chats were imported; tracked.
    #[must_use]
    pub fn is_done(self) -> bool {
        let is_done = |state: &ImportState| matches!(state, ImportState::Done(_));
        self.state.with(is_done)
    }

    /// Whether chats are being imported, which the end of the page would undo; tracked.
    #[must_use]
    pub fn is_importing(self) -> bool {
        let is_running = |state: &ImportState| matches!(state, ImportState::Running(_));
        self.state.with(is_running)
    }

    /// Opens *All chats* at the file field.
    pub fn open(self) {
        self.field_wanted.set_value(true);
        self.kernel.view().show_all_chats("transfer");
    }

    /// Whether the file field is to take the focus. The next call says no.
    #[must_use]
    pub fn take_field_wanted(self) -> bool {
        let wanted = self.field_wanted.get_value();
        self.field_wanted.set_value(false);
        wanted
    }

    /// Reads files and plans their import. Files that are read already are given up; while some are imported, nothing
    /// happens.
    pub fn read(self, picked: Vec<Rc<dyn PickedFile>>) {
        if !picked.is_empty() {
            self.begin_reading(move |ticket| self.plan_choice(picked, ticket));
        }
    }

    /// Plans the import of a file that comes in parts: its texts, and where in it the images are.
    pub fn read_parts(self, parts: impl Future<Output = FileParts> + 'static) {
        self.begin_reading(move |ticket| self.plan_parts(parts, ticket));
    }

    /// Begins to plan an import, if none is running.
    fn begin_reading<F>(self, plan: impl FnOnce(Ticket) -> F)
    where
        F: Future<Output = Result<Option<ReadFile>, String>> + 'static,
    {
        if self.is_running() {
            return;
        }
        self.forget_file();
        let ticket = self.tickets.begin();
        self.state.set(ImportState::Reading(0));
        let plan = plan(ticket);
        self.edges.spawn(async move {
            let planned = plan.await;
            if !ticket.is_current() {
                return;
            }
            let next = match planned {
                Ok(read) => {
                    self.read.set(read);
                    ImportState::Planned
                }
                Err(why) => ImportState::Failed(why),
            };
            self.state.set(next);
        });
    }

    /// What the import of the file that was read would do; `free` is the free room of the storage, in characters.
    #[must_use]
    pub fn report(self, free: u64) -> Option<ImportReport> {
        self.read.with(|read| {
            let read = read.as_ref()?;
            let images = read.missing.intersection(&read.plan.images);
            Some(ImportReport::new(&read.plan, images.count(), free))
        })
    }

    /// Imports the file that was read.
    pub fn run(self) {
        let Some(mut read) = self.read.try_update(Option::take).flatten() else {
            return;
        };
        read.plan.agreed.kinds = self.agreed.get_untracked();
        let ticket = self.tickets.begin();
        self.state.set(ImportState::Running(0));
        self.edges.spawn(async move {
            let done = self.import(read, ticket).await;
            // Images of an import that failed.
            self.clean_up().await;
            self.storage().events().emit(&LogEvent::ManyWritten);
            self.state.set(match done {
                Ok(words) => ImportState::Done(words),
                Err(why) => ImportState::Failed(why),
            });
        });
    }

    /// Stops reading, or importing: then nothing is imported.
    pub fn stop(self) {
        self.tickets.cancel();
        if !self.is_running() {
            self.state.set(ImportState::Idle);
        }
    }

    /// Gives up the file that was read, and goes back to the choice of one. An import that runs goes on.
    pub fn discard_file(self) {
        if !self.is_running() {
            self.tickets.cancel();
            self.forget_file();
            self.state.set(ImportState::Idle);
        }
    }

    /// Deletes the images of imports that were interrupted.
    pub async fn clean_up(self) {
        let left = self.storage().with_log(|log| log.leftover_images());
        let Some(left) = left.filter(|left| !left.is_empty()) else {
            return;
        };
        self.attachments().delete_unreferenced(left.clone()).await;
        self.storage()
            .with_log(|log| log.forget_leftover_images(&left));
    }

    fn is_running(self) -> bool {
        matches!(self.state.get_untracked(), ImportState::Running(_))
    }

    fn forget_file(self) {
        self.read.set(None);
        self.agreed.set(BTreeSet::new());
    }

    /// Those models of the file that run on this machine. Before the list of models has come, none is known to.
    fn models_here(self, plan: &ImportPlan) -> BTreeSet<ModelId> {
        self.engine().models.with_untracked(|models| {
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
}
