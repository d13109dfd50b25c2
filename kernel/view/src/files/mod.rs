//! The images and files of messages and drafts, as they are shown.

mod draft_files;
mod file_fold;
mod image_thumbnail;
mod message_images;
mod words;

pub use draft_files::DraftFiles;
pub use file_fold::FileFold;
pub use image_thumbnail::{ImageThumbnail, about};
pub use message_images::MessageImages;
pub use words::{image_words, sent_image_facts};
