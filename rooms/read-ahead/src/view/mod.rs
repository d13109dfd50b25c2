//! Progress of reading ahead, and its switch.

mod read_ahead_choice;
mod read_line;
mod read_mark;
mod read_words;

pub use read_ahead_choice::ReadAheadChoice;
pub use read_line::ReadLine;
pub use read_mark::ReadMark;
use read_words::read_words;
