//! Chats of files: what is taken of them, and what of their settings waits for the person.

mod import_button;
mod import_choice;
mod import_report;
mod import_section;
mod withheld_line;

pub use import_button::ImportButton;
pub use import_section::ImportSection;
pub use withheld_line::WithheldLine;
