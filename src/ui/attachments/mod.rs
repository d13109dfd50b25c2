//! What a person adds to a prompt. Images are scaled in the browser and shown wherever their message is shown; the
//! text of any other file goes before what is written, after the person has seen it.

mod add;
mod draft_files;
mod draft_images;
mod encoding_choice;
mod file_dialog;
mod file_fold;
mod file_part_list;
mod image_thumbnail;
mod message_images;
mod read_file;
mod words;

pub use add::{add_files, use_drop_and_paste};
pub use draft_files::DraftFiles;
pub use draft_images::DraftImages;
pub use file_dialog::FileDialog;
pub use file_fold::FileFold;
pub use image_thumbnail::ImageThumbnail;
pub use message_images::MessageImages;
pub use words::{image_words, sent_image_facts};
