//! Applies a plan in steps, atomically.

use super::ImportPlan;
use super::decide::{DecidedChats, Decision, decide};
use sash_chat::{Id, ImageHash};
use sash_log::{
    ImportManifest, Key, KeyValue, Log, StoreError, SystemPrompts, encode_record, revision,
};
use sash_words::t;
use std::collections::VecDeque;

/// How much one step writes: this many bytes, or one record.
const STEP_BYTES: usize = 64 * 1024;

/// A running import. If it is dropped, the next start removes what it added; [`Self::stop`] removes it at
/// once.
#[derive(Debug)]
pub struct Import {
    id: Id,
    plan: ImportPlan,
    manifest: ImportManifest,
    record: String,
    decided: DecidedChats,
    next: usize,
    waiting: VecDeque<(Key, String)>,
    /// How many of the manifest's keys are written, in its order.
    written: usize,
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportStep {
    /// There is more to do; so many of the [records](Import::records) are written.
    More(usize),
    /// The import is complete.
    Done,
}

/// Why an import was stopped. Everything it added was removed, and nothing else has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportAborted {
    /// There is no room.
    Full,
    /// The store cannot be used.
    Refused,
    /// The log has changed since the plan was made.
    Changed,
    /// Another tab was opened, or removed what this import added.
    Elsewhere,
    /// Another import is running, or was interrupted and is not cleaned up yet.
    Busy,
}

impl std::fmt::Display for ImportAborted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ImportAborted::Full => t!(import.no_room),
            ImportAborted::Refused => t!(import.no_storage),
            ImportAborted::Changed => {
                t!(import.chats_changed_meanwhile)
            }
            ImportAborted::Elsewhere => {
                t!(import.another_tab_opened)
            }
            ImportAborted::Busy => {
                t!(import.another_import_runs)
            }
        })
    }
}

impl From<StoreError> for ImportAborted {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => ImportAborted::Full,
            StoreError::Refused => ImportAborted::Refused,
        }
    }
}

/// The keys of a list of additions.
fn keys<T>(adds: &[(Key, T)]) -> impl Iterator<Item = Key> {
    adds.iter().map(|(key, _)| *key)
}

impl Import {
    /// Starts to apply a plan: writes the manifest. `images` are those that the caller keeps from now on and
    /// before the last step; `id` is a random id of the import.
    ///
    /// # Errors
    /// [`ImportAborted`]; then nothing is written.
    pub fn begin<S: KeyValue>(
        plan: ImportPlan,
        images: Vec<ImageHash>,
        log: &mut Log<S>,
        id: Id,
    ) -> Result<Self, ImportAborted> {
        let mut first = plan.folders.records(&plan.agreed);
        first.extend(plan.prompts.records(&plan.agreed));
        let of_first = first
            .iter()
            .map(|(key, record)| (*key, revision(*key, record)));
        let of_chats = plan.chosen().flat_map(|chat| chat.adds.iter().copied());
        let adds: Vec<(Key, Option<u64>)> = of_first.chain(of_chats).collect();
        let systems = plan.chosen().filter_map(|chat| {
            Some(SystemPrompts {
                chat: chat.chat,
                systems: chat.systems.clone()?,
            })
        });
        let manifest = ImportManifest {
            done: false,
            keys: keys(&adds).map(|key| key.to_string()).collect(),
            revisions: adds
                .iter()
                .filter_map(|(key, rev)| Some((key.to_string(), (*rev)?)))
                .collect(),
            systems: systems.collect(),
            images,
            undone: false,
        };
        let running = |name: &String| matches!(log.key(name), Some(Key::Import(_)));
        if log.store().keys().iter().any(running) {
            return Err(ImportAborted::Busy);
        }
        // On failure the keys of the manifest are removed, so none of them may exist already.
        if manifest
            .keys
            .iter()
            .any(|name| log.store().get(name).is_some())
        {
            return Err(ImportAborted::Changed);
        }
        log.save_manifest(id, &manifest)?;
        Ok(Self {
            id,
            plan,
            record: encode_record(&manifest),
            manifest,
            decided: DecidedChats::new(),
            next: 0,
            // The folders come first, so that no chat names one that is not there.
            waiting: first.into(),
            written: 0,
        })
    }

    /// How many records it adds.
    #[must_use]
    pub fn records(&self) -> usize {
        self.manifest.keys.len()
    }

    /// Writes the next records.
    ///
    /// # Errors
    /// [`ImportAborted`]: everything that was added is removed again.
    pub fn step<S: KeyValue>(&mut self, log: &mut Log<S>) -> Result<ImportStep, ImportAborted> {
        let done = self.advance(log);
        if done.is_err() {
            self.undo(log);
        }
        done
    }

    /// Checks between two images that the import may go on.
    ///
    /// # Errors
    /// [`ImportAborted`]: everything that was added is removed again.
    pub fn check<S: KeyValue>(&mut self, log: &mut Log<S>) -> Result<(), ImportAborted> {
        let ours = self.check_manifest(log);
        if ours.is_err() {
            self.undo(log);
        }
        ours
    }

    /// Stops the import and removes everything it added. The images are [left over](Log::leftover_images).
    pub fn stop<S: KeyValue>(mut self, log: &mut Log<S>) {
        self.undo(log);
    }

    /// Removes what was written, but no value that another tab wrote.
    fn undo<S: KeyValue>(&mut self, log: &mut Log<S>) {
        self.manifest.keys.truncate(self.written);
        log.undo_import(self.id, &self.manifest);
    }

    /// Whether the manifest is as this import wrote it: another tab that starts removes what was added.
    fn check_manifest<S: KeyValue>(&self, log: &Log<S>) -> Result<(), ImportAborted> {
        let ours = log.store().get(&Key::Import(self.id).to_string());
        let is_ours = ours.as_deref() == Some(self.record.as_str());
        is_ours.then_some(()).ok_or(ImportAborted::Elsewhere)
    }

    fn advance<S: KeyValue>(&mut self, log: &mut Log<S>) -> Result<ImportStep, ImportAborted> {
        self.check_manifest(log)?;
        let mut bytes = 0;
        while bytes < STEP_BYTES {
            if let Some((key, record)) = self.waiting.pop_front() {
                if log.store().get(&key.to_string()).is_some() {
                    return Err(ImportAborted::Changed);
                }
                log.add_imported(key, &record)?;
                bytes += record.len();
                self.written += 1;
            } else if let Some(planned) = self.plan.chats.get(self.next) {
                self.next += 1;
                if !planned.is_chosen() {
                    // What it decides of a later chat with the same id is decided as in the plan.
                    let noted = planned.noted.map(|says| (planned.chat, says));
                    self.decided.extend(noted);
                    continue;
                }
                let Some(mut incoming) = self.plan.read(&planned.source) else {
                    return Err(ImportAborted::Changed);
                };
                self.plan.agreed.apply(&mut incoming);
                // Decide again: the log may have changed.
                let is_same = |decision: &Decision| {
                    decision.fate == planned.fate
                        && decision.systems == planned.systems
                        && keys(&decision.adds).eq(keys(&planned.adds))
                };
                let decision = decide(&incoming, log, &mut self.decided).filter(is_same);
                let decision = decision.ok_or(ImportAborted::Changed)?;
                self.waiting.extend(decision.adds);
                // Reading and packing cost time too, so a step ends after one long chat of the file.
                let texts = incoming.messages.iter();
                bytes += texts.map(|m| m.content.len()).sum::<usize>();
            } else {
                return self.finish(log);
            }
        }
        Ok(ImportStep::More(self.written))
    }

    /// The commit: after this write the import is complete.
    fn finish<S: KeyValue>(&mut self, log: &mut Log<S>) -> Result<ImportStep, ImportAborted> {
        let there = |name: &String| log.store().get(name).is_some();
        if !self.manifest.keys.iter().all(there) {
            return Err(ImportAborted::Elsewhere);
        }
        let done = ImportManifest {
            done: true,
            systems: self.manifest.systems.clone(),
            ..ImportManifest::default()
        };
        if !done.systems.is_empty() {
            log.save_manifest(self.id, &done)?;
        }
        // If there is no room for a head, the next start tries again.
        let _ = log.finish_import(self.id, &done);
        Ok(ImportStep::Done)
    }
}
