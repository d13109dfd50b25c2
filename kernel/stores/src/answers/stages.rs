//! The stages of a running answer that a screen reader announces: reading is counted on the page and not said, and of
//! a quick answer only its beginning and its end.

use super::Answers;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_wire::{Frame, ReadingProgress};
use sash_words::t;

/// How long an answer runs before its stages are said, in milliseconds.
const SAID_AFTER_MS: f64 = 3_000.0;

impl Answers {
    /// Shows how far the prompt is read.
    pub(super) fn record_reading(self, id: Id, progress: ReadingProgress) {
        let live = self.running.live(id);
        if let Some(live) = live {
            live.reading.set(Some(progress));
        }
    }

    /// Whether an answer has run for so long that its stages are said.
    pub fn is_slow(self, id: Id) -> bool {
        let sent = self.running.with(id, |running| running.sent);
        sent.is_some_and(|sent| self.edges.monotonic() - sent >= SAID_AFTER_MS)
    }

    /// Announces that a slow answer begins to think, or to write.
    pub(super) fn announce_stage(self, id: Id, frame: &Frame) {
        let stage = match frame {
            Frame::Thinking { .. } => t!(common.thinking),
            Frame::Text { .. } => t!(transcript.writing),
            _ => return,
        };
        let is_thought = matches!(frame, Frame::Thinking { .. });
        let has_begun = self.running.with(id, |running| {
            let (text, thinking) = running.begun;
            let message = &running.message;
            let thinks = message.thinking.len() > thinking;
            message.content.len() > text || (is_thought && thinks)
        });
        if has_begun == Some(false) && self.is_slow(id) {
            self.notices().announce(stage.to_owned());
        }
    }
}
