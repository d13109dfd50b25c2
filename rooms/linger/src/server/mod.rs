//! Answers that outlive their page. A page gives its request an id that cannot be guessed; then a task here reads the
//! engine's stream and keeps its frames, and the page's connection is only a reader of them. When the page is gone the
//! answer goes on for [`LingerLimits::linger`], and a page that returns goes on behind the frames that it has.
//!
//! | file | what |
//! | --- | --- |
//! | `table` | all answers: readers, memory, what goes first when there is no room; `entry`, `frames` and `stopped` are its parts |
//! | `writer` | the task of one answer, from the engine's stream to the end of its time |
//! | `reader` | the stream of a page |
//! | `answers` | the table behind a lock, and the tasks |
//! | `keeper` | both as the server's keeper: what the prompt with an id, `resume` and `stop` do, and that answers that nobody reads give way to a prompt that waits for a permit |
//! | `turn` | they give way to one that waits for its model; `model_turns` is what tells whether it does |
//!
//! A request without an id goes none of these ways: its answer ends with its connection.

mod answers;
mod entry;
mod frames;
mod keeper;
mod limits;
mod model_turns;
mod reader;
mod stopped;
mod table;
#[cfg(test)]
mod tests;
mod turn;
mod writer;

pub use answers::KeptAnswers;
pub use limits::LingerLimits;
