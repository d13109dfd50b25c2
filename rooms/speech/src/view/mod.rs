//! Reading answers aloud.

mod read_aloud;
mod reading_section;

pub use read_aloud::{FollowReading, ReadAloudItem, StopReadingButton};
pub use reading_section::ReadingSection;
