//! The window: what the model sees. [`select()`] is the one function that decides it: the transcript draws its [`Window`],
//! the composer counts it, the preview and the request carry its [`turns()`], and the receipt records it. What is offered
//! to go along, [`Parts`] and quotes, is in it. No other code counts messages.

mod calibration;
mod choose;
mod entry;
mod estimate;
mod families;
mod fit;
mod grouping;
mod opening;
mod parts;
mod profile;
mod readable;
mod recall_room;
mod recalled;
mod rounds;
mod select;
mod size;
mod turns;

pub use calibration::Calibration;
pub use choose::{Candidate, shrink_policy};
pub use entry::{Reason, WindowEntry};
pub use estimate::Estimate;
pub use fit::ContextFit;
pub use opening::FirstMessageRule;
pub use parts::Parts;
pub use profile::{ASSUMED_CONTEXT, ModelProfile, Room};
pub use readable::{readable, unmuted};
pub use recall_room::{left_for_recall, recall_within};
pub use recalled::{RecallCandidate, recalled_block};
pub use rounds::{MAX_CALLS_OF_QUESTION, MAX_TOOL_ROUNDS, ToolLimit, ToolRounds};
pub use select::{EdgeStop, Window, select};
pub use size::Size;
pub use turns::{PromptTurn, Turn, join, turns};
