//! The steps of an import.

use super::LibraryContext;
use super::images::{ImagesOfFile, read_split};
use crate::browser::{clock, ids, page};
use crate::ui::parts::plural;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_log::transfer::{Fate, Import, ImportPlan, ImportStep, Planner, StepProgress, decode};
use web_sys::File;

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

/// The state of an import: its step, and its plan.
#[derive(Clone, Copy)]
pub struct ImportFlow {
    library: LibraryContext,
    /// The current step.
    pub step: RwSignal<ImportState>,
    /// The plan that waits or is applied.
    pub plan: StoredValue<Option<ImportPlan>, LocalStorage>,
    /// The images of the file that are not here yet.
    pub images: StoredValue<Option<ImagesOfFile>, LocalStorage>,
    /// Whether the person stopped it.
    stopped: RwSignal<bool>,
}

impl ImportFlow {
    /// An import without a chosen file.
    pub fn new(library: LibraryContext) -> Self {
        Self {
            library,
            step: RwSignal::new(ImportState::Idle),
            plan: StoredValue::new_local(None),
            images: StoredValue::new_local(None),
            stopped: RwSignal::new(false),
        }
    }

    /// Reads a file and plans its import.
    pub fn read(self, file: File) {
        self.stopped.set(false);
        self.step.set(ImportState::Reading(0));
        spawn_local(async move {
            let next = self.plan_file(&file).await;
            if self.step.try_set(next).is_none() {
                page::focus_soon("import-title".to_owned());
            }
        });
    }

    /// Applies the plan.
    pub fn run(self) {
        let Some(plan) = self.plan.try_update_value(Option::take).flatten() else {
            return;
        };
        let images = self.images.try_update_value(Option::take).flatten();
        self.stopped.set(false);
        self.step.set(ImportState::Running(0));
        spawn_local(async move {
            let next = self.import(plan, images).await;
            self.library.stores.library.refresh_from_log();
            self.go_to(next);
            self.library.note_change();
        });
    }

    /// Stops the running step.
    pub fn stop(self) {
        self.stopped.set(true);
    }

    /// Goes back to the choice of a file.
    pub fn choose_another(self) {
        self.plan.set_value(None);
        self.step.set(ImportState::Idle);
        page::focus_soon("import-file".to_owned());
    }

    /// Changes the step, unless the tab was left.
    fn go_to(self, step: ImportState) {
        _ = self.step.try_set(step);
    }

    async fn plan_file(self, file: &File) -> ImportState {
        let (bytes, mut images) = match read_split(file).await {
            Ok(split) => split,
            Err(why) => return ImportState::Failed(why),
        };
        let planner = decode(bytes).and_then(|text| Planner::new(text, clock::now()));
        let mut planner = match planner {
            Ok(planner) => planner,
            Err(error) => return ImportState::Failed(error.to_string()),
        };
        loop {
            match self.library.with_log(|log| planner.step(log)) {
                Some(Ok(Some(so_far))) => self.go_to(ImportState::Reading(percent(so_far))),
                Some(Ok(None)) => break,
                Some(Err(error)) => return ImportState::Failed(error.to_string()),
                None => return ImportState::Idle,
            }
            if self.stopped.try_get_untracked() != Some(false) {
                return ImportState::Idle;
            }
            clock::pause().await;
        }
        let plan = planner.finish();
        images.retain_missing(&plan.images).await;
        // `None` where the tab was left.
        _ = self.plan.try_update_value(|kept| *kept = Some(plan));
        _ = self.images.try_update_value(|kept| *kept = Some(images));
        ImportState::Planned
    }

    async fn import(self, plan: ImportPlan, images: Option<ImagesOfFile>) -> ImportState {
        let chats = plan.count(|fate| matches!(fate, Fate::New | Fate::Copy(_) | Fate::More(_)));
        // Images come first: without the messages that refer to them they are deleted with the trash.
        let attachments = self.library.stores.attachments;
        let note = match images {
            Some(images) => images.import(attachments).await,
            None => String::new(),
        };
        let begun = self
            .library
            .with_log(|log| Import::begin(plan, log, ids::new_id()));
        let mut import = match begun {
            Some(Ok(import)) => import,
            Some(Err(stopped)) => return ImportState::Failed(stopped.to_string()),
            None => return ImportState::Idle,
        };
        loop {
            match self.library.with_log(|log| import.step(log)) {
                Some(Ok(ImportStep::More(so_far))) => {
                    self.go_to(ImportState::Running(percent(so_far)))
                }
                Some(Ok(ImportStep::Done(_))) => {
                    return ImportState::Done(format!("{} imported.{note}", plural(chats, "chat")));
                }
                Some(Err(stopped)) => return ImportState::Failed(stopped.to_string()),
                None => return ImportState::Idle,
            }
            if self.stopped.try_get_untracked() == Some(true) {
                self.library.with_log(|log| import.stop(log));
                return ImportState::Failed("Stopped. Nothing was imported.".to_owned());
            }
            clock::pause().await;
        }
    }
}

fn percent(progress: StepProgress) -> u64 {
    progress.done * 100 / progress.of.max(1)
}
