//! Drafts: what a person has written in a chat and not sent, also of a chat that has no message yet: the text in the
//! composer, its images, results of tools that are written by hand, and the texts of other fields.
//!
//! A draft goes to the trash with its chat and is purged with it. It is never exported: exported files are
//! given to others, and a draft was never said.

use super::draft_field::{DraftField, FieldDraft, set_text_of, text_of};
use super::{ChatRecord, DRAFT, KeyValue, Log, RecordContent, StoreError};
use sash_chat::{Id, Image};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};

/// What is written in a chat and not sent. Older records have its text alone.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The text in the composer.
    pub text: String,
    /// The images in the composer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub images: Vec<Image>,
    /// The results of tools that are being written, for each answer that calls some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub results: Vec<ResultDraft>,
    /// The texts of other fields: edits of messages, the system prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub fields: Vec<FieldDraft>,
    /// Whether an address filled in the text and the person has not changed it: no engine gets it before it is sent.
    #[serde(default, rename = "filled", skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub is_filled: bool,
}

impl RecordContent for Draft {
    fn is_blank(&self) -> bool {
        self.is_blank()
    }
}

/// The results that a person is writing for the calls of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultDraft {
    /// The answer.
    pub answer: Id,
    /// The results in the order of the calls; empty where nothing is written.
    pub texts: Vec<String>,
}

impl Draft {
    /// Whether there is nothing in it but white space.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
            && self.images.is_empty()
            && self.results.is_empty()
            && self.fields.is_empty()
    }

    /// This draft where it was changed since `before`, and elsewhere what another tab wrote meanwhile: an edit that is
    /// typed in one tab does not take back what is typed in the composer of another.
    #[must_use]
    pub fn merged(mut self, before: &Self, theirs: Self) -> Self {
        fn take<T: PartialEq>(own: &mut T, before: &T, theirs: T) {
            if own == before {
                *own = theirs;
            }
        }
        let own = self.fields.iter().chain(&before.fields);
        let fields: Vec<DraftField> = own.chain(&theirs.fields).map(|known| known.field).collect();
        for field in fields {
            if text_of(&self.fields, field) == text_of(&before.fields, field) {
                let text = text_of(&theirs.fields, field).map(str::to_owned);
                set_text_of(&mut self.fields, field, text);
            }
        }
        // The mark belongs to the text, so both come from one writer.
        if (&self.text, self.is_filled) == (&before.text, before.is_filled) {
            (self.text, self.is_filled) = (theirs.text, theirs.is_filled);
        }
        take(&mut self.images, &before.images, theirs.images);
        take(&mut self.results, &before.results, theirs.results);
        self
    }
}

impl From<&str> for Draft {
    fn from(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }
}

/// The drafts of chats.
pub const DRAFTS: ChatRecord<Draft> = ChatRecord::new(DRAFT);

impl<S: KeyValue> Log<S> {
    /// The draft of a chat; empty where there is none.
    pub fn draft(&mut self, chat: Id) -> Draft {
        let draft = DRAFTS.read(self, chat);
        draft.map(|record| record.content).unwrap_or_default()
    }

    /// Writes the draft of a chat, unless the same one is stored already. One of white space alone removes
    /// the draft. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// [`StoreError`]; then the draft waits for room.
    pub fn save_draft(
        &mut self,
        chat: Id,
        draft: impl Into<Draft>,
        now: u64,
    ) -> Result<(), StoreError> {
        DRAFTS.change(self, chat, now, |former| *former = draft.into())
    }

    /// Removes what the draft of a chat has of a message that is purged.
    pub(super) fn drop_draft_of_message(&mut self, chat: Id, message: Id, now: u64) {
        let mut draft = self.draft(chat);
        draft
            .fields
            .retain(|known| known.field.message() != Some(message));
        draft.results.retain(|result| result.answer != message);
        // Without room, the record waits in memory.
        let _ = self.save_draft(chat, draft, now);
    }

    /// The chats that consist of a draft alone, with the draft's time in milliseconds since 1970; newest
    /// first.
    pub fn draft_only_chats(&mut self) -> Vec<(Id, u64)> {
        let mut found: Vec<(Id, u64)> = Vec::new();
        for chat in self.ids_of(DRAFT) {
            let is_chat = self
                .keys_of(chat)
                .is_some_and(|keys| keys.deleted || keys.has_something() || !keys.tails.is_empty());
            let draft = DRAFTS.read(self, chat).filter(|_| !is_chat);
            if let Some(draft) = draft {
                let place = found.partition_point(|(_, at)| *at >= draft.at);
                found.insert(place, (chat, draft.at));
            }
        }
        found
    }
}

/// Decides when a draft is written while it is being typed: one second after a change, and no more than 16 kB
/// a second. Without the second limit a draft of a megabyte would be written every second. Times are in
/// milliseconds of any monotonic clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct DraftPace {
    /// When the next write is due.
    due: Option<f64>,
    /// When the rate limit allows the next write.
    paid: f64,
}

impl DraftPace {
    /// Delay from a change to its write, in milliseconds.
    const INTERVAL_MS: f64 = 1000.0;
    /// Upper bound of the delay, however long the draft.
    const MAX_PAUSE_MS: f64 = 60_000.0;
    /// The rate limit: 16 kB a second.
    const BYTES_PER_MS: f64 = 16.0;

    /// Records that the draft changed. Returns the delay until it must be written, or `None` while a write is
    /// already scheduled.
    pub fn on_change(&mut self, now: f64) -> Option<f64> {
        if self.due.is_some() {
            return None;
        }
        let due = self.paid.max(now + Self::INTERVAL_MS);
        self.due = Some(due);
        Some(due - now)
    }

    /// Whether a write is due. A timer may fire for a write that was done early.
    #[must_use]
    pub fn is_due(&self, now: f64) -> bool {
        self.due.is_some_and(|due| now >= due)
    }

    /// Cancels the scheduled write: the draft is again what was written last.
    pub fn cancel(&mut self) {
        self.due = None;
    }

    /// Records that `bytes` bytes of the draft were written.
    pub fn on_write(&mut self, bytes: usize, now: f64) {
        self.due = None;
        self.paid = now + (bytes as f64 / Self::BYTES_PER_MS).min(Self::MAX_PAUSE_MS);
    }
}
