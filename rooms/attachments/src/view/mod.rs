//! Images and files that a person adds to a prompt. Images are scaled in the browser and shown wherever their message is
//! shown; the text of any other file goes before what is written, after the person has seen it.

mod add;
mod attach_button;
mod draft_images;
mod draft_lines;
mod encoding_choice;
mod file_dialog;
mod file_part_list;
mod paste_line;
mod paste_setting;
mod read_file;

use add::{add_files, use_drop_and_paste};
pub use attach_button::AttachButton;
pub use draft_images::DraftImages;
pub use draft_lines::DraftLines;
pub use file_dialog::FileDialog;
use paste_line::PasteLine;
pub use paste_setting::{LONG_PASTE, PasteSetting};
