//! The data model of a conversation: messages that never change once written, each naming its parent, so that
//! a chat is a tree and asking again destroys nothing. Plain data and functions; no browser, no network, no
//! clock.

mod answer_format;
mod head;
mod id;
mod lines;
mod message;
mod model_id;
mod policy;
mod receipt;
mod think;
mod tolerant;
mod tree;
pub mod window;

pub use answer_format::AnswerFormat;
pub use head::{Head, Packed, Position};
pub use id::Id;
pub use lines::shown_lines;
pub use message::{Failure, Message, Outcome, Role};
pub use model_id::ModelId;
pub use policy::Policy;
pub use receipt::{Receipt, TokenCount};
pub use think::Think;
pub use tree::Chat;
