//! What tells a person who looks elsewhere that an answer is ready.

mod notices_section;

pub use notices_section::NoticesSection;
