//! Hands a chat over, or the prompts and folders of the list.

use super::Backup;
use super::known::AT_ONCE;
use super::state::ProblemReason;
use super::writing::{ChatResult, IMPORT_INTERVAL_MS, held_by_imports};
use crate::call::{Put, PutImageRequest, PutRequest};
use crate::clock::advance;
use crate::form::{CopyId, SHELF, Standing};
use crate::lines::{CopyLines, chat_state};
use crate::record::CopyState;
use reactive_graph::prelude::*;
use sash_chat::{Id, ImageHash};
use sash_log::image::encode_image;
use sash_stores::TimeBudget;
use sash_wire::Fault;

/// A chat with a running answer is handed over once in this time, in milliseconds.
const RUNNING_INTERVAL_MS: f64 = 60_000.0;

impl Backup {
    /// Hands a chat over, if the directory does not have it as it is here.
    pub(super) async fn hand_over(self, chat: Id, budget: &mut TimeBudget) -> ChatResult {
        let state = self
            .storage()
            .with_log(|log| chat_state(log, chat))
            .flatten();
        // Of a chat of which nothing is left here, the person says whether it goes from the directory too.
        let Some(state) = state else {
            return Ok(None);
        };
        if self.is_as_handed_over(chat, &state) {
            return Ok(self.dropped(chat));
        }
        if self.rests(chat) {
            return Ok(None);
        }
        let of = self.own_copy(chat);
        let Some(request) = self.collect(of, budget).await else {
            return Ok(None);
        };
        // One that began meanwhile may be taken back.
        let held = self.storage().with_log(held_by_imports);
        if held.is_none_or(|held| held.contains(&chat)) {
            self.look_later(chat, IMPORT_INTERVAL_MS);
            return Ok(None);
        }
        let (title, state) = (request.title.clone(), request.state.clone());
        let bytes = request.lines.len() as u64;
        let put = self.target().put(request).await?;
        self.record_put(chat, &put, &state);
        if put.write > 0 {
            self.state
                .update(|state| state.last = state.last.max(Some(put.at)));
        }
        let in_step = self.is_in_step();
        self.known.update_value(|known| {
            // Until its images are there it is handed over again.
            known.record_put(of, title, &put, bytes, String::new());
            if !put.dropped.is_empty() && in_step {
                // What another browser deleted for good meanwhile goes here, too.
                known.gone.insert(chat, put.gone.clone());
                known.look_at(chat, AT_ONCE);
            }
        });
        let lost = self.send_images(of, put.missing).await?;
        self.known
            .update_value(|known| _ = known.record_state(of, put.write, state));
        Ok(match lost {
            0 => self.dropped(chat),
            lost => Some(ProblemReason::ImagesMissing(lost)),
        })
    }

    /// What of a chat is here alone. A browser in step deletes that, too.
    fn dropped(self, chat: Id) -> Option<ProblemReason> {
        let read = self.storage().with_log(|log| CopyState::read(log, chat));
        let dropped = read.map_or(0, |ours| ours.dropped);
        let is_here_alone = dropped > 0 && !self.is_in_step();
        is_here_alone.then_some(ProblemReason::Dropped(dropped))
    }

    fn is_as_handed_over(self, chat: Id, state: &str) -> bool {
        let of = self.own_copy(chat);
        let Some(copy) = self.known.with_value(|known| known.copy(of).cloned()) else {
            return false;
        };
        if chat == SHELF && copy.title != self.browser_name.get_value() {
            return false;
        }
        // Something else changed it, or another installation sealed it, so it counts for nobody.
        if copy.standing != Standing::Sealed {
            return false;
        }
        let is_as_handed_over = self.storage().with_log(|log| {
            let ours = CopyState::read(log, chat);
            // In a directory of an earlier day a chat may be as it is here again, after changes that it has forgotten.
            let is_earlier = copy.write < ours.write;
            // One that has more than this browser says no state, as does one that lacks an image.
            let is_last = (ours.write, ours.state.as_str()) == (copy.write, state);
            let has_more = copy.state.is_empty() && is_last && log.images_of(chat).is_empty();
            !is_earlier && (copy.state == state || has_more)
        });
        is_as_handed_over == Some(true)
    }

    /// Whether a chat is to be handed over later, because an answer runs in it that was handed over a moment ago.
    fn rests(self, chat: Id) -> bool {
        let is_running = self.storage().with_log(|log| log.has_tail(chat)) == Some(true);
        let now = self.edges.monotonic();
        let rests = self.known.try_update_value(|known| {
            let until = known.rests.remove(&chat);
            let until = until.filter(|until| is_running && now < *until);
            if is_running {
                let until = until.unwrap_or(now + RUNNING_INTERVAL_MS);
                known.rests.insert(chat, until);
            }
            if let Some(until) = until {
                known.look_at(chat, until);
            }
            until.is_some()
        });
        rests == Some(true)
    }

    pub(super) fn look_later(self, chat: Id, millis: f64) {
        let at = self.edges.monotonic() + millis;
        self.known.update_value(|known| known.look_at(chat, at));
    }

    /// Collects what is handed over of a chat; `None` once the page is closed.
    async fn collect(self, of: CopyId, budget: &mut TimeBudget) -> Option<PutRequest> {
        let CopyId { chat, browser } = of;
        // The head comes first: its clocks and the state are those of the same moment.
        let begun = self.storage().with_log(|log| {
            let CopyState {
                write, mut fields, ..
            } = CopyState::read(log, chat);
            let state = chat_state(log, chat)?;
            advance(&mut fields, log, chat);
            let mut lines = CopyLines::new(log, chat);
            lines.step(log);
            Some((write, fields, state, lines))
        });
        let (write, fields, state, mut lines) = begun.flatten()?;
        while self.storage().with_log(|log| lines.step(log))? {
            budget.rest().await;
        }
        let title = match chat {
            SHELF => self.browser_name.get_value(),
            chat => self.chats().title_now(chat),
        };
        Some(PutRequest {
            chat,
            browser,
            lines: lines.lines,
            // What was remembered last may have had no room, and the directory may be one of an earlier day.
            write: write.max(self.edges.now()),
            state,
            title,
            running: lines.running.into_iter().collect(),
            fields,
        })
    }

    /// Remembers what was handed over. Meanwhile something may have been noted that is to be deleted for good.
    fn record_put(self, chat: Id, put: &Put, state: &str) {
        self.storage().with_log(|log| {
            let before = CopyState::read(log, chat);
            let ours = CopyState {
                write: put.write.max(before.write),
                state: state.to_owned(),
                fields: put.fields.clone(),
                dropped: put.dropped.len(),
                ..before
            };
            // Without room for it the next write brings the same changes once more.
            ours.save(log, chat).ok();
        });
    }

    /// Hands over the images that the directory lacks. Returns how many this browser has lost, too.
    async fn send_images(self, of: CopyId, missing: Vec<ImageHash>) -> Result<usize, Fault> {
        let mut lost = 0;
        for hash in missing {
            let read = self.edges.with_images(|images| images.read(hash)).await;
            let Some(bytes) = read.map_err(|_| Fault::ImagesUnavailable)? else {
                lost += 1;
                continue;
            };
            let request = PutImageRequest {
                chat: of.chat,
                browser: of.browser,
                hash,
                data: encode_image(&bytes),
            };
            match self.target().put_image(request).await {
                // What is no image that the directory takes is none for a message either.
                Ok(()) | Err(Fault::InvalidField { .. }) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(lost)
    }
}
