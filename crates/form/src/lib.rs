//! The form of a Sash file: what an export writes and an import reads, and the files of the backup.
//!
//! ```text
//! {"app":"sash","schema":1,"exported":1790000000000,"chats":1,"messages":2}
//! {"key":"sash:c:…","crc":"0123abcd","data":{…}}
//! {"key":"sash:m:…","crc":"89ef4567","data":{…}}
//! ```
//!
//! [`lines`] are JSON: a header, then one record a line. `crc` is the record's own checksum, over `data` as written in the
//! line; `public/export.js` writes the same lines straight from the records, without this program. Images follow the records,
//! each in a line of its own: `{"image":"<sha-256>","data":"<base64>"}`; [`SplitFile`] takes them out of a file while it is
//! read. The page of a shared chat holds such lines in an element ([`records_in`]).

mod images;
pub mod lines;
mod records;
mod shared_page;

pub use images::{FileImage, FileTooLong, ImageDamage, SplitFile, check_image, image_line};
pub use records::{free_prompt_name, parse_folder, parse_prompt};
pub use shared_page::{DATA_END, DATA_START, records_in};

/// The longest file, in bytes.
pub const MAX_FILE: usize = 32 * 1024 * 1024;
/// The longest message, text and thinking together, in bytes.
pub const MAX_MESSAGE: usize = 2 * 1024 * 1024;
/// The longest title, in characters.
pub const MAX_TITLE: usize = 500;
/// The longest name of a model or a tool, in characters.
pub const MAX_NAME: usize = 200;
/// The most of a record that this version does not know, in bytes.
pub const MAX_UNKNOWN: usize = 64 * 1024;
