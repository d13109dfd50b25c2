//! The page's part: the search, which older messages go with a prompt, the choice of it, and what was recalled for a question.

mod choice;
mod draft_lines;
mod found_words;
mod mention_lines;
mod piece_list;
mod queued_lines;
mod recall_section;
mod recalled_note;
mod search_result;
mod search_tab;
mod vector_store;
mod version_lines;

pub use choice::RecallChoice;
pub use draft_lines::RecallLines;
pub use found_words::FoundWords;
pub use mention_lines::{MentionLines, include_command};
pub use queued_lines::QueuedRecalls;
pub use recall_section::{EMBEDDING_MODEL, RecallSection};
pub use recalled_note::RecalledNote;
pub use search_tab::{SearchTab, index_when_opened, search_command};
pub use vector_store::{BrowserVectors, VECTORS};
pub use version_lines::VersionRecalls;
