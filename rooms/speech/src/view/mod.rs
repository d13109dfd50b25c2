//! Views of reading aloud, and the voices of the browser.

mod browser_speech;
mod read_aloud;
mod reading_section;
mod spoken;

pub use browser_speech::BrowserSpeech;
pub use read_aloud::{FollowReading, ReadAloudItem, StopReadingButton};
pub use reading_section::{ReadingSection, SPEECH_RATE};
