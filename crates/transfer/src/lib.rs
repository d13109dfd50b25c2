//! Export of one chat or all chats, and import, which merges and never replaces.
//!
//! **Out.** [`Export`] writes JSON Lines: a header, then one line per record with its checksum. The file is
//! complete; it includes receipts and branches. [`markdown`] and [`text`] produce text for reading;
//! [`shared_page`] is a chat as an HTML file that
//! holds its own records; [`file_name`] makes the file's name.
//!
//! ```text
//! {"app":"sash","schema":1,"exported":1790000000000,"chats":1,"messages":2}
//! {"key":"sash:c:…","crc":"0123abcd","data":{…}}
//! {"key":"sash:m:…","crc":"89ef4567","data":{…}}
//! ```
//!
//! Images follow the records, each in a line of its own: `{"image":"<sha-256>","data":"<base64>"}`.
//!
//! `crc` is the record's own checksum, over `data` as written in the line; `public/export.js` writes the same
//! lines straight from the records, without this program. Neither exports drafts.
//!
//! **In.** What other programs export today is a [ZIP file](archive) or several files: their lists of chats are read
//! in pieces by [`ListReader`], the images and texts that messages point to are found by [`Assets`]. [`SplitFile`] takes the images out of a file, which are read one by one later, [`decode`] turns a file into text, [`Planner`] compares it with the log in steps and writes
//! nothing, the [`ImportPlan`] says what would happen, and [`Import`] applies it in steps. Until its last write
//! a manifest (`sash:in:…`) lists all keys and images it adds: if the import is interrupted, even by a killed
//! browser, those keys are removed when the log is opened next, and the images after it
//! ([`Log::leftover_images`](sash_log::Log::leftover_images)). An import only adds records under keys that are free; a chat that differs from the
//! existing one becomes a copy. What a chat of the file would switch on is off unless the [`Agreement`] names it.

pub mod archive;
pub mod backup;
mod export;
mod images;
mod import;
mod lines;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

pub use export::{
    Export, ExportScope, Share, ShareExtras, ShareScope, SharedPage, file_name, leave_out_systems,
    markdown, shared_page, text, utc,
};
pub use images::{FileImage, ImageDamage, SplitFile, check_image, image_line};
pub use import::{
    Agreement, Asset, AssetKind, Assets, CopyReason, Fate, Import, ImportAborted, ImportError,
    ImportNotes, ImportPlan, ImportStep, ImportSummary, ImportedSettings, ListItem, ListReader,
    MAX_FILE, Planned, Planner, ReadChat, SettingToConfirm, Skip, SourceProgram, StepProgress,
    decode, is_web_page, refused_format,
};

pub use lines::raw as raw_line;

/// The room that a record takes: UTF-16 units of key and value, as browsers count it.
fn units(key: &str, record: &str) -> u64 {
    let of = |text: &str| text.chars().map(|c| c.len_utf16() as u64).sum::<u64>();
    of(key) + of(record)
}
