//! What a person adds to a prompt. Images are scaled in the browser and shown wherever their message is shown; the
//! text of any other file goes before what is written, after the person has seen it.

mod add;
mod attach_button;
mod draft_files;
mod draft_images;
mod draft_lines;
mod encoding_choice;
mod file_dialog;
mod file_fold;
mod file_part_list;
mod image_thumbnail;
mod message_images;
mod paste_line;
mod read_file;
mod words;
mod writing_section;

use add::{add_files, use_drop_and_paste};
pub use attach_button::AttachButton;
pub use draft_files::DraftFiles;
pub use draft_images::DraftImages;
pub use draft_lines::DraftLines;
pub use file_dialog::FileDialog;
pub use file_fold::FileFold;
pub use image_thumbnail::ImageThumbnail;
pub use message_images::MessageImages;
use paste_line::PasteLine;
pub use words::{image_words, sent_image_facts};
pub use writing_section::WritingSection;
