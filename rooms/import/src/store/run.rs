//! Applies the plan of an import: its images first, then its records, all of it or nothing.

use super::images::ImageKept;
use super::{ImportState, Imports, ReadFile};
use crate::plan::{Import, ImportStep};
use reactive_graph::prelude::*;
use sash_stores::Ticket;
use sash_words::{count, t};

/// The end of an import that the person stopped.
fn stopped() -> &'static str {
    t!(import.stopped)
}
/// The end of an import whose images the browser does not keep.
fn no_room_for_images() -> &'static str {
    t!(import.no_room_for_images)
}

impl Imports {
    /// Imports a file. Returns what was imported. The error is a sentence: everything is undone, except for images, which
    /// [`Self::clean_up`] deletes.
    pub(super) async fn import(self, read: ReadFile, ticket: Ticket) -> Result<String, String> {
        let ReadFile {
            choice,
            plan,
            mut images,
            ..
        } = read;
        let chats = plan.chosen().count();
        let asked = plan.settings.asked(&plan.agreed.models);
        let is_off = asked
            .iter()
            .any(|asked| !plan.agreed.kinds.contains(&asked.kind));
        // An import that was interrupted is in the way until its images are deleted.
        self.clean_up().await;
        // What was here when the import was planned may be deleted by now.
        let mut missing = self.missing(&images, &plan).await;
        images.retain(|(hash, _)| missing.remove(hash));
        let id = self.edges.new_id();
        let hashes = images.iter().map(|(hash, _)| *hash).collect();
        let begun = self
            .storage()
            .with_log(|log| Import::begin(plan, hashes, log, id));
        let mut import = begun.ok_or(stopped())?.map_err(|why| why.to_string())?;

        let (mut kept_images, mut damaged) = (Vec::new(), 0);
        for (done, (hash, source)) in images.iter().enumerate() {
            let kept = self.keep_image(&choice, *hash, source).await;
            let why = match kept {
                _ if !ticket.is_current() => Some(stopped()),
                ImageKept::NoRoom => Some(no_room_for_images()),
                ImageKept::Damaged => {
                    damaged += 1;
                    None
                }
                ImageKept::Kept => {
                    kept_images.push(*hash);
                    None
                }
            };
            if let Some(why) = why {
                self.storage().with_log(|log| import.stop(log));
                return Err(why.to_owned());
            }
            let checked = self.storage().with_log(|log| import.check(log));
            checked.ok_or(stopped())?.map_err(|why| why.to_string())?;
            self.show_progress(done + 1, images.len() + import.records());
        }
        loop {
            let written = self.storage().with_log(|log| import.step(log));
            let written = match written.ok_or(stopped())?.map_err(|why| why.to_string())? {
                ImportStep::More(written) => written,
                ImportStep::Done => break,
            };
            self.show_progress(images.len() + written, images.len() + import.records());
            self.edges.pause().await;
            if !ticket.is_current() {
                self.storage().with_log(|log| import.stop(log));
                return Err(stopped().to_owned());
            }
        }
        self.attachments().record_kept(kept_images);
        Ok(result_words(chats, damaged, is_off))
    }

    fn show_progress(self, done: usize, of: usize) {
        let percent = done * 100 / of.max(1);
        self.state.set(ImportState::Running(percent as u64));
    }
}

/// What was imported, in words.
fn result_words(chats: usize, damaged: usize, is_off: bool) -> String {
    let mut words = t!(import.imported, chats = count::chats(chats));
    if is_off {
        words += t!(import.settings_off);
    }
    if damaged > 0 {
        words += &t!(import.images_unusable, images = count::images(damaged));
    }
    words
}
