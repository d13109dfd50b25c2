//! Chats of files: read, planned and, if the person wants it, all of them added or none. Files are Sash's own, or those of
//! other programs, whose readers are in `chat_exports`.
//!
//! [`Planner`] reads a file, compares it with the log in steps and writes nothing, the [`ImportPlan`] says what would
//! happen, and [`Import`] applies it in steps. Until its last write a manifest (`sash:in:…`) lists all keys and images it
//! adds: if the import is interrupted, even by a killed browser, those keys are removed when the log is opened next, and the
//! images after it ([`Log::leftover_images`](sash_log::Log::leftover_images)). An import only adds records under keys that
//! are free; a chat that differs from the existing one becomes a copy. What a chat of the file would switch on is off unless
//! the [`Agreement`] names it.
//!
//! [`Imports`] is the store of the page; `view` has the section of *All chats* and the line of settings that are off.

mod plan;
mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

pub use plan::{
    Agreement, CopyReason, Import, ImportAborted, ImportError, ImportNotes, ImportOutcome,
    ImportPlan, ImportStep, ImportedSettings, PlanStep, Planned, Planner, SettingToConfirm, Skip,
    decode,
};
pub use store::{
    AgreementRow, ChatFilter, ChoiceRow, ChosenCount, FileParts, ImportReport, ImportState, Imports,
};
#[cfg(target_arch = "wasm32")]
pub use view::{ImportButton, ImportSection, WithheldLine};

/// Gives the page the store, which deletes what an interrupted import left over.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    leptos::prelude::provide_context(Imports::new(kernel));
}
