//! Hands over the prompts that the person keeps and the folders of the list, and takes over those of other browsers.

use super::{Backup, has_other_version};
use reactive_graph::prelude::*;
use sash_calls::{BackupFault, BackupPrompts, BackupPromptsRequest, PROMPTS_IN_NEWS};
use sash_log::checksum;
use sash_records::backup::{BackupLog, MergeBase};
use sash_stores::Ticket;
use sash_transfer::backup::{TakenOver, prompt_checksums, prompt_lines, take_over_prompts};
use sash_wire::{Fault, RoomFaults};
use sash_words::t;

/// How often they are handed over anew because another browser has written them meanwhile.
const MAX_TRIES: usize = 4;

/// What is known of the prompts and folders.
#[derive(Default)]
pub(super) struct KnownPrompts {
    /// The checksum of the lines in the folder.
    pub crc: String,
    /// Whether those here may have changed since they were handed over.
    pub is_changed: bool,
    /// Whether the folder may have others.
    pub has_news: bool,
}

impl Backup {
    /// Hands over the prompts and folders if they changed; a browser in step takes over those of the folder before.
    ///
    /// # Errors
    /// That the server cannot be reached, or the folder not be used; nothing is lost then.
    pub(super) async fn write_prompts(self, run: Ticket) -> Result<(), Fault> {
        for _ in 0..MAX_TRIES {
            let (is_changed, has_news) = self
                .known
                .with_value(|known| (known.prompts.is_changed, known.prompts.has_news));
            if !is_changed && !has_news {
                return Ok(());
            }
            // What changes from here on is handed over once more.
            self.storage().with_log(|log| log.take_changed_prompts());
            let base_crc = match self.is_in_step() {
                true => match self.read_prompts(run).await? {
                    Some(crc) => Some(crc),
                    None => return Ok(()),
                },
                false => None,
            };
            let Some(lines) = self.storage().with_log(prompt_lines) else {
                return Ok(());
            };
            let crc = self.known.with_value(|known| known.prompts.crc.clone());
            if !has_news && crc == checksum(&lines) {
                self.settle_prompts(crc);
                return Ok(());
            }
            let request = self.prompts_request(base_crc, Some(lines));
            let put = self.target().prompts(request).await;
            if !run.is_current() {
                return Ok(());
            }
            match put {
                Ok(put) => {
                    self.record_prompts(&put);
                    return Ok(());
                }
                Err(fault) if has_other_version(&fault) => {}
                // The file stays as it is; the chats go on.
                Err(fault)
                    if matches!(fault, Fault::TooLarge { .. })
                        || BackupFault::of(&fault) == Some(BackupFault::Newer) =>
                {
                    self.settle_prompts(crc);
                    return Ok(());
                }
                Err(fault) => return Err(fault),
            }
        }
        Err(BackupFault::Changed { version: 0 }.into())
    }

    /// Finds whether the folder has others than the ones that were last taken over.
    pub(super) fn compare_prompts(self) {
        let base = self
            .storage()
            .with_log(|log| log.merge_base(PROMPTS_IN_NEWS))
            .flatten()
            .unwrap_or_default();
        self.known
            .update_value(|known| known.prompts.has_news = known.prompts.crc != base.crc);
    }

    /// Takes over what the folder has. Returns the checksum of its lines; `None` if another run began meanwhile.
    async fn read_prompts(self, run: Ticket) -> Result<Option<String>, Fault> {
        let request = self.prompts_request(None, None);
        let theirs = self.target().prompts(request).await?;
        if !run.is_current() {
            // They may be those of another folder, or this browser is not in step any more.
            return Ok(None);
        }
        // What was changed from outside comes in by *Bring back* alone, which asks.
        if theirs.is_intact {
            let taken = self.storage().with_log(|log| {
                let base = log.merge_base(PROMPTS_IN_NEWS).unwrap_or_default();
                let new_id = || self.edges.new_id();
                // Without room the rest stays in the folder.
                take_over_prompts(log, &theirs.text, &base.fields, new_id).unwrap_or_default()
            });
            let TakenOver { keys, copies } = taken.unwrap_or_default();
            let keys: Vec<_> = keys.into_iter().map(|key| (key, true)).collect();
            self.show_keys(&keys);
            if copies > 0 {
                self.notices().show(t!(state.conflict_prompt));
            }
        }
        Ok(Some(theirs.crc))
    }

    fn prompts_request(
        self,
        base_crc: Option<String>,
        text: Option<String>,
    ) -> BackupPromptsRequest {
        BackupPromptsRequest {
            key: self.key(),
            writer: self.writer(),
            base_crc,
            text,
        }
    }

    fn record_prompts(self, put: &BackupPrompts) {
        if self.is_in_step() {
            let base = MergeBase {
                crc: put.crc.clone(),
                fields: prompt_checksums(&put.text),
                ..MergeBase::default()
            };
            // Without room for it they are compared again.
            self.storage()
                .with_log(|log| log.save_merge_base(PROMPTS_IN_NEWS, &base).ok());
        }
        self.settle_prompts(put.crc.clone());
        self.state
            .update(|state| state.last = state.last.max(Some(put.at)));
    }

    /// Nothing is left to be done for the lines of the folder with this checksum.
    fn settle_prompts(self, crc: String) {
        self.known.update_value(|known| {
            known.prompts = KnownPrompts {
                crc,
                ..KnownPrompts::default()
            };
        });
    }
}
