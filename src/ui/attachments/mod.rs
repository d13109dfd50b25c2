//! What a person adds to a prompt. Images are scaled in the browser and shown wherever their message is shown; the
//! text of any other file goes before what is written, after the person has seen it.

mod add;
mod attach_button;
mod draft_files;
mod draft_images;
mod file_dialog;
mod file_fold;
mod file_part_list;
mod image_thumbnail;
mod message_image;
mod message_images;
mod question_text;
mod read_file;
mod turn_images;
mod words;

pub use add::use_drop_and_paste;
pub use attach_button::AttachButton;
pub use draft_files::DraftFiles;
pub use draft_images::DraftImages;
pub use file_dialog::FileDialog;
pub use message_images::MessageImages;
pub use question_text::QuestionText;
pub use turn_images::TurnImages;
pub use words::{image_words, sent_image_facts};
